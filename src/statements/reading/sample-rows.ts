import type { BankFile } from './bank-file';
import { detectFormat } from './choose-reader';
import { LIKELY_DELIMITERS, likelyHeader } from './csv/find-header';
import { proposeEncodings } from './csv/propose-encoding';
import { readSheets, spreadsheetKind } from './csv/read-sheets';
import { type RowSource, textRows } from './csv/row-source';
import type { Encoding } from './decode-text';
import { inspectBankFile } from './inspect-bank-file';
import { WHOLE_FILE_BYTES_MAX } from './limits';

const ROWS_MAX = 8;
const COLUMNS_MAX = 60;
const CELL_CHARACTERS_MAX = 80;

/** The first rows of a file with columns, for a person who says what the columns mean. */
export interface SampleRows {
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** The line of the headings. */
  readonly line: number;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/** Returns the first rows of a CSV file or a spreadsheet; undefined for another format. @throws AppError `bad_input`. */
export function sampleRows(file: BankFile): SampleRows | undefined {
  const { head, sizeBytes } = inspectBankFile(file);
  if (detectFormat(head) !== 'csv' || sizeBytes > WHOLE_FILE_BYTES_MAX) return undefined;
  const bytes = Buffer.concat([...file.pieces()]);
  const kind = spreadsheetKind(head);
  if (kind !== undefined) return readSheets(kind, bytes, ({ rowsFor }) => sampleOf(rowsFor(SHEET), SHEET.encoding));
  const [found] = proposeEncodings(bytes);
  return found === undefined ? undefined : sampleOf(textRows(found.text), found.encoding);
}

/** A sheet has no encoding. */
const SHEET = { encoding: 'utf-8' } as const;

function sampleOf(source: RowSource | undefined, encoding: Encoding): SampleRows | undefined {
  const heading = source && likelyHeader(source);
  if (source === undefined || heading === undefined) return undefined;
  const filled = (delimiter: string): number =>
    Math.max(0, ...source.head({ delimiter, quote: '"' }).map(({ cells }) => cells.length));
  const delimiter = LIKELY_DELIMITERS.reduce((best, each) => (filled(each) > filled(best) ? each : best));
  const shown = (cell: string): string => cell.trim().slice(0, CELL_CHARACTERS_MAX);
  const rows = source.head({ delimiter, quote: '"' }).filter(({ line, cells }) => {
    return line > heading.lastLine && cells.some((cell) => cell.trim() !== '');
  });
  return {
    ...{ encoding, delimiter, line: heading.line, columns: heading.names.slice(0, COLUMNS_MAX) },
    rows: rows.slice(0, ROWS_MAX).map(({ line, cells }) => ({ line, cells: cells.slice(0, COLUMNS_MAX).map(shown) })),
  };
}
