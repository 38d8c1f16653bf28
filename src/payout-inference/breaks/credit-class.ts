import type { InferredCredit } from '../match-result';

/** The class of the break that a credit is by itself; undefined when it is resolved. */
export type CreditClass = 'ambiguous_payout' | 'fee_unexplained' | 'amount_differs' | 'missing_in_book';

/**
 * One class for each credit, so that none is told twice. A credit that is smaller than its run, with nothing that
 * explains the rest, lost an unannounced fee. One that is larger holds an unknown item: it stays
 * ambiguous, because any run before it may be the one. Only where the inference still says that it explains nothing is
 * the difference itself what is known. Two payouts in one credit, or a part of one, are the gateway's money all the
 * same; what nothing explains and nothing is like is missing in the book.
 */
export function creditClassOf({ outcome, cause, remainder }: InferredCredit): CreditClass | undefined {
  if (outcome === 'resolved') return undefined;
  if (outcome === 'search_cut_short') return 'ambiguous_payout';
  if (cause === 'fee_unknown' || (cause === 'unknown_amount' && remainder < 0)) return 'fee_unexplained';
  if (outcome === 'ambiguous' || cause === 'merged' || cause === 'split') return 'ambiguous_payout';
  return cause === 'unknown_amount' ? 'amount_differs' : 'missing_in_book';
}
