import { type BusinessDays, nextPendingCheck, SESSION_GRACE_MS } from '../../attempts';
import { addDays, type Instant } from '../../kernel';
import { isNotPaid } from './payment-status';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When a card payment is checked on the day of its T+1: the gateway's own time of day is not known. */
const CARD_CHECK_AFTER_MS = 12 * HOUR_MS;
/** For how long a settlement that is never told, or never fits, and a refund that is never seen are asked for. */
const SETTLEMENT_DAYS_MAX = 10;
/** For how long a word that is neither paid nor final is asked about (open point 15, and the grace of its break). */
export const UNKNOWN_WORKING_DAYS_MAX = 5;

const PENDING = 'PENDING';
const INSTANT_TYPES: ReadonlySet<string> = new Set(['wallet', 'mpayment']);

/** What is known of a checkout payment after a status check. */
export interface CheckoutCheckFacts {
  readonly status: string;
  readonly settlementStatus: string | undefined;
  /** `card`, `wallet`, `mpayment` or another word of the gateway. */
  readonly method: string | undefined;
  /** Its money is in the books, or never will be because it is test money. */
  readonly isBooked: boolean;
  /** Since when a refund of ours is done or in transit; undefined without one. */
  readonly refundedAt: Instant | undefined;
  /** A cancel of ours is done: nothing is held, whatever the gateway calls it (open point 41). */
  readonly isCancelled: boolean;
  readonly startedAt: Instant;
  readonly sessionEndsAt: Instant | undefined;
  readonly succeededAt: Instant | undefined;
}

export interface NextCheck {
  /** Undefined: nothing more is expected. */
  readonly nextCheckAt: Instant | undefined;
  /** This session can no longer be paid. */
  readonly isOver: boolean;
  /** It should have ended by now, and a person must find out. */
  readonly isUnclear: boolean;
}

/**
 * When a checkout payment is checked after an answer of the instant `now` (open point 54): pending ones as
 * `nextPendingCheck` says; failed ones when their session is over, and a last time a day later, for a success that came
 * late and whose webhook was lost (open point 40), or a clock that is not the gateway's; paid ones until their money is
 * in transit to the bank, or for as long as a settlement that is not told, or a refund that is not seen, is worth
 * asking for; a hold that we cancelled no more. Pure.
 */
export function nextCheckoutCheck(facts: CheckoutCheckFacts, now: Instant, days: BusinessDays): NextCheck {
  const { status, sessionEndsAt, isCancelled } = facts;
  if (status === 'SUCCESS') return { nextCheckAt: nextPaidCheck(facts, now, days), isOver: false, isUnclear: false };
  if (isCancelled) return { nextCheckAt: undefined, isOver: true, isUnclear: false };
  if (status === 'PREAUTH_SUCCESS') return { nextCheckAt: now + DAY_MS, isOver: false, isUnclear: false };
  if (isNotPaid(status)) {
    const overAt = sessionEndsAt === undefined ? now : sessionEndsAt + SESSION_GRACE_MS;
    const lastCheckAt = overAt + DAY_MS;
    return { nextCheckAt: [overAt, lastCheckAt].find((at) => at > now), isOver: now >= overAt, isUnclear: false };
  }
  const { calendar, workingDays } = days;
  const since = calendar.dateOf(sessionEndsAt ?? facts.startedAt);
  const isUnclear = workingDays.countBetween(since, calendar.dateOf(now)) > UNKNOWN_WORKING_DAYS_MAX;
  // A session that is still open can be paid; any other word that lasts is for a person alone.
  const nextCheckAt = isUnclear && status !== PENDING ? undefined : nextPendingCheck(facts, now);
  return { nextCheckAt, isOver: false, isUnclear };
}

function nextPaidCheck(
  { settlementStatus, method, isBooked, refundedAt, startedAt, succeededAt = startedAt }: CheckoutCheckFacts,
  now: Instant,
  { calendar, workingDays }: BusinessDays,
): Instant | undefined {
  const daily = now + DAY_MS;
  const isWorthAsking = now < (refundedAt ?? succeededAt) + SETTLEMENT_DAYS_MAX * DAY_MS;
  if (settlementStatus === 'NOT_APPLICABLE' && refundedAt !== undefined) return undefined;
  if (!isBooked) return daily;
  if (refundedAt !== undefined || settlementStatus === undefined || settlementStatus === 'NOT_APPLICABLE') {
    return isWorthAsking ? daily : undefined;
  }
  if (settlementStatus === 'PAID') return undefined;
  if (method !== undefined && INSTANT_TYPES.has(method)) {
    return settlementStatus === 'AVAILABLE' || !isWorthAsking ? undefined : daily;
  }
  if (settlementStatus !== 'PROCESSING') return daily;
  const nextDay = workingDays.onOrAfter(addDays(calendar.dateOf(succeededAt), 1));
  const settledBy = calendar.startOf(nextDay) + CARD_CHECK_AFTER_MS;
  return settledBy > now ? settledBy : daily;
}
