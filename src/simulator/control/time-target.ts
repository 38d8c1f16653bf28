import { z } from 'zod';
import { addDays, AppError, type BusinessCalendar, type Instant, MINUTE_MS, type WorkingDays } from '../../kernel';
import { isSimulatedInstant, SIMULATED_TIME_RANGE } from '../core/simulated-time';
import { localInstant } from '../payouts/payout-dates';
import { readDuration } from './duration';
import { instant } from './read-request';

const MINUTES_MAX = 5_256_000; // ten years
const DAYS_MAX = 3_660;
const LOCAL_TIME = [11, 16] as const;

const target = z.strictObject({
  to: instant.optional(),
  by: z.string().optional(),
  minutes: z.int().min(0).max(MINUTES_MAX).optional(),
  days: z.int().min(0).max(DAYS_MAX).optional(),
  workingDays: z.int().min(0).max(DAYS_MAX).optional(),
});

/** How far to move the time; exactly one field is set. */
export const timeTarget = target.refine(
  (given) => Object.values(given).filter((value) => value !== undefined).length === 1,
  'expected one of to, by, minutes, days, workingDays',
);

export type TimeTarget = z.output<typeof target>;

interface Calendars {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
}

/**
 * Returns the instant of the target, relative to `now`. Days keep the local time of day, in minutes.
 *
 * @throws AppError `bad_input` for an unreadable duration, or an instant outside the calendars.
 */
export function instantOf(given: TimeTarget, now: Instant, { calendar, workingDays }: Calendars): Instant {
  const to = meant();
  if (!isSimulatedInstant(to)) {
    throw new AppError('bad_input', { field: 'time', expected: `an instant ${SIMULATED_TIME_RANGE}` });
  }
  return to;

  function meant(): Instant {
    const today = calendar.dateOf(now);
    if (given.to !== undefined) return given.to;
    if (given.by !== undefined) return now + readDuration(given.by);
    if (given.minutes !== undefined) return now + given.minutes * MINUTE_MS;
    if (given.days !== undefined && given.days > 0) return sameTimeOn(addDays(today, given.days));
    if (given.workingDays !== undefined && given.workingDays > 0) {
      return sameTimeOn(workingDays.add(today, given.workingDays));
    }
    return now;
  }

  function sameTimeOn(day: ReturnType<BusinessCalendar['dateOf']>): Instant {
    return localInstant(calendar, day, calendar.formatLocal(now).slice(...LOCAL_TIME));
  }
}
