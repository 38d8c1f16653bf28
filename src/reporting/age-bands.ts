import { addDays, type BusinessDate, type WorkingDays } from '../kernel';

/** How old a difference or an unpaid item is, in working days. */
export const AGE_BANDS = ['0-1', '2-5', '6-10', '11-30', 'over 30'] as const;
export type AgeBand = (typeof AGE_BANDS)[number];

const BAND_DAYS_MAX = [1, 5, 10, 30] as const;
/** Holidays in a row that nobody has: the search for a first day ends. */
const CALENDAR_DAYS_MAX = 4_000;

/** The first day of each band but the last, the youngest band first: a later day is of a younger band. Pure. */
export function bandStarts(agedThrough: BusinessDate, workingDays: WorkingDays): BusinessDate[] {
  return BAND_DAYS_MAX.map((days) => firstDayWithin(days, agedThrough, workingDays));
}

/** The earliest day that is at most so many working days old. Pure. */
export function firstDayWithin(days: number, agedThrough: BusinessDate, workingDays: WorkingDays): BusinessDate {
  let day = agedThrough;
  let age = 0;
  for (let steps = 0; steps < CALENDAR_DAYS_MAX; steps += 1) {
    // The day before is older by this day, where it is a working day.
    age += workingDays.isWorkingDay(day) ? 1 : 0;
    if (age > days) return day;
    day = addDays(day, -1);
  }
  return day;
}

export function bandOf(index: number): AgeBand {
  return AGE_BANDS[index] ?? 'over 30';
}
