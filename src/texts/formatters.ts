import { DAY_MS, formatDinars, formatProbability, formatRate, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel';
import type { Language } from './language';

/** How a day is written: `09/03/2026`, `09/03`, `lundi 9 mars 2026`, `mars 2026`, `lundi` or `L`. */
export type DateStyle = 'short' | 'day' | 'long' | 'month' | 'weekday' | 'initial';

/** Writes values for people. Amounts, counts and rates have the same digits and signs in every language. */
export interface Formatters {
  /** An amount in millimes, or a total as JSON has it: `1 234,567 DT`, never broken over lines. */
  money(millimes: number | bigint | string): string;
  /** `1 234 567`. */
  count(value: number | bigint): string;
  /** A rate: 15000 is `1,5 %`. */
  percent(ppm: number): string;
  /** A probability from 0 to 1, rounded up to a part per million. */
  probability(value: number): string;
  /** A day as `YYYY-MM-DD`. */
  date(day: string, style?: DateStyle): string;
  /** An instant, as ISO 8601 or in milliseconds, in the business time zone: `09/03/2026 10:05`; `day` has no year. */
  instant(value: string | number, style?: 'short' | 'day'): string;
  /** The time of an instant in the business time zone: `10:05`. */
  time(value: string | number): string;
  /** A duration in its largest unit, never broken over lines: `3 minutes`. */
  duration(ms: number): string;
  /** How long ago that was: `il y a 3 minutes`. */
  ago(ms: number): string;
  /** Several things in a sentence: `a, b et c`. */
  list(things: readonly string[]): string;
}

const LOCALES: Readonly<Record<Language, string>> = { fr: 'fr-TN', en: 'en-GB', ar: 'ar-TN-u-nu-latn' };
const NO_BREAK_SPACE = '\u00a0';
const LEFT_TO_RIGHT_MARK = '\u200e';
/** `Intl` writes it between the numbers of Arabic dates, whose order then depends on the text around them. */
const RIGHT_TO_LEFT_MARK = /\u200f/g;

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { day: '2-digit', month: '2-digit' } as const;
const DATE_STYLES = {
  short: { ...DAY, year: 'numeric' },
  day: DAY,
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'long' },
  initial: { weekday: 'narrow' },
} as const satisfies Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>>;

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

/** Creates the formatters of a language; instants are shown in the time zone. */
export function createFormatters(language: Language, timeZone: string): Formatters {
  const locale = LOCALES[language];
  const dateFormat = (zone: string, options: Intl.DateTimeFormatOptions): ((ms: number) => string) => {
    const format = lazily(() => new Intl.DateTimeFormat(locale, { calendar: 'gregory', timeZone: zone, ...options }));
    return (ms) => format().format(ms).replace(RIGHT_TO_LEFT_MARK, '');
  };
  const dates = {
    short: dateFormat('UTC', DATE_STYLES.short),
    day: dateFormat('UTC', DATE_STYLES.day),
    long: dateFormat('UTC', DATE_STYLES.long),
    month: dateFormat('UTC', DATE_STYLES.month),
    weekday: dateFormat('UTC', DATE_STYLES.weekday),
    initial: dateFormat('UTC', DATE_STYLES.initial),
  };
  const localDates = { short: dateFormat(timeZone, DATE_STYLES.short), day: dateFormat(timeZone, DATE_STYLES.day) };
  const localTime = dateFormat(timeZone, TIME);
  const units = new Map(UNITS.map(([unit]) => [unit, lazily(() => unitFormat(locale, unit))]));
  const listed = lazily(() => new Intl.ListFormat(locale, { type: 'conjunction' }));
  const relative = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }));
  return {
    money: (value) => moneyText(BigInt(value), language),
    count: (value) => formatCount(value, language),
    percent: (ppm) => unbroken(formatRate(ppm)),
    probability: (value) => unbroken(formatProbability(value)),
    date: (day, style = 'short') => dates[style](Date.parse(`${day}T00:00:00Z`)),
    instant: (value, style = 'short') => `${localDates[style](msOf(value))} ${localTime(msOf(value))}`,
    time: (value) => localTime(msOf(value)),
    duration(ms) {
      const [unit, number] = inLargestUnit(ms);
      return unbroken(units.get(unit)?.().format(number) ?? '');
    },
    ago(ms) {
      const [unit, number] = inLargestUnit(ms);
      return relative().format(-number, unit);
    },
    list: (things) => listed().format(things),
  };
}

/** Formats a count for people: `1 234 567`. */
export function formatCount(value: number | bigint, language: Language): string {
  return signed(String(value).replace(/\B(?=(?:\d{3}){1,10}$)/g, NO_BREAK_SPACE), language);
}

type Unit = (typeof UNITS)[number][0];

function unitFormat(locale: string, unit: Unit): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', useGrouping: false });
}

/** Returns a duration in the largest unit of which it has at least one, rounded down. */
function inLargestUnit(ms: number): [Unit, number] {
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? (['second', SECOND_MS] as const);
  return [unit, Math.max(0, Math.floor(ms / size))];
}

function moneyText(millimes: bigint, language: Language): string {
  const text = formatDinars(millimes);
  return signed(unbroken(language === 'ar' ? text.replace(/DT$/, 'د.ت') : text), language);
}

/** In Arabic a minus would move behind its number without the mark. */
function signed(text: string, language: Language): string {
  return language === 'ar' && text.startsWith('-') ? `${LEFT_TO_RIGHT_MARK}${text}` : text;
}

const unbroken = (text: string): string => text.replaceAll(' ', NO_BREAK_SPACE);

const msOf = (value: string | number): number => (typeof value === 'number' ? value : Date.parse(value));

function lazily<T extends object>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}
