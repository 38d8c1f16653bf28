import { CsvError, parse } from 'csv-parse/sync';
import { counted } from './counted';
import { decodeTableText } from './decode-table-text';
import { foldText } from './fold-text';
import type { Notice } from './notice';

/** One row of a CSV file with a header, and the line of the file on which it starts (the header is line 1). */
export interface CsvRow<Column extends string> {
  readonly line: number;
  readonly values: Readonly<Record<Column, string>>;
}

/** The fault of one line of a file. */
export interface LineFault {
  readonly line: number;
  readonly reason: string;
  /** What to do on the command line. */
  readonly command?: string | undefined;
}

export interface CsvTable<Column extends string> {
  readonly rows: readonly CsvRow<Column>[];
  readonly faults: readonly LineFault[];
  /** The heading of each column as the file writes it, for errors; the column's name if the file could not be read. */
  readonly headings: Readonly<Record<Column, string>>;
}

/** The other headings of columns, written as `foldText` returns them. */
export type OtherHeadings = Readonly<Record<string, readonly string[]>>;

/** Returns one notice per fault, in the order of the file's lines. */
export function describeLineFaults(faults: readonly LineFault[]): Notice[] {
  return [...faults]
    .sort((a, b) => a.line - b.line)
    .map(({ line, reason, command }) => ({ text: `line ${line}: ${reason}`, command }));
}

const COLUMNS_SEEN_MAX = 200;

/**
 * Reads a CSV file that must have exactly the given columns, in any order. The header decides whether commas, semicolons
 * or tabs separate them, and may use one of `otherHeadings`, such as the French ones. The text is UTF-8, UTF-16 with a
 * byte order mark, or windows-1252. Never throws for the content of the file: each problem is a fault with its line.
 */
export function readCsvTable<Column extends string>(
  bytes: Uint8Array,
  columns: readonly Column[],
  otherHeadings: OtherHeadings = {},
): CsvTable<Column> {
  const named = Object.fromEntries<string>(columns.map((column) => [column, column])) as Record<Column, string>;
  const refuse = (line: number, reason: string): CsvTable<Column> => ({
    rows: [],
    faults: [{ line, reason }],
    headings: named,
  });
  const decoded = decodeTableText(bytes);
  if ('fault' in decoded) return refuse(decoded.line, decoded.fault);
  // Line ends may be those of any system, even mixed in one file and inside quotes.
  const text = decoded.text.replace(/\r\n?/g, '\n');
  if (text.trim() === '') return refuse(1, 'the file is empty');
  const columnOf = columnsByHeading(columns, otherHeadings);
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      delimiter: separatorOf(text, columnOf),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as typeof records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refuse(lineOf(error), reasonOf(error));
  }
  const [head, ...body] = records;
  const headings = (head?.record ?? []).map((name) => name.trim());
  const header = headings.map((heading) => columnOf.get(foldText(heading)));
  const headerFault = faultOfHeader(headings, header, columns, otherHeadings);
  if (headerFault !== undefined) return refuse(1, headerFault);
  const byColumn = (cells: readonly string[]): Record<Column, string> =>
    Object.fromEntries(header.map((column, index) => [String(column), cells[index] ?? ''])) as Record<Column, string>;
  const rows: CsvRow<Column>[] = [];
  const faults: LineFault[] = [];
  for (const { record, info } of body) {
    if (record.every((field) => field.trim() === '')) continue;
    // csv-parse reports the last line of a record; a quoted field may contain line breaks.
    const line = info.lines - record.reduce((breaks, field) => breaks + (field.match(/\n/g)?.length ?? 0), 0);
    if (record.length !== header.length) {
      faults.push({ line, reason: `has ${counted(record.length, 'column')}, the header has ${header.length}` });
      continue;
    }
    rows.push({ line, values: byColumn(record) });
  }
  return { rows, faults, headings: byColumn(headings) };
}

function columnsByHeading<Column extends string>(
  columns: readonly Column[],
  others: OtherHeadings,
): ReadonlyMap<string, Column> {
  return new Map(
    columns.flatMap((column) =>
      [foldText(column), ...(others[column] ?? [])].map((heading) => [heading, column] as const),
    ),
  );
}

const SEPARATORS = [',', ';', '\t'] as const;

/** Returns the separator that finds the most columns in the first line with text; the comma if none finds more. */
function separatorOf(text: string, columnOf: ReadonlyMap<string, string>): string {
  const header = text.split('\n').find((line) => line.trim() !== '') ?? '';
  const found = (separator: string): number =>
    header.split(separator).filter((cell) => columnOf.has(foldText(cell))).length;
  return SEPARATORS.reduce<string>((best, separator) => (found(separator) > found(best) ? separator : best), ',');
}

function faultOfHeader<Column extends string>(
  headings: readonly string[],
  header: readonly (Column | undefined)[],
  columns: readonly Column[],
  others: OtherHeadings,
): string | undefined {
  const expected = `the header must be ${columns.join(',')}`;
  const missing = columns.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    const named = missing.map((column) => {
      const [other] = others[column] ?? [];
      return other === undefined ? column : `${column} or ${JSON.stringify(other)}`;
    });
    return `${expected}; missing: ${named.join(', ')}`;
  }
  const unknown = headings.filter((_, index) => header[index] === undefined).slice(0, COLUMNS_SEEN_MAX);
  if (unknown.length > 0) return `${expected}; unknown: ${unknown.map((name) => JSON.stringify(name)).join(', ')}`;
  return new Set(header).size === header.length ? undefined : `${expected}; a column stands twice`;
}

function lineOf(error: CsvError): number {
  const { lines } = error as { lines?: unknown };
  return typeof lines === 'number' ? lines : 1;
}

/** Returns the reason by its code, because csv-parse quotes the file's content in its messages. */
function reasonOf(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quoted field is not closed';
  if (error.code.includes('QUOTE')) return 'a quotation mark stands inside a field that is not quoted';
  return `cannot be read as CSV (${error.code})`;
}
