import type { PaymentSettings } from '../attempts';

/**
 * Returns the address for the unsigned webhooks of a channel (interface section 6.5), with a secret path; undefined if
 * the gateway cannot reach this installation.
 */
export function hintUrl(
  { publicUrl, hintToken }: Pick<PaymentSettings, 'publicUrl' | 'hintToken'>,
  channel: 'pos' | 'partner',
): string | undefined {
  if (publicUrl === undefined || hintToken === undefined) return undefined;
  return `${publicUrl}/webhooks/hint/${hintToken}/${channel}`;
}
