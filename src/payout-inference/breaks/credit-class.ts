import type { InferredCredit } from '../match-result';

/** The class of the break of one credit; undefined if the credit is resolved. */
export type CreditClass = 'ambiguous_payout' | 'fee_unexplained' | 'amount_differs' | 'missing_in_book';

/**
 * Returns one class for each credit, so that no credit is reported twice.
 *
 * A credit that is smaller than its run without an explanation lost an unannounced fee. A larger one contains an
 * unknown item. It stays ambiguous, because any earlier run may be the right one. Only if the inference still calls it
 * unexplained, the difference itself is the known fact. Two payouts in one credit, or a part of one, are still the
 * gateway's money. A credit that nothing explains or resembles is missing in the book.
 */
export function creditClassOf({ outcome, cause, remainder }: InferredCredit): CreditClass | undefined {
  if (outcome === 'resolved') return undefined;
  if (outcome === 'search_cut_short') return 'ambiguous_payout';
  if (cause === 'fee_unknown' || (cause === 'unknown_amount' && remainder < 0)) return 'fee_unexplained';
  if (outcome === 'ambiguous' || cause === 'merged' || cause === 'split') return 'ambiguous_payout';
  return cause === 'unknown_amount' ? 'amount_differs' : 'missing_in_book';
}
