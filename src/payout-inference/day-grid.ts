import {
  addDays,
  assert,
  type BusinessCalendar,
  type BusinessDate,
  DAY_MS,
  dayOfWeek,
  type Instant,
  type WorkingDays,
} from '../kernel';
import { at, elementAt } from './at';

/** The number of days before the first and after the last day of the file on which a cut or a booking may lie. */
const DAYS_AROUND = 40;
/** Dates are between 1970 and 2199. */
const DAYS_MAX = 90_000;

/** The days of a file as numbers, so that a million instants are converted without a million calendar reads. */
export interface DayGrid {
  readonly days: number;
  /** The first instant of each day `d`, with one extra entry at the end. */
  readonly startAt: Float64Array;
  readonly isWorking: Uint8Array;
  /** By day: Saturday is 6 and Sunday is 0. */
  readonly weekday: Uint8Array;
  dayOf(instant: Instant): number;
  dayOfDate(date: BusinessDate): number;
  dateOf(day: number): BusinessDate;
  /** Returns the day itself if banks work, otherwise the next working day. */
  workingOnOrAfter(day: number): number;
  /** Returns the working day after a day. */
  nextWorking(day: number): number;
  /** Returns the `count`-th working day before a day. */
  workingBefore(day: number, count: number): number;
  /**
   * Returns the working days from a cut on `cutDay` to a booking: 0 on the same (or the next working) day, negative if
   * the booking is earlier.
   */
  lag(cutDay: number, bookingDay: number): number;
}

export interface DayGridRequest {
  readonly from: BusinessDate;
  readonly to: BusinessDate;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
}

export function dayGrid(request: DayGridRequest): DayGrid {
  const dates = datesAround(request.from, request.to);
  const days = dates.length;
  const numberOf = new Map(dates.map((date, day) => [date, day]));
  const { startAt, isWorking, weekday, workingBefore: before, onOrAfter } = dayTables(dates, request);
  const start0 = at(startAt, 0);
  const clamp = (day: number): number => Math.max(0, Math.min(days - 1, day));

  return {
    days,
    startAt,
    isWorking,
    weekday,
    dayOf(instant) {
      let day = clamp(Math.floor((instant - start0) / DAY_MS));
      while (day > 0 && at(startAt, day) > instant) day -= 1;
      while (day < days - 1 && at(startAt, day + 1) <= instant) day += 1;
      return day;
    },
    dayOfDate(date) {
      const day = numberOf.get(date);
      assert(day !== undefined, 'a date outside the grid');
      return day;
    },
    dateOf(day) {
      const date = dates[clamp(day)];
      assert(date !== undefined, 'a day outside the grid');
      return date;
    },
    workingOnOrAfter: (day) => at(onOrAfter, clamp(day)),
    nextWorking: (day) => at(onOrAfter, clamp(day + 1)),
    workingBefore(day, count) {
      let found = clamp(day);
      for (let left = count; left > 0 && found > 0;) {
        found -= 1;
        if (isWorking[found] === 1) left -= 1;
      }
      return found;
    },
    lag(cutDay, bookingDay) {
      if (bookingDay < cutDay) return -1;
      const counted = at(before, bookingDay + 1) - at(before, at(onOrAfter, clamp(cutDay)) + 1);
      return Math.max(0, counted);
    },
  };
}

function datesAround(from: BusinessDate, to: BusinessDate): BusinessDate[] {
  const dates: BusinessDate[] = [];
  const last = addDays(to, DAYS_AROUND);
  for (let date = addDays(from, -DAYS_AROUND); date <= last; date = addDays(date, 1)) {
    assert(dates.length < DAYS_MAX, 'a file spans no more days than there may be');
    dates.push(date);
  }
  return dates;
}

interface DayTables extends Pick<DayGrid, 'startAt' | 'isWorking' | 'weekday'> {
  /** The number of working days before each day `d`, with one extra entry at the end. */
  readonly workingBefore: Int32Array;
  /** The first working day from each day `d` on; the last day if none follows. */
  readonly onOrAfter: Int32Array;
}

function dayTables(
  dates: readonly BusinessDate[],
  { calendar, workingDays }: Pick<DayGridRequest, 'calendar' | 'workingDays'>,
): DayTables {
  const days = dates.length;
  const startAt = new Float64Array(days + 1);
  const isWorking = new Uint8Array(days);
  const weekday = new Uint8Array(days);
  const workingBefore = new Int32Array(days + 1);
  dates.forEach((date, day) => {
    startAt[day] = calendar.startOf(date);
    isWorking[day] = workingDays.isWorkingDay(date) ? 1 : 0;
    weekday[day] = dayOfWeek(date);
    workingBefore[day + 1] = at(workingBefore, day) + at(isWorking, day);
  });
  startAt[days] = calendar.startOf(addDays(elementAt(dates, days - 1), 1));
  const onOrAfter = new Int32Array(days);
  for (let day = days - 1; day >= 0; day -= 1) {
    onOrAfter[day] = isWorking[day] === 1 || day === days - 1 ? day : at(onOrAfter, day + 1);
  }
  return { startAt, isWorking, weekday, workingBefore, onOrAfter };
}
