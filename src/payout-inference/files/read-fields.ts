import {
  type BusinessDate,
  type Instant,
  type Millimes,
  millimes,
  outsideIdFault,
  parseBusinessDate,
} from '../../kernel';
import type { CsvRows } from './csv-rows';
import type { InstantReader } from './instant-reader';

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const FIRST_VISIBLE = 0x21;
const LAST_VISIBLE = 0x7e;
/** Visible ASCII up to this length is a valid identifier without further checks. */
const PLAIN_ID_BYTES_MAX = 255;
/** The number of digits of 2^53. */
const AMOUNT_DIGITS_MAX = 16;

/** Returns whether the field is an identifier, and notes a fault if it is not. */
export function checkId(rows: CsvRows, column: number): boolean {
  if (isPlain(rows.bytes, rows.start(column), rows.end(column))) return true;
  const fault = outsideIdFault(rows.text(column));
  if (fault !== undefined) rows.fault(column, fault);
  return fault === undefined;
}

/** Returns an amount of millimes other than 0; undefined after noting a fault. */
export function readAmount(rows: CsvRows, column: number): Millimes | undefined {
  const { bytes } = rows;
  const end = rows.end(column);
  const isNegative = bytes[rows.start(column)] === MINUS;
  const start = rows.start(column) + (isNegative ? 1 : 0);
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    value = byte < ZERO || byte > NINE ? Number.NaN : value * 10 + (byte - ZERO);
  }
  const isWritten = end > start && end - start <= AMOUNT_DIGITS_MAX && bytes[start] !== ZERO;
  if (isWritten && Number.isSafeInteger(value)) return millimes(isNegative ? -value : value);
  if (value === 0 && end > start) rows.fault(column, 'is 0');
  else rows.fault(column, 'must be a whole number of millimes below 2^53, as digits with a minus at most');
  return undefined;
}

/** Returns an instant; undefined after noting a fault. */
export function readInstant(rows: CsvRows, column: number, instants: InstantReader): Instant | undefined {
  const instant = instants.read(rows.bytes, rows.start(column), rows.end(column));
  if (instant === undefined) {
    rows.fault(column, 'must be an instant from 1970 to 2199 such as 2026-03-02T09:00:00+01:00, with its offset');
  }
  return instant;
}

/** Returns a day; undefined after noting a fault. */
export function readDay(rows: CsvRows, column: number): BusinessDate | undefined {
  const day = parseBusinessDate(rows.text(column));
  if (day === undefined) rows.fault(column, 'must be a day from 1970 to 2199 as YYYY-MM-DD');
  return day;
}

function isPlain(bytes: Buffer, start: number, end: number): boolean {
  if (end === start || end - start > PLAIN_ID_BYTES_MAX) return false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < FIRST_VISIBLE || byte > LAST_VISIBLE) return false;
  }
  return true;
}
