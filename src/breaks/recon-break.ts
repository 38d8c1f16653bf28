import { type BusinessDate, type Instant, type Millimes, millimes } from '../kernel';

/** The kinds of difference. The list is closed. */
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

/**
 * The side of a difference:
 *
 * - `books_have_more`: the ledger expects more than the bank shows.
 * - `bank_has_more`: the bank shows more than the ledger expects.
 * - `may_have_moved`: the amount may have moved, and nothing tells yet whether it did.
 * - `unknown`: Millime cannot tell, or the sides agree by now.
 */
export const DIRECTIONS = ['books_have_more', 'bank_has_more', 'may_have_moved', 'unknown'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const BREAK_STATUSES = ['open', 'assigned', 'proposed', 'resolved'] as const;
export type BreakStatus = (typeof BREAK_STATUSES)[number];

/** The statuses of a break that is not resolved. */
export const OPEN_STATUSES = BREAK_STATUSES.filter((status) => status !== 'resolved');

/** The resolution of a break that a run no longer finds. */
export const DISAPPEARED = 'disappeared';

/** The resolutions of breaks that two people closed. */
export const CLOSED_BY_TWO = ['written_off', 'force_matched', 'accepted'] as const;
/** The resolutions of differences that stay, because two people wrote them off or accepted them. */
export const SETTLED_BY_TWO = ['written_off', 'accepted'] as const satisfies readonly ClosedByTwo[];
export type ClosedByTwo = (typeof CLOSED_BY_TWO)[number];

/**
 * How a break was resolved. Breaks of earlier versions may have a sentence instead.
 *
 * - `explained`: nothing of it is unexplained any longer. `stored_later`: the refused call was stored.
 * - `agrees_again`: the gateway's answer agrees with the request again. `seen_later`: a status check found the request.
 */
export const RESOLUTIONS = [
  'by_hand',
  ...CLOSED_BY_TWO,
  DISAPPEARED,
  'explained',
  'stored_later',
  'statement_came',
  'statement_accepted',
  'statement_left_out',
  'agrees_again',
  'seen_later',
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** The rows of a break, by their external ids. */
export interface BreakSubject {
  readonly itemIds: readonly string[];
  readonly lineIds: readonly string[];
  /** Ids, amounts and answers that explain the break to a person. They contain no secrets. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** A difference older than its grace, as a run or another module found it. */
export interface NewBreak {
  /** Its identity across runs; unique. */
  readonly fingerprint: string;
  readonly breakClass: BreakClass;
  /** The day from which it ages. */
  readonly since: BusinessDate;
  /**
   * Undefined when unknown. Its sign depends on the finder, and stored digests contain it: read the size and
   * `direction`.
   */
  readonly amount: Millimes | undefined;
  readonly direction: Direction;
  readonly subject: BreakSubject;
}

export interface ReconBreak extends NewBreak {
  readonly id: string;
  readonly status: BreakStatus;
  readonly openedAt: Instant;
  readonly resolvedAt: Instant | undefined;
  readonly resolution: string | undefined;
}

export const BREAK_EVENT_KINDS = [
  'opened',
  'changed',
  'linked',
  'resolved',
  'reopened',
  'assigned',
  'commented',
  'proposed',
  'approved',
  'rejected',
] as const;
export type BreakEventKind = (typeof BREAK_EVENT_KINDS)[number];

export interface BreakEvent {
  readonly position: number;
  readonly kind: BreakEventKind;
  readonly actor: string;
  readonly at: Instant;
  readonly detail: Readonly<Record<string, string | number>>;
}

/** Returns the direction of ledger less bank. Pure. */
export function directionOf(ledgerLessBank: number | undefined): Direction {
  if (ledgerLessBank === undefined || ledgerLessBank === 0) return 'unknown';
  return ledgerLessBank > 0 ? 'books_have_more' : 'bank_has_more';
}

/** Returns the size of an amount, 0 or more. Pure. */
export function sizeOf({ amount }: Pick<NewBreak, 'amount'>): Millimes | undefined {
  return amount === undefined ? undefined : millimes(Math.abs(amount));
}

export function isClosedByTwo({ resolution }: Pick<ReconBreak, 'resolution'>): boolean {
  return CLOSED_BY_TWO.some((each) => each === resolution);
}

/**
 * Returns whether a run reopens a resolved break that it finds again: yes, unless two people wrote off or accepted the
 * difference and it is unchanged. A difference that a match had closed is found again only if that match is gone. Pure.
 */
export function comesBack(before: ReconBreak, now: NewBreak): boolean {
  return !isSettled(before) || before.amount !== now.amount || !hasSameRows(before, now);
}

/** Returns whether two people decided that a difference stays: they wrote it off or accepted it. */
function isSettled({ resolution }: Pick<ReconBreak, 'resolution'>): boolean {
  return SETTLED_BY_TWO.some((each) => each === resolution);
}

function hasSameRows({ subject: before }: NewBreak, { subject: now }: NewBreak): boolean {
  const rowsOf = ({ itemIds, lineIds }: BreakSubject): string =>
    JSON.stringify([[...itemIds].sort(), [...lineIds].sort()]);
  return rowsOf(before) === rowsOf(now);
}
