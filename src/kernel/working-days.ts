import { addDays, type BusinessDate, dayOfWeek } from './business-date';

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
    const day = dayOfWeek(date);
    return day !== SATURDAY && day !== SUNDAY && !this.#holidays.has(date);
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
    let count = 0;
    for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) if (this.isWorkingDay(day)) count += 1;
    return count;
  }
}
