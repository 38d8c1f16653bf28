import { addDays, type BusinessDate, dayOfWeek } from './business-date';
import { DAY_MS } from './durations';

const SATURDAY = 6;
const SUNDAY = 0;

/**
 * The working days of banks and the gateway: all days except Saturdays, Sundays and the given holidays. Pure: the
 * holidays are data.
 */
export class WorkingDays {
  readonly #holidays: ReadonlySet<BusinessDate>;

  constructor(holidays: Iterable<BusinessDate>) {
    this.#holidays = new Set(holidays);
  }

  isWorkingDay(date: BusinessDate): boolean {
    return !isWeekend(date) && !this.#holidays.has(date);
  }

  /** Returns the day itself if it is a working day, otherwise the first one after it. */
  onOrAfter(date: BusinessDate): BusinessDate {
    let day = date;
    while (!this.isWorkingDay(day)) day = addDays(day, 1);
    return day;
  }

  /** Returns the `count`-th working day after `date`; for `count` 0 it returns `date` itself, working day or not. */
  add(date: BusinessDate, count: number): BusinessDate {
    let day = date;
    for (let left = count; left > 0; left -= 1) day = this.onOrAfter(addDays(day, 1));
    return day;
  }

  /** Counts the working days after `from` through `to`; 0 when `to` is not later. */
  countBetween(from: BusinessDate, to: BusinessDate): number {
    if (to <= from) return 0;
    const weeks = Math.floor(daysBetween(from, to) / 7);
    let count = weeks * 5 - this.#holidaysInWeeks(from, addDays(from, weeks * 7));
    for (let day = addDays(from, weeks * 7 + 1); day <= to; day = addDays(day, 1)) {
      if (this.isWorkingDay(day)) count += 1;
    }
    return count;
  }

  /** Counts the holidays after `from` through `to` that are not on a weekend. */
  #holidaysInWeeks(from: BusinessDate, to: BusinessDate): number {
    let count = 0;
    for (const day of this.#holidays) if (day > from && day <= to && !isWeekend(day)) count += 1;
    return count;
  }
}

function isWeekend(date: BusinessDate): boolean {
  const day = dayOfWeek(date);
  return day === SATURDAY || day === SUNDAY;
}

function daysBetween(from: BusinessDate, to: BusinessDate): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
