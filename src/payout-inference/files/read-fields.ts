import {
  type BusinessDate,
  type Instant,
  type Millimes,
  millimes,
  outsideIdFault,
  parseBusinessDate,
  parseInstant,
} from '../../kernel';
import type { CsvRows } from './csv-rows';

// The days up to 28 exist in every month, and these years in the calendar: `parseInstant` would take four times as long
// for the same result.
const USUAL_INSTANT =
  /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?(?:Z|[+-]0\d:[0-5]\d)$/;

/** Returns whether the field is an identifier, and notes a fault if it is not. */
export function checkId(rows: CsvRows, column: number): boolean {
  const fault = outsideIdFault(rows.text(column));
  if (fault !== undefined) rows.fault(column, fault);
  return fault === undefined;
}

/** Returns an amount of millimes other than 0; undefined after noting a fault. */
export function readAmount(rows: CsvRows, column: number): Millimes | undefined {
  const text = rows.text(column);
  const value = /^-?[1-9]\d*$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return millimes(value);
  if (/^-?0+$/.test(text)) rows.fault(column, 'is 0');
  else rows.fault(column, 'must be a whole number of millimes below 2^53, as digits with a minus at most');
  return undefined;
}

/** Returns an instant; undefined after noting a fault. */
export function readInstant(rows: CsvRows, column: number): Instant | undefined {
  const text = rows.text(column);
  if (USUAL_INSTANT.test(text)) return Date.parse(text);
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  rows.fault(column, 'must be an instant from 1970 to 2199 such as 2026-03-02T09:00:00+01:00, with its offset');
  return undefined;
}

/** Returns a day; undefined after noting a fault. */
export function readDay(rows: CsvRows, column: number): BusinessDate | undefined {
  const day = parseBusinessDate(rows.text(column));
  if (day === undefined) rows.fault(column, 'must be a day from 1970 to 2199 as YYYY-MM-DD');
  return day;
}
