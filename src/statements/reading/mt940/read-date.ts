import { type BusinessDate, parseBusinessDate } from '../../../kernel';

/** SWIFT's own rule: the years 80 to 99 are of the last century. */
const LAST_CENTURY_FROM = 80;

/** A date, and whether the file names a day of February that the year does not have. */
export interface ReadDate {
  readonly date: BusinessDate;
  readonly lateFebruary: boolean;
}

/**
 * Reads YYMMDD. Returns undefined for a day that does not exist, except 29 and 30 February of banks whose months have
 * 30 days.
 */
export function readDate(digits: string): ReadDate | undefined {
  const year = Number(digits.slice(0, 2));
  return dayOf(year + (year >= LAST_CENTURY_FROM ? 1900 : 2000), digits.slice(2));
}

/** Reads the MMDD of a booking. It has no year, so the day nearest to the value date is used. */
export function readEntryDate(digits: string, valueDate: BusinessDate): ReadDate | undefined {
  const ahead = dayInYear(digits) - dayInYear(valueDate.slice(5, 7) + valueDate.slice(8));
  const yearsAhead = ahead > DAYS_OF_A_YEAR / 2 ? -1 : ahead < -DAYS_OF_A_YEAR / 2 ? 1 : 0;
  return dayOf(Number(valueDate.slice(0, 4)) + yearsAhead, digits);
}

/** With 31 days in each month: exact enough to distinguish the last December from the next one. */
const DAYS_OF_A_YEAR = 12 * 31;

function dayInYear(monthAndDay: string): number {
  return Number(monthAndDay.slice(0, 2)) * 31 + Number(monthAndDay.slice(2));
}

function dayOf(year: number, monthAndDay: string): ReadDate | undefined {
  const month = monthAndDay.slice(0, 2);
  const day = monthAndDay.slice(2);
  const date = parseBusinessDate(`${year}-${month}-${day}`);
  if (date !== undefined) return { date, lateFebruary: false };
  if (month !== '02' || (day !== '29' && day !== '30')) return undefined;
  const last = parseBusinessDate(`${year}-02-29`) ?? parseBusinessDate(`${year}-02-28`);
  return last === undefined ? undefined : { date: last, lateFebruary: true };
}
