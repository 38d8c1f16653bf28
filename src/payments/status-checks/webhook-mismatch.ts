import type { NewBreak, ReconBreak } from '../../breaks';
import type { BusinessDate } from '../../kernel';
import type { Mismatch } from '../channel';
import type { Payment } from '../payment';
import { statusCheckBreak } from './status-check-break';

/** The resolution of a mismatch whose source agrees again without a decision. Such a break may be reopened. */
export const AGREES_AGAIN = 'agrees_again';

/** The length of stored texts: a break names the difference and does not store the message. */
const SHOWN_CHARACTERS_MAX = 255;

/** Returns the common prefix of the fingerprints of all mismatches of a payment. */
export function mismatchPrefix(trackingId: string): string {
  return `webhook_mismatch:${trackingId}:`;
}

/**
 * The source of a mismatch that a webhook reported. Such a break informs a person and does not prevent posting, because
 * only a status check is a fact.
 */
export const TOLD_BY_WEBHOOK = 'webhook';

/**
 * Returns the break for one field of a payment. `source` names the reporter: a status check resolves only breaks of
 * status checks.
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
 * Returns whether a difference in the gateway's answers prevents posting: until it ends, or a person has decided. A
 * difference that only a webhook reports does not count, because the order of messages would otherwise decide about
 * money.
 */
export function isHeldBack(mismatches: readonly Pick<ReconBreak, 'status' | 'subject'>[]): boolean {
  return mismatches.some(({ status, subject }) => status !== 'resolved' && subject.facts['source'] !== TOLD_BY_WEBHOOK);
}

function shown(value: string | number): string | number {
  return typeof value === 'number' ? value : value.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed();
}
