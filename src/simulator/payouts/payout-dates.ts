import { type BusinessCalendar, type BusinessDate, type Instant, MINUTE_MS, type WorkingDays } from '../../kernel';
import type { SeededRandom } from '../core/seeded-random';
import type { PayoutPlan } from './payout-plan';

/** The working days of banks, and the calendar that defines their start. */
export interface BankDays {
  readonly workingDays: WorkingDays;
  readonly calendar: BusinessCalendar;
}

/** One cut of a plan. */
export interface CutRequest {
  readonly plan: PayoutPlan;
  readonly cutAt: Instant;
  readonly bankDays: BankDays;
  /** Only its seed is used, so its position does not change: the same seed, cut and items give the same payouts. */
  readonly random: SeededRandom;
}

export interface PayoutDates {
  readonly transferAt: Instant;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate;
}

const TIME_AT = [11, 16] as const;

/**
 * Returns when a cut's money is transferred, and when the bank books it. A cut on a day off counts as on the next
 * working day.
 */
export function payoutDates(cutAt: Instant, plan: PayoutPlan, { workingDays, calendar }: BankDays): PayoutDates {
  const cutDay = workingDays.onOrAfter(calendar.dateOf(cutAt));
  const transferDay = workingDays.add(cutDay, plan.transferLagWorkingDays);
  const bookingDate = workingDays.add(transferDay, plan.bookingLagWorkingDays);
  return {
    transferAt:
      plan.transferLagWorkingDays === 0 ? cutAt : localInstant(calendar, transferDay, timeOf(calendar, cutAt)),
    bookingDate,
    valueDate: workingDays.add(bookingDate, plan.valueLagWorkingDays),
  };
}

/**
 * Returns the instant of a local time such as `16:00`. On a day that skips this time, it is the same number of minutes
 * after midnight.
 */
export function localInstant(calendar: BusinessCalendar, day: BusinessDate, time: string): Instant {
  const fromMidnight = calendar.startOf(day) + minutesOf(time) * MINUTE_MS;
  const shown = timeOf(calendar, fromMidnight);
  // On the day of a clock change, midnight and the local time are an hour more or less apart.
  const corrected = fromMidnight + (minutesOf(time) - minutesOf(shown)) * MINUTE_MS;
  return timeOf(calendar, corrected) === time ? corrected : fromMidnight;
}

function timeOf(calendar: BusinessCalendar, instant: Instant): string {
  return calendar.formatLocal(instant).slice(...TIME_AT);
}

function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
