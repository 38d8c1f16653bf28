import type { LabeledValue } from '../statement-profile';
import type { CsvRow } from './csv-rows';
import { type Heading, rowText } from './find-header';
import { type LabeledRow, labelIndex, textBeside } from './labeled-rows';
import type { RowSource } from './row-source';
import type { CsvDialect } from './split-record';

/** What a row below the heading of a file is. */
export type RowKind =
  /** A row of the heading again, as banks print it on each page. */
  | 'heading'
  /** A row with a booking date: a line, or a balance in the form of one. */
  | 'dated'
  /** The first row of another account. The rows up to the next heading or dated row are above the lines of the account. */
  | 'account'
  | 'above'
  /** A row without a booking date that is known by its label. */
  | 'labeled'
  | 'unknown';

export interface SortRequest {
  readonly header: Heading;
  readonly dialect: CsvDialect;
  /** The rows above the heading. A page that repeats them says nothing new. */
  readonly preamble: readonly LabeledRow[];
  readonly accountLabel: LabeledValue | undefined;
  readonly isDated: (row: CsvRow) => boolean;
  readonly isLabeled: (row: CsvRow) => boolean;
}

/** Hands on each row below the heading that is neither blank nor a repeated one of the preamble. */
export function sortRows(source: RowSource, request: SortRequest, take: (row: CsvRow, kind: RowKind) => void): void {
  const { header, dialect, preamble, accountLabel, isDated, isLabeled } = request;
  const accountIn = (row: CsvRow): string | undefined => accountBeside(row, accountLabel);
  const known = new Set(preamble.map(({ cells }) => rowText(cells)));
  let named = preamble.map(accountIn).find((name) => name !== undefined);
  let isAbove = false;
  source.eachFrom(Math.max(header.line, 1), dialect, (row) => {
    if (row.line <= header.lastLine) return;
    const text = rowText(row.cells);
    const account = accountIn(row);
    const isHeading = header.rows.includes(text);
    if (isHeading || isDated(row)) {
      isAbove = false;
      take(row, isHeading ? 'heading' : 'dated');
    } else if (account !== undefined && named !== undefined && account !== named) {
      named = account;
      isAbove = true;
      take(row, 'account');
    } else if (known.has(text) || (account !== undefined && account === named)) return;
    else if (isAbove) take(row, 'above');
    else take(row, isLabeled(row) ? 'labeled' : 'unknown');
  });
}

function accountBeside(row: CsvRow, label: LabeledValue | undefined): string | undefined {
  if (label === undefined || labelIndex(row, label) === -1) return undefined;
  const name = textBeside(row, label);
  return /\d/.test(name) ? name.replace(/[^\p{L}\p{N}]/gu, '') : undefined;
}
