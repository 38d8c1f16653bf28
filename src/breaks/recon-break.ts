import type { BusinessDate, Instant, Millimes } from '../kernel';

/** What happened. The whole list, also of what later versions find. */
export const BREAK_CLASSES = [
  'missing_in_bank',
  'missing_in_book',
  'amount_differs',
  'ambiguous_payout',
  'fee_unexplained',
  'late_settlement',
  'late_success',
  'settlement_regressed',
  'returned_payout',
  'refund_not_reflected',
  'paid_but_rejected',
  'conflicting_duplicate',
  'webhook_mismatch',
  'outcome_unknown',
  'duplicate_charge_period',
  'qr_paid_twice',
  'pos_unknown',
  'statement_gap',
  'clearing_unexplained',
] as const;

export type BreakClass = (typeof BREAK_CLASSES)[number];

export const BREAK_STATUSES = ['open', 'assigned', 'proposed', 'resolved'] as const;
export type BreakStatus = (typeof BREAK_STATUSES)[number];

/** What a run says when it does not find a break any more. */
export const DISAPPEARED = 'disappeared';

/** How a break was closed by two people. */
export const CLOSED_BY_TWO = ['written_off', 'force_matched', 'accepted'] as const;
export type ClosedByTwo = (typeof CLOSED_BY_TWO)[number];

/** The rows that a break stands on, by their ids outside. */
export interface BreakSubject {
  readonly itemIds: readonly string[];
  readonly lineIds: readonly string[];
  /** What a person needs to understand it: ids, amounts, answers; no secrets. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** A difference older than its grace: a fact with a class, an age and an amount, and the history of what was done. */
export interface NewBreak {
  /** Its identity across runs; at most one break per fingerprint is ever made. */
  readonly fingerprint: string;
  readonly breakClass: BreakClass;
  /** The day from which it counts. */
  readonly since: BusinessDate;
  /** `book − bank`, or the amount that may have moved; undefined when no amount can be told. */
  readonly amount: Millimes | undefined;
  readonly subject: BreakSubject;
}

export interface ReconBreak extends NewBreak {
  readonly id: string;
  readonly status: BreakStatus;
  readonly openedAt: Instant;
  readonly resolvedAt: Instant | undefined;
  readonly resolution: string | undefined;
}

export type BreakEventKind =
  | 'opened'
  | 'changed'
  | 'linked'
  | 'resolved'
  | 'reopened'
  | 'assigned'
  | 'commented'
  | 'proposed'
  | 'approved'
  | 'rejected';

export interface BreakEvent {
  readonly position: number;
  readonly kind: BreakEventKind;
  readonly actor: string;
  readonly at: Instant;
  readonly detail: Readonly<Record<string, string | number>>;
}

export function isClosedByTwo({ resolution }: Pick<ReconBreak, 'resolution'>): boolean {
  return CLOSED_BY_TWO.some((each) => each === resolution);
}

/**
 * Whether a run that finds a resolved break again opens it again. One person's word, or a difference that had gone, does
 * not hold against what is seen; what two people closed stays closed as long as it is the same difference. Pure.
 */
export function comesBack(before: ReconBreak, now: NewBreak): boolean {
  return !isClosedByTwo(before) || before.amount !== now.amount || !hasSameRows(before, now);
}

function hasSameRows({ subject: before }: NewBreak, { subject: now }: NewBreak): boolean {
  const rowsOf = ({ itemIds, lineIds }: BreakSubject): string =>
    JSON.stringify([[...itemIds].sort(), [...lineIds].sort()]);
  return rowsOf(before) === rowsOf(now);
}
