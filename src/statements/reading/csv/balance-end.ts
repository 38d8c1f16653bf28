import type { BusinessDate } from '../../../kernel';
import type { DateReader } from '../date-text';
import { KNOWN_LABELS } from './known-labels';
import type { LabeledRow } from './labeled-rows';

/** The booking days of the first and the last line, by the calendar. */
export interface Days {
  readonly first: BusinessDate;
  readonly last: BusinessDate;
}

/** `other`: the balance of a day between, or one that may be before or after the lines. */
export type BalanceEnd = 'opening' | 'closing' | 'other';

const DATED = new RegExp(KNOWN_LABELS.dated, 'iu');
/** A date in any form, inside a text. */
export const DATE_INSIDE = /\d{1,4}[-/. ](?:\d{1,2}|[\p{L}.]{3,10})[-/. ]\d{2,4}/u;

/**
 * Returns the end of the lines at which `Solde au 28/02/2026` states the balance, by its day: on the first day or before
 * it, or on the last day or after it. Undefined for a row with any other label.
 */
export function balanceEnd(row: LabeledRow, days: Days | undefined, readDate: DateReader): BalanceEnd | undefined {
  const at = row.cells.findIndex((cell) => DATED.test(cell.trim()));
  if (at === -1) return undefined;
  const text = row.cells.slice(at).find((cell) => DATE_INSIDE.test(cell)) ?? '';
  const day = readDate(DATE_INSIDE.exec(text)?.[0] ?? '');
  if (day === undefined || days === undefined) return 'other';
  const { first, last } = days;
  if (day < first || (day === first && day < last)) return 'opening';
  return day > last || (day === last && day > first) ? 'closing' : 'other';
}
