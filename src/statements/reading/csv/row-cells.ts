import type { StatementProfile } from '../statement-profile';
import type { CsvRow } from './csv-rows';
import type { CsvHeader } from './find-header';

/** The cells of one row, by the names of their columns. */
export interface RowCells {
  readonly profile: StatementProfile;
  /** Returns the trimmed text; undefined for a column that the bank does not have. */
  textOf(column: string | undefined): string | undefined;
  /** Returns why an amount cannot be in a currency; undefined if it can. */
  faultOfCurrency(code: string): string | undefined;
  complain(column: string | undefined, what: string): void;
}

/** Returns the cell of a column that the profile names; undefined for a column that the bank does not have. */
export function cellOf(row: CsvRow, header: CsvHeader, column: string | undefined): string | undefined {
  const index = column === undefined ? undefined : header.indexOf.get(column);
  return index === undefined ? undefined : (row.cells[index] ?? '').trim();
}

/** Returns whether a text is one of some words, ignoring case. */
export function isOneOf(text: string, words: readonly string[]): boolean {
  const wanted = text.toLowerCase();
  return words.some((word) => word.toLowerCase() === wanted);
}
