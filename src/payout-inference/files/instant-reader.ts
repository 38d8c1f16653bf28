import { DAY_MS, hasBusinessDay, HOUR_MS, type Instant, MINUTE_MS, parseInstant, SECOND_MS } from '../../kernel';

const ZERO = 0x30;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const COLON = 0x3a;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

// The offsets of the parts of `2026-03-02T09:00`.
const MONTH_AT = 5;
const DAY_AT = 8;
const HOUR_AT = 11;
const MINUTE_AT = 14;
const MINUTE_END = 16;
/** The length of `+01:00`. */
const OFFSET_CHARACTERS = 6;
/** Longer than any valid instant. */
const CHARACTERS_MAX = 40;

/** The kernel judges larger offsets. */
const OFFSET_HOURS_MAX = 14;

/** The days from March of the year 0 to 1970-01-01. */
const DAYS_BEFORE_1970 = 719_468;

/**
 * Reads instants from bytes, digit by digit, with the result of `parseInstant` of the kernel. It reads millions of
 * instants, most of them on the day of the previous one.
 */
export class InstantReader {
  #yearMonthDay = 0;
  #dayMs = 0;

  /**
   * Returns undefined for text that is not an instant with an offset, for a day that does not exist, and outside 1970
   * to 2199.
   */
  read(bytes: Buffer, start: number, end: number): Instant | undefined {
    const instant = this.#readDigits(bytes, start, end) ?? readUnusual(bytes, start, end);
    return instant !== undefined && hasBusinessDay(instant) ? instant : undefined;
  }

  #readDigits(bytes: Buffer, start: number, end: number): number | undefined {
    if (end - start <= MINUTE_END || bytes[start + MINUTE_AT - 1] !== COLON) return undefined;
    if (bytes[start + HOUR_AT - 1] !== LETTER_T || bytes[start + DAY_AT - 1] !== MINUS) return undefined;
    if (bytes[start + MONTH_AT - 1] !== MINUS) return undefined;
    const dayMs = this.#readDay(bytes, start);
    const hour = twoDigits(bytes, start + HOUR_AT, 23);
    const minute = twoDigits(bytes, start + MINUTE_AT, 59);
    let at = start + MINUTE_END;
    let ms = 0;
    if (bytes[at] === COLON) {
      ms = twoDigits(bytes, at + 1, 59) * SECOND_MS;
      at += 3;
      if (bytes[at] === POINT) {
        ms += digit(bytes, at + 1) * 100 + twoDigits(bytes, at + 2, 99);
        at += 4;
      }
    }
    const instant = dayMs + hour * HOUR_MS + minute * MINUTE_MS + ms - offsetMs(bytes, at, end);
    return Number.isNaN(instant) ? undefined : instant;
  }

  #readDay(bytes: Buffer, start: number): number {
    const year = twoDigits(bytes, start, 99) * 100 + twoDigits(bytes, start + 2, 99);
    const month = twoDigits(bytes, start + MONTH_AT, 12);
    const day = twoDigits(bytes, start + DAY_AT, 31);
    const yearMonthDay = (year * 100 + month) * 100 + day;
    if (yearMonthDay === this.#yearMonthDay) return this.#dayMs;
    if (!(month >= 1 && day >= 1 && day <= daysOfMonth(year, month))) return Number.NaN;
    this.#yearMonthDay = yearMonthDay;
    this.#dayMs = daysOf(year, month, day) * DAY_MS;
    return this.#dayMs;
  }
}

/** Reads other forms, such as an offset without a colon. They are rare, and the kernel knows them. */
function readUnusual(bytes: Buffer, start: number, end: number): Instant | undefined {
  return end - start > CHARACTERS_MAX ? undefined : parseInstant(bytes.toString('latin1', start, end));
}

/** Reads `Z` or `+01:00` at the end. Returns NaN for anything else, which makes every sum NaN. */
function offsetMs(bytes: Buffer, at: number, end: number): number {
  const sign = bytes[at];
  if (sign === LETTER_Z) return at + 1 === end ? 0 : Number.NaN;
  if ((sign !== PLUS && sign !== MINUS) || at + OFFSET_CHARACTERS !== end || bytes[at + 3] !== COLON) return Number.NaN;
  const ms = twoDigits(bytes, at + 1, OFFSET_HOURS_MAX) * HOUR_MS + twoDigits(bytes, at + 4, 59) * MINUTE_MS;
  return sign === PLUS ? ms : -ms;
}

/** Returns NaN for anything but two digits up to `most`. */
function twoDigits(bytes: Buffer, at: number, most: number): number {
  const value = digit(bytes, at) * 10 + digit(bytes, at + 1);
  return value <= most ? value : Number.NaN;
}

function digit(bytes: Buffer, at: number): number {
  const value = (bytes[at] ?? 0) - ZERO;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/**
 * Returns the days since 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the leap day is the
 * last.
 */
function daysOf(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const monthsSinceMarch = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const dayOfYear = Math.floor((153 * monthsSinceMarch + 2) / 5) + day - 1;
  return marchYear * 365 + leapDays + dayOfYear - DAYS_BEFORE_1970;
}
