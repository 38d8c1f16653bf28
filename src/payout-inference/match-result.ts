import type { BusinessDate, Instant, Millimes } from '../kernel';
import type { FeeRule, PayoutModel, Stream } from './match-request';

/** A best explanation whose claimed error is above the limit and up to this is proposed to a person. */
export const PROPOSAL_ERROR_MAX = 0.005;
export const DEFAULT_ERROR_MAX = 0.001;

/** How an item is known to be settled; grades are never added up without naming them. */
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
 * - `search_cut_short`: a bound was hit where the answer depends on it; never to be read as "no match".
 */
export type CreditOutcome = 'resolved' | 'ambiguous' | 'unexplained' | 'search_cut_short';

/** Why an ambiguous or unexplained credit is not resolved, where the inference can say. */
export type CreditCause =
  | 'competing' // several explanations, none likely enough
  | 'unknown_amount' // the run is clear, but an amount is in the credit that no known item or fee explains
  | 'fee_unknown' // it fits a run under a fee that too few credits confirm
  | 'merged' // paid together with another payout in one credit
  | 'split' // a part of a payout that came in several credits
  | 'none';

/** What the inference says of one credit of the statement. */
export interface InferredCredit {
  readonly lineId: string;
  readonly outcome: CreditOutcome;
  /** Empty unless resolved. In byte order, as the other lists. Pairs of a payment and its own refund are left out. */
  readonly itemIds: readonly string[];
  readonly commonCore: readonly string[];
  /** The best explanation, when it is not good enough to act on alone but good enough to show. */
  readonly proposal: readonly string[];
  /** Of a credit that is not resolved: all items that it may have paid; undefined when they cannot be bounded. */
  readonly mayHold?: readonly string[] | undefined;
  /** Of the resolved items: payments less refunds, fee and TVA; gross - fee - TVA + remainder = the credit's amount. */
  readonly gross: Millimes;
  readonly fee: Millimes;
  readonly tva: Millimes;
  /** What the explanation (or the nearest cut, or nothing) leaves of the credit; 0 when resolved. */
  readonly remainder: Millimes;
  readonly evidence: Evidence | undefined;
  /** The probability that the best explanation is wrong; 1 where there is none. */
  readonly claimedError: number;
  /** The cut lies in `(after, until]`. */
  readonly cut: { readonly after: Instant; readonly until: Instant } | undefined;
  readonly stream: Stream | undefined;
  readonly cause: CreditCause;
}

/** A payout that the bank debited back, and its second credit when it came. */
export interface ReturnedPayout {
  /** The credit that was debited back. */
  readonly lineId: string;
  readonly debitLineId: string;
  readonly paidAgainLineId: string | undefined;
  /** Credits of the same amount that the debit may as well have given back: which of them is unknown. */
  readonly orElse: readonly string[];
}

/** What the inference knows of an item beside its credit. */
export interface InferredItem {
  readonly itemId: string;
  /** The credit that paid it, when that is resolved. */
  readonly lineId: string | undefined;
  readonly evidence: Evidence | undefined;
  readonly stream: Stream | undefined;
  /** It became available in `(after, until]`, by its observations, its channel's rule and the calendar. */
  readonly available: { readonly after: Instant; readonly until: Instant };
  /** A payment and its own refund that left together before any payout: neither is paid. */
  readonly cancelled: boolean;
}

/** One stream as far as the statement was understood: behind its last cut everything waits. */
export interface InferredStream {
  readonly stream: Stream;
  /** Resolved credits. */
  readonly resolved: number;
  readonly lastCut: { readonly after: Instant; readonly until: Instant } | undefined;
}

/** The inference alone: no grace, no breaks. */
export interface Inference {
  /** Undefined when nothing says that these items are paid out to this account at all. */
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
  /** pending: inside its grace; open: past it. */
  readonly state: ItemState;
  readonly evidence: Evidence | undefined;
  readonly lineId: string | undefined;
  /** The last day on which it should be on the bank; undefined for what is settled or left as a pair. */
  readonly dueOn: BusinessDate | undefined;
}

export interface FoundBreak {
  readonly breakClass: string;
  readonly amount: Millimes;
  readonly itemIds: readonly string[];
  readonly lineIds: readonly string[];
  readonly since: BusinessDate;
}

/** Everything about a file or a run: what `result.json` holds. */
export interface MatchResult {
  readonly model: PayoutModel | undefined;
  readonly fees: readonly FeeRule[];
  readonly credits: readonly InferredCredit[];
  readonly items: readonly MatchedItem[];
  readonly breaks: readonly FoundBreak[];
}
