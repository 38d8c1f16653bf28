import type { WebhookFault } from './webhook-fault';
import type { WebhookDelivery } from './webhook-state';

/** The faults after which no signature of the webhook is valid, so that its receiver must refuse it. */
const FORGERIES: ReadonlySet<WebhookFault['kind']> = new Set<WebhookFault['kind']>([
  'wrong_key',
  'tampered',
  'unsigned',
]);

/** What the answers to a webhook with a wrong signature say about its receiver. */
export type SignatureVerdict = 'accepted_wrongly' | 'refused_rightly';

/**
 * Judges the answers to a webhook whose signature is wrong on purpose; undefined for every other webhook, and before an
 * answer. Pure.
 */
export function judgeDelivery({
  message,
  faults,
  attempts,
}: Pick<WebhookDelivery, 'message' | 'faults' | 'attempts'>): SignatureVerdict | undefined {
  if (message.kind === 'hint' || !faults.some(({ kind }) => FORGERIES.has(kind))) return undefined;
  const statuses = attempts.flatMap(({ answer }) => (answer.kind === 'answered' ? [answer.status] : []));
  if (statuses.some(isAccepted)) return 'accepted_wrongly';
  return statuses.length === 0 ? undefined : 'refused_rightly';
}

/** Returns whether a status means that the receiver took the webhook (interface section 6.1). */
export function isAccepted(status: number): boolean {
  return status >= 200 && status < 300;
}
