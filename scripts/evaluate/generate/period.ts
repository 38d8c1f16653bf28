import {
  addDays,
  assert,
  type BusinessCalendar,
  businessCalendar,
  type BusinessDate,
  businessDate,
  dayOfWeek,
  type Instant,
  MINUTE_MS,
  WorkingDays,
} from '../../../src/kernel';
import type { SeededRandom } from '../../../src/simulator';

const TIME_ZONE = 'Africa/Tunis';
const EARLIEST_START = businessDate('2026-01-05');
const START_DAYS_MAX = 200;
const HOLIDAYS_MAX = 3;
/** The number of days after the files: card money of the last day, and lines after the end, need later dates. */
const DAYS_BEHIND = 40;
/** The first days of every world are plain, so that none begins with a day off by chance. */
const PLAIN_DAYS = 3;

export interface PeriodDay {
  readonly date: BusinessDate;
  readonly startAt: Instant;
  readonly isWorkingDay: boolean;
}

/** The days of a world. Business may begin before the files. */
export interface Period {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly holidays: readonly BusinessDate[];
  /** Every day with business, including those before the files. */
  readonly days: readonly PeriodDay[];
  /** The first instant of the files. */
  readonly filesFrom: Instant;
  /** The first instant after the files. */
  readonly filesUntil: Instant;
  readonly lastDay: BusinessDate;
  /** Returns the day of an instant. It is faster than the calendar, which reads the time zone each time. */
  readonly dateOf: (instant: Instant) => BusinessDate;
  readonly at: (date: BusinessDate, minuteOfDay: number) => Instant;
}

export function makePeriod(
  random: SeededRandom,
  { days, daysBefore }: { readonly days: number; readonly daysBefore: number },
): Period {
  const calendar = businessCalendar(TIME_ZONE);
  const firstDay = addDays(EARLIEST_START, random.int(0, START_DAYS_MAX));
  const holidays = pickHolidays(random, firstDay, days);
  const workingDays = new WorkingDays(holidays);
  const all = Array.from({ length: daysBefore + days + DAYS_BEHIND }, (_, index): PeriodDay => {
    const date = addDays(firstDay, index - daysBefore);
    return { date, startAt: calendar.startOf(date), isWorkingDay: workingDays.isWorkingDay(date) };
  });
  const starts = new Map(all.map(({ date, startAt }) => [date, startAt]));
  return {
    calendar,
    workingDays,
    holidays,
    days: all.slice(0, daysBefore + days),
    filesFrom: calendar.startOf(firstDay),
    filesUntil: calendar.startOf(addDays(firstDay, days)),
    lastDay: addDays(firstDay, days - 1),
    dateOf: (instant) => dayOf(all, instant).date,
    at: (date, minuteOfDay) => (starts.get(date) ?? calendar.startOf(date)) + minuteOfDay * MINUTE_MS,
  };
}

function pickHolidays(random: SeededRandom, firstDay: BusinessDate, days: number): BusinessDate[] {
  const wanted = random.int(1, HOLIDAYS_MAX);
  const weekdays = Array.from({ length: days }, (_, index) => addDays(firstDay, index))
    .slice(PLAIN_DAYS)
    .filter((date) => dayOfWeek(date) % 6 !== 0);
  return weekdays
    .map((date) => ({ date, rank: random.int(0, 1_000_000) }))
    .sort((a, b) => a.rank - b.rank || (a.date < b.date ? -1 : 1))
    .slice(0, wanted)
    .map(({ date }) => date)
    .sort();
}

function dayOf(days: readonly PeriodDay[], instant: Instant): PeriodDay {
  let [low, high] = [0, days.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((days[middle]?.startAt ?? Infinity) <= instant) low = middle;
    else high = middle - 1;
  }
  const day = days[low];
  assert(day !== undefined && day.startAt <= instant, 'an instant of the period');
  return day;
}
