import type { PaymentSettings } from '../payments';

/**
 * Where the gateway sends the unsigned webhooks of a channel (interface section 6.5): a path that nobody can guess.
 * Undefined when it cannot reach us.
 */
export function hintUrl(
  { publicUrl, hintToken }: Pick<PaymentSettings, 'publicUrl' | 'hintToken'>,
  channel: 'pos' | 'partner',
): string | undefined {
  if (publicUrl === undefined || hintToken === undefined) return undefined;
  return `${publicUrl}/webhooks/hint/${hintToken}/${channel}`;
}
