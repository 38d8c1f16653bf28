import { CsvError, parse } from 'csv-parse/sync';

/** One row of a CSV file with a header, and the line of the file on which it starts (the header is line 1). */
export interface CsvRow<Column extends string> {
  readonly line: number;
  readonly values: Readonly<Record<Column, string>>;
}

/** The fault of one line of a file. */
export interface LineFault {
  readonly line: number;
  readonly reason: string;
}

export interface CsvTable<Column extends string> {
  readonly rows: readonly CsvRow<Column>[];
  readonly faults: readonly LineFault[];
}

/** Returns one text per fault, in the order of the file's lines. */
export function describeLineFaults(faults: readonly LineFault[]): string[] {
  return [...faults].sort((a, b) => a.line - b.line).map(({ line, reason }) => `line ${line}: ${reason}`);
}

const COLUMNS_SEEN_MAX = 200;

/**
 * Reads a comma-separated UTF-8 file (with or without a byte order mark) that must have exactly the given columns, in
 * any order. Never throws for the content of the file: each problem is a fault with its line.
 */
export function readCsvTable<Column extends string>(bytes: Uint8Array, columns: readonly Column[]): CsvTable<Column> {
  const text = decodeUtf8(bytes);
  if (typeof text !== 'string') return { rows: [], faults: [{ line: text.badLine, reason: 'is not UTF-8' }] };
  if (text.trim() === '') return { rows: [], faults: [{ line: 1, reason: 'the file is empty' }] };
  let records: { record: string[]; info: { lines: number } }[];
  try {
    // Line ends may be those of any system, even mixed in one file and inside quotes.
    records = parse(text.replace(/\r\n?/g, '\n'), {
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as typeof records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows: [], faults: [{ line: lineOf(error), reason: reasonOf(error) }] };
  }
  const [head, ...body] = records;
  const header = (head?.record ?? []).map((name) => name.trim());
  const headerFault = faultOfHeader(header, columns);
  if (headerFault !== undefined) return { rows: [], faults: [{ line: 1, reason: headerFault }] };
  const rows: CsvRow<Column>[] = [];
  const faults: LineFault[] = [];
  for (const { record, info } of body) {
    // csv-parse reports the last line of a record; a quoted field may contain line breaks.
    const line = info.lines - record.reduce((breaks, field) => breaks + (field.match(/\n/g)?.length ?? 0), 0);
    if (record.length !== header.length) {
      faults.push({ line, reason: `has ${record.length} columns, the header has ${header.length}` });
      continue;
    }
    const values = Object.fromEntries(header.map((name, index) => [name, record[index] ?? '']));
    rows.push({ line, values: values as Record<Column, string> });
  }
  return { rows, faults };
}

function faultOfHeader(header: readonly string[], columns: readonly string[]): string | undefined {
  const expected = `the header must be ${columns.join(',')}`;
  const missing = columns.filter((column) => !header.includes(column));
  if (missing.length > 0) return `${expected}; missing: ${missing.join(', ')}`;
  const unknown = header.filter((name) => !columns.includes(name)).slice(0, COLUMNS_SEEN_MAX);
  if (unknown.length > 0) return `${expected}; unknown: ${unknown.map((name) => JSON.stringify(name)).join(', ')}`;
  return new Set(header).size === header.length ? undefined : `${expected}; a column stands twice`;
}

function decodeUtf8(bytes: Uint8Array): string | { badLine: number } {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { badLine: firstBadLine(bytes) };
  }
}

function firstBadLine(bytes: Uint8Array): number {
  const NEWLINE = 0x0a;
  let line = 1;
  let from = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at < bytes.length && bytes[at] !== NEWLINE) continue;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(from, at));
    } catch {
      return line;
    }
    line += 1;
    from = at + 1;
  }
  return line;
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
