import { addDays, AppError, dayOfWeek, type Instant } from '../../kernel';
import { type BankDays, localInstant } from './payout-dates';
import type { PayoutPlan } from './payout-plan';

/** Every year has a working day of the plan, unless the holidays are wrong. */
const SEARCH_DAYS_MAX = 366;

/**
 * Returns the first cut of the plan after an instant, never the instant itself. Repeated from each result, it finds all
 * cuts in (a, b].
 *
 * @throws AppError `bad_input` when a whole year has no day for a cut.
 */
export function nextCutAfter(instant: Instant, plan: PayoutPlan, { workingDays, calendar }: BankDays): Instant {
  let day = calendar.dateOf(instant);
  for (let searched = 0; searched <= SEARCH_DAYS_MAX; searched += 1, day = addDays(day, 1)) {
    if (!plan.weekdays.includes(dayOfWeek(day)) || !workingDays.isWorkingDay(day)) continue;
    const cuts = plan.cutTimes.map((time) => localInstant(calendar, day, time)).filter((cut) => cut > instant);
    if (cuts.length > 0) return Math.min(...cuts);
  }
  throw new AppError('bad_input', { field: 'weekdays', expected: 'a working day within a year' });
}
