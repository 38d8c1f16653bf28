import type { Millimes } from '../kernel';
import type { Candidate, CreditOutcome } from '../payout-inference';
import type { PayoutMatch } from './match';

/**
 * Why a credit is not matched.
 * - `next_run_matches`: the next run matches it.
 * - `unmatched_before`, `partly_written_off`: only people match it.
 * - `search_cut_short`: the search hit a bound.
 * - `above_limit`: one explanation, whose claimed error is above the limit of runs.
 * - `competing`, `unknown_amount`, `fee_unknown`, `split`, `none`: as the inference states it.
 * - `returned`: the bank took it back.
 */
export const CREDIT_REASONS = [
  'next_run_matches',
  'unmatched_before',
  'partly_written_off',
  'search_cut_short',
  'above_limit',
  'competing',
  'unknown_amount',
  'fee_unknown',
  'merged',
  'split',
  'returned',
  'none',
] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** One of the best explanations of a credit. Its id names its items, whatever its rank is. */
export interface CreditCandidate extends Omit<Candidate, 'cut' | 'kind' | 'stream'> {
  readonly id: string;
  /** The probability that it is wrong, as the inference states it; 1 if it states none. */
  readonly claimedError: number;
  /** `match` if it is not an explanation of several: the next run matches it. */
  readonly kind: Candidate['kind'] | 'match';
  readonly cut: PayoutMatch['cut'];
  readonly stream: string | undefined;
}

/** What a run would say about a credit now. */
export interface CreditAnswer {
  readonly outcome: CreditOutcome;
  readonly reason: CreditReason;
  readonly claimedError: number;
  /** Runs match a credit up to this claimed error. */
  readonly errorMax: number;
  /** The likeliest first. */
  readonly candidates: readonly CreditCandidate[];
  /** Items that all explanations share. */
  readonly commonCore: readonly string[];
  /** The credit less the run of the nearest cut; undefined if no cut is near. */
  readonly nearest: { readonly cut: PayoutMatch['cut']; readonly difference: Millimes } | undefined;
}

/** The answer of a run about a credit that it did not match. */
export interface StoredAnswer {
  readonly lineId: string;
  readonly answer: CreditAnswer;
}
