import { addDays, type BusinessDate, type WorkingDays } from '../kernel';

/** The age of a break or an unpaid item, in working days. */
export const AGE_BANDS = ['0-1', '2-5', '6-10', '11-30', 'over 30'] as const;
export type AgeBand = (typeof AGE_BANDS)[number];

const BAND_DAYS_MAX = [1, 5, 10, 30] as const;
/** More consecutive holidays than any calendar has: ends the search for a first day. */
const CALENDAR_DAYS_MAX = 4_000;

/** Returns the first day of each band except the last, youngest band first. Pure. */
export function bandStarts(agedThrough: BusinessDate, workingDays: WorkingDays): BusinessDate[] {
  return BAND_DAYS_MAX.map((days) => firstDayWithin(days, agedThrough, workingDays));
}

/** Returns the earliest day that is at most the given number of working days old. Pure. */
export function firstDayWithin(days: number, agedThrough: BusinessDate, workingDays: WorkingDays): BusinessDate {
  let day = agedThrough;
  let age = 0;
  for (let steps = 0; steps < CALENDAR_DAYS_MAX; steps += 1) {
    // A working day makes the day before it one day older.
    age += workingDays.isWorkingDay(day) ? 1 : 0;
    if (age > days) return day;
    day = addDays(day, -1);
  }
  return day;
}

export function bandOf(index: number): AgeBand {
  return AGE_BANDS[index] ?? 'over 30';
}
