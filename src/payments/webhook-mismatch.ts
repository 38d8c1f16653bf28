import type { NewBreak, ReconBreak } from '../breaks';
import type { BusinessDate } from '../kernel';
import { lookBreak } from './look-break';
import type { Payment } from './payment';

/** The resolution of a mismatch whose source came to agree with us by itself. Such a break may come back. */
export const AGREES_AGAIN = 'agrees_again';

/** What longer texts are cut to: a break names the difference, it does not keep the message. */
const SHOWN_CHARACTERS_MAX = 255;

/** A field of which the gateway says something else than we asked for. */
export interface Mismatch {
  /** As the interface names it. */
  readonly field: string;
  readonly ours: string | number;
  readonly theirs: string | number;
}

/** What the fingerprints of all mismatches of a payment begin with. */
export function mismatchPrefix(trackingId: string): string {
  return `webhook_mismatch:${trackingId}:`;
}

/**
 * The break of one field of a payment. `source` is who said it: a look takes back only what a look found, what a webhook
 * told is for a person.
 */
export function mismatchBreak(
  payment: Payment,
  { field, ours, theirs }: Mismatch,
  { source, since }: { readonly source: string; readonly since: BusinessDate },
): NewBreak {
  const facts = { source, field, ours: shown(ours), theirs: shown(theirs) };
  return lookBreak(payment, { breakClass: 'webhook_mismatch', detail: field, since, facts });
}

/** Whether a person has yet to decide about a difference: until then nothing of the payment is posted. */
export function isHeldBack(mismatches: readonly Pick<ReconBreak, 'status'>[]): boolean {
  return mismatches.some(({ status }) => status !== 'resolved');
}

function shown(value: string | number): string | number {
  return typeof value === 'number' ? value : value.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed();
}
