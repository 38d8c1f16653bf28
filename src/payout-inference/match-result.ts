import type { BusinessDate, Instant, Millimes } from '../kernel';
import type { Candidate } from './candidate';
import type { FeeRule, PayoutModel, Stream } from './match-request';

/** A best explanation whose claimed error is above the limit, but at most this, is proposed to a person. */
export const PROPOSAL_ERROR_MAX = 0.005;
export const DEFAULT_ERROR_MAX = 0.001;

/** How the settlement of an item is known. Sums over several grades must name them. */
export const EVIDENCE_GRADES = [
  'reported',
  'inferred_by_tracer',
  'inferred_by_cut',
  'inferred_by_sum',
  'asserted',
] as const;
export type Evidence = (typeof EVIDENCE_GRADES)[number];

/**
 * - `resolved`: one explanation.
 * - `ambiguous`: several, or one with an amount that no item explains; `commonCore` is in all of them.
 * - `unexplained`: none.
 * - `search_cut_short`: the search hit a bound that affects the answer. It never means "no match".
 */
export type CreditOutcome = 'resolved' | 'ambiguous' | 'unexplained' | 'search_cut_short';

/** Why an ambiguous or unexplained credit is not resolved, if the inference knows. */
export type CreditCause =
  | 'competing' // several explanations, none likely enough
  | 'unknown_amount' // the run is clear, but the credit contains an amount that no known item or fee explains
  | 'fee_unknown' // it fits a run under a fee that too few credits confirm
  | 'merged' // two payouts came in one credit
  | 'split' // a part of a payout that came in several credits
  | 'none';

/** The result of the inference for one credit of the statement. */
export interface InferredCredit {
  readonly lineId: string;
  readonly outcome: CreditOutcome;
  /** Empty unless resolved. In byte order, like the other lists. Without pairs of a payment and its own refund. */
  readonly itemIds: readonly string[];
  readonly commonCore: readonly string[];
  /** The best explanation, if it is too uncertain to act on but certain enough to show. */
  readonly proposal: readonly string[];
  /** All items that an unresolved credit may have paid; undefined if they cannot be bounded. */
  readonly mayHold?: readonly string[] | undefined;
  /** Of the resolved items, payments less refunds, fee and TVA: gross - fee - TVA + remainder = the credit's amount. */
  readonly gross: Millimes;
  readonly fee: Millimes;
  readonly tva: Millimes;
  /** The credit less its explanation, or less the run of the nearest cut, or the whole credit; 0 if resolved. */
  readonly remainder: Millimes;
  readonly evidence: Evidence | undefined;
  /** The probability that the best explanation is wrong; 1 if none exists. */
  readonly claimedError: number;
  /** The cut lies in `(after, until]`. */
  readonly cut: { readonly after: Instant; readonly until: Instant } | undefined;
  readonly stream: Stream | undefined;
  readonly cause: CreditCause;
  /** The best explanations of a credit that is not resolved, at most three, the likeliest first. */
  readonly candidates?: readonly Candidate[] | undefined;
}

/** A payout that the bank debited back, and its second credit, if it was paid again. */
export interface ReturnedPayout {
  /** The credit that was debited back. */
  readonly lineId: string;
  readonly debitLineId: string;
  readonly paidAgainLineId: string | undefined;
  /** Other credits of the same amount that the debit may have returned instead. */
  readonly orElse: readonly string[];
}

/** The facts about an item besides its credit. */
export interface InferredItem {
  readonly itemId: string;
  /** The credit that paid it, if that credit is resolved. */
  readonly lineId: string | undefined;
  readonly evidence: Evidence | undefined;
  readonly stream: Stream | undefined;
  /** It became available in `(after, until]`, according to its observations, its channel's rule and the calendar. */
  readonly available: { readonly after: Instant; readonly until: Instant };
  /** Whether a payment and its own refund left together before any payout: neither is paid. */
  readonly cancelled: boolean;
}

/** One stream with its resolved part. Everything after its last cut waits. */
export interface InferredStream {
  readonly stream: Stream;
  /** The number of resolved credits. */
  readonly resolved: number;
  readonly lastCut: { readonly after: Instant; readonly until: Instant } | undefined;
}

/** The inference without graces and breaks. */
export interface Inference {
  /** Undefined if nothing shows that these items are paid to this account. */
  readonly model: PayoutModel | undefined;
  readonly fees: readonly FeeRule[];
  readonly feesLearned: boolean;
  /** One for each credit (positive line) of the request, by booking date and id. */
  readonly credits: readonly InferredCredit[];
  /** In the order of the request's items. */
  readonly items: readonly InferredItem[];
  readonly returned: readonly ReturnedPayout[];
  readonly streams: readonly InferredStream[];
}

export type ItemState = 'settled' | 'pending' | 'open';

export interface MatchedItem {
  readonly itemId: string;
  /** `pending`: inside its grace; `open`: past it. */
  readonly state: ItemState;
  readonly evidence: Evidence | undefined;
  readonly lineId: string | undefined;
  /** The last day on which it should be on the bank; undefined if it is settled or left as a pair. */
  readonly dueOn: BusinessDate | undefined;
}

export interface FoundBreak {
  readonly breakClass: string;
  readonly amount: Millimes;
  readonly itemIds: readonly string[];
  readonly lineIds: readonly string[];
  readonly since: BusinessDate;
}

/** The whole result of a file or a run: the content of `result.json`. */
export interface MatchResult {
  readonly model: PayoutModel | undefined;
  readonly fees: readonly FeeRule[];
  readonly credits: readonly InferredCredit[];
  readonly items: readonly MatchedItem[];
  readonly breaks: readonly FoundBreak[];
}
