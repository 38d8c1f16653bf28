import {
  addDays,
  type BusinessCalendar,
  type BusinessDate,
  DAY_MS,
  type Instant,
  type WorkingDays,
} from '../../kernel';

interface LocalDay {
  readonly date: BusinessDate;
  readonly next: BusinessDate;
  readonly end: Instant;
}

/**
 * A calendar for millions of items that computes each day once. Converting every instant by the time zone would take
 * longer than the whole inference.
 */
export class DayTable {
  readonly #calendar: BusinessCalendar;
  readonly #workingDays: WorkingDays;
  readonly #byUtcDay = new Map<number, LocalDay>();
  readonly #byDate = new Map<BusinessDate, LocalDay>();
  readonly #onOrAfter = new Map<BusinessDate, BusinessDate>();
  readonly #added = new Map<number, Map<BusinessDate, BusinessDate>>();

  constructor(calendar: BusinessCalendar, workingDays: WorkingDays) {
    this.#calendar = calendar;
    this.#workingDays = workingDays;
  }

  /** Returns the business day of an instant. */
  dateOf(instant: Instant): BusinessDate {
    const utcDay = Math.floor(instant / DAY_MS);
    let day = this.#byUtcDay.get(utcDay);
    if (day === undefined) {
      day = this.#local(this.#calendar.dateOf(utcDay * DAY_MS));
      this.#byUtcDay.set(utcDay, day);
    }
    while (instant >= day.end) day = this.#local(day.next);
    return day.date;
  }

  next(date: BusinessDate): BusinessDate {
    return this.#local(date).next;
  }

  /** Returns the day itself if it is a working day, otherwise the next working day. */
  onOrAfter(date: BusinessDate): BusinessDate {
    let day = this.#onOrAfter.get(date);
    if (day === undefined) this.#onOrAfter.set(date, (day = this.#workingDays.onOrAfter(date)));
    return day;
  }

  /** Returns the `count`-th working day after `date`. */
  add(date: BusinessDate, count: number): BusinessDate {
    let added = this.#added.get(count);
    if (added === undefined) this.#added.set(count, (added = new Map<BusinessDate, BusinessDate>()));
    let day = added.get(date);
    if (day === undefined) added.set(date, (day = this.#workingDays.add(date, count)));
    return day;
  }

  /** Returns the number of working days after `from` through `to`. */
  countBetween(from: BusinessDate, to: BusinessDate): number {
    return this.#workingDays.countBetween(from, to);
  }

  /**
   * Returns the latest day that is more than `count` working days before `horizon`. Anything that began on it or
   * earlier is older.
   */
  latestOlderThan(count: number, horizon: BusinessDate): BusinessDate {
    let day = horizon;
    for (let passed = 0; passed <= count; day = addDays(day, -1)) if (this.#workingDays.isWorkingDay(day)) passed += 1;
    return day;
  }

  #local(date: BusinessDate): LocalDay {
    let day = this.#byDate.get(date);
    if (day === undefined) {
      const next = addDays(date, 1);
      day = { date, next, end: this.#calendar.startOf(next) };
      this.#byDate.set(date, day);
    }
    return day;
  }
}
