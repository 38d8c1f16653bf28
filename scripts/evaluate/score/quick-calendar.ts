import { businessCalendar, type BusinessDate, type Instant, MINUTE_MS } from '../../../src/kernel';
import { TIME_ZONE } from './answer-question';

/** No day begins inside a quarter of an hour, in any time zone. */
const QUARTER_MS = 15 * MINUTE_MS;

/** Returns the business calendar with a cache, because the calendar is slow and every item needs it. */
export function quickCalendar(): {
  dateOf: (instant: Instant) => BusinessDate;
  startOf: (date: BusinessDate) => Instant;
} {
  const calendar = businessCalendar(TIME_ZONE);
  const dates = new Map<number, BusinessDate>();
  const starts = new Map<BusinessDate, Instant>();
  return {
    dateOf: (instant) => remembered(dates, Math.floor(instant / QUARTER_MS), () => calendar.dateOf(instant)),
    startOf: (date) => remembered(starts, date, () => calendar.startOf(date)),
  };
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = find();
  known.set(key, value);
  return value;
}
