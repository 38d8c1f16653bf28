import { addDays, type BusinessCalendar, type BusinessDate, businessDate, type Instant } from '../../kernel';

export const BILLING_INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

export interface BillingCycle {
  readonly interval: BillingInterval;
  readonly intervalCount: number;
}

const DAYS_PER_WEEK = 7;
const MONTHS_PER_YEAR = 12;

/**
 * Returns the first day of a period; the anchor is the first day of period 0. Every period counts from the anchor and
 * not from the period before: a subscription of the 31st is due on 28 February, then on 31 March.
 */
export function periodDay(
  anchor: BusinessDate,
  { interval, intervalCount }: BillingCycle,
  period: number,
): BusinessDate {
  const count = intervalCount * period;
  switch (interval) {
    case 'day':
      return addDays(anchor, count);
    case 'week':
      return addDays(anchor, count * DAYS_PER_WEEK);
    case 'month':
      return addMonths(anchor, count);
    case 'year':
      return addMonths(anchor, count * MONTHS_PER_YEAR);
  }
}

/** Returns when a period begins: on its first day, at the local time of the activation. */
export function periodInstant(
  calendar: BusinessCalendar,
  activatedAt: Instant,
  cycle: BillingCycle,
  period: number,
): Instant {
  const anchor = calendar.dateOf(activatedAt);
  const sinceMidnightMs = activatedAt - calendar.startOf(anchor);
  return calendar.startOf(periodDay(anchor, cycle, period)) + sinceMidnightMs;
}

/** Returns the same day of a later month, or the last day of a shorter month. */
function addMonths(date: BusinessDate, count: number): BusinessDate {
  const months = Number(date.slice(0, 4)) * MONTHS_PER_YEAR + Number(date.slice(5, 7)) - 1 + count;
  const last = addDays(firstOfMonth(months + 1), -1);
  const day = Math.min(Number(date.slice(8)), Number(last.slice(8)));
  return addDays(firstOfMonth(months), day - 1);
}

/** Months are counted from the year 0. */
function firstOfMonth(months: number): BusinessDate {
  const year = String(Math.floor(months / MONTHS_PER_YEAR)).padStart(4, '0');
  const month = String((months % MONTHS_PER_YEAR) + 1).padStart(2, '0');
  return businessDate(`${year}-${month}-01`);
}
