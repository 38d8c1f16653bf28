import { type BusinessDays, nextPendingCheck, SESSION_GRACE_MS, UNKNOWN_WORKING_DAYS_MAX } from '../../attempts';
import { addDays, DAY_MS, HOUR_MS, type Instant } from '../../kernel';
import { isNotPaid } from './payment-status';

/** When a card payment is checked on its T+1 day; the gateway's exact time is not documented. */
const CARD_CHECK_AFTER_MS = 12 * HOUR_MS;
/** How long to check for a settlement that is missing or wrong, and for a refund that is not seen. */
const SETTLEMENT_DAYS_MAX = 10;

const PENDING = 'PENDING';
const INSTANT_TYPES: ReadonlySet<string> = new Set(['wallet', 'mpayment']);

/** The state of a checkout payment after a status check. */
export interface CheckoutCheckFacts {
  readonly status: string;
  readonly settlementStatus: string | undefined;
  /** `card`, `wallet`, `mpayment` or another word of the gateway. */
  readonly method: string | undefined;
  /** Whether its money is posted, or never will be because it is test money. */
  readonly isBooked: boolean;
  /** Since when a refund by Millime is done or in transit; undefined without one. */
  readonly refundedAt: Instant | undefined;
  /** Whether Millime's cancel is done: nothing is reserved, whatever the gateway's status (open point 41). */
  readonly isCancelled: boolean;
  readonly startedAt: Instant;
  readonly sessionEndsAt: Instant | undefined;
  readonly succeededAt: Instant | undefined;
}

export interface NextCheck {
  /** Undefined: nothing more is expected. */
  readonly nextCheckAt: Instant | undefined;
  /** Whether this session can no longer be paid. */
  readonly isOver: boolean;
  /** Whether it should have ended by now, so that a person must find out. */
  readonly isUnclear: boolean;
}

/**
 * Returns when a checkout payment is checked after an answer at `now` (open point 54). Pure.
 *
 * - Pending ones follow `nextPendingCheck`.
 * - Failed ones are checked after their session and once more a day later, for a late success whose webhook was lost
 *   (open point 40), or a clock that differs from the gateway's.
 * - Paid ones are checked until their money is in transit to the bank, or until the limits for a missing settlement or
 *   refund.
 * - A reservation that Millime cancelled is not checked again.
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
  // An open session can still be paid. Any other status that lasts needs a person.
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
