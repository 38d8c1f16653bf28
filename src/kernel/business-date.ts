import { assert } from './assert';
import type { Instant } from './clock';
import { DAY_MS, SECOND_MS } from './durations';

declare const businessDateBrand: unique symbol;

/** A calendar day in the business time zone, as `YYYY-MM-DD`. `<` orders days, because it orders their texts. */
export type BusinessDate = string & { readonly [businessDateBrand]: true };

// A day outside this range is a typing error, and the calendars of databases and of JavaScript are limited.
const FIRST_DAY = '1970-01-01';
const LAST_DAY = '2199-12-31';

/** Reads `YYYY-MM-DD` from 1970 to 2199 and refuses days that do not exist, such as 2026-02-30. */
export function parseBusinessDate(text: string): BusinessDate | undefined {
  return text >= FIRST_DAY && text <= LAST_DAY && exists(text) ? text : undefined;
}

/** Brands a day, which may be computed and then beside those that Millime reads. Any other text is a bug of the caller. */
export function businessDate(text: string): BusinessDate {
  assert(exists(text), `not a date: ${text}`);
  return text;
}

function exists(text: string): text is BusinessDate {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().slice(0, 10) === text;
}

/** Converts between instants and the days of a time zone. */
export interface BusinessCalendar {
  readonly timeZone: string;
  /** Returns the day of an instant. */
  dateOf(instant: Instant): BusinessDate;
  /** Returns the first instant of a day. The day ends where the next one starts (half-open). */
  startOf(date: BusinessDate): Instant;
  /** Formats an instant for people: `2026-03-02 17:04:59`. */
  formatLocal(instant: Instant): string;
}

/**
 * Creates the calendar of an IANA time zone such as `Africa/Tunis`.
 *
 * @throws RangeError for an unknown zone.
 */
export function businessCalendar(timeZone: string): BusinessCalendar {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const local = (instant: Instant): string => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return `${part['year']}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']}:${part['second']}`;
  };
  const dateOf = (instant: Instant): BusinessDate => businessDate(local(instant).slice(0, 10));
  const offsetAt = (instant: Instant): number =>
    Date.parse(`${local(instant).replace(' ', 'T')}Z`) - Math.floor(instant / SECOND_MS) * SECOND_MS;
  return {
    timeZone,
    dateOf,
    startOf(date) {
      const asUtc = Date.parse(`${date}T00:00:00Z`);
      // The offset is computed twice: near a clock change the first guess may have the offset of the other side.
      const guess = asUtc - offsetAt(asUtc);
      const start = asUtc - offsetAt(guess);
      // A day that the zone left out begins where the next one does.
      return local(start) < date ? guess : start;
    },
    formatLocal: local,
  };
}

/** Returns the day `count` days later; earlier for a negative count. */
export function addDays(date: BusinessDate, count: number): BusinessDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10) as BusinessDate;
}

/** Returns 0 for Sunday to 6 for Saturday. */
export function dayOfWeek(date: BusinessDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}
