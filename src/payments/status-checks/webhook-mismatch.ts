import type { NewBreak, ReconBreak } from '../../breaks';
import type { BusinessDate } from '../../kernel';
import type { Mismatch } from '../channel';
import type { Payment } from '../payment';
import { statusCheckBreak } from './status-check-break';

/** The resolution of a mismatch whose source came to agree with us by itself. Such a break may come back. */
export const AGREES_AGAIN = 'agrees_again';

/** What longer texts are cut to: a break names the difference, it does not keep the message. */
const SHOWN_CHARACTERS_MAX = 255;

/** What the fingerprints of all mismatches of a payment begin with. */
export function mismatchPrefix(trackingId: string): string {
  return `webhook_mismatch:${trackingId}:`;
}

/**
 * Who said it, when a webhook did. Such a break is for a person, and holds nothing back: a status check is the fact.
 */
export const TOLD_BY_WEBHOOK = 'webhook';

/**
 * The break of one field of a payment. `source` is who said it: a status check takes back only what a status check
 * found.
 */
export function mismatchBreak(
  payment: Payment,
  { field, ours, theirs }: Mismatch,
  { source, since }: { readonly source: string; readonly since: BusinessDate },
): NewBreak {
  const facts = { source, field, ours: shown(ours), theirs: shown(theirs) };
  return statusCheckBreak(payment, { breakClass: 'webhook_mismatch', detail: field, since, facts });
}

/**
 * Whether a difference in what the gateway answered us is open: until it is gone, or a person has decided, nothing of
 * the payment is posted. What only a webhook says does not count, or the order of messages would decide about money.
 */
export function isHeldBack(mismatches: readonly Pick<ReconBreak, 'status' | 'subject'>[]): boolean {
  return mismatches.some(({ status, subject }) => status !== 'resolved' && subject.facts['source'] !== TOLD_BY_WEBHOOK);
}

function shown(value: string | number): string | number {
  return typeof value === 'number' ? value : value.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed();
}
