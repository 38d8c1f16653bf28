import { type CsvRow, eachRow, firstLines, looseCells, type PhysicalLine } from './csv-rows';
import { type CsvDialect, splitRecord } from './split-record';

/** The limit on the lines above the header. */
export const PREAMBLE_LINES_MAX = 100;
/** A name in a quoted cell of a header may be broken over a few lines. */
const NAME_LINES_MAX = 4;

/** A row near the beginning of a file: a header, or a row above it. */
export interface HeadRow extends CsvRow {
  /** The last line of the file that it fills. */
  readonly lastLine: number;
}

/**
 * The rows of a file: split from text, or the cells of a spreadsheet, for which the dialect has no meaning. Readers see
 * nothing else of the file.
 */
export interface RowSource {
  /** Returns the first rows, at most `PREAMBLE_LINES_MAX`, blank ones included. They may be split loosely. */
  head(dialect: CsvDialect): readonly HeadRow[];
  /** Hands on each row that is not blank, from a line of the file on. @throws AppError `bad_input` that names the line. */
  eachFrom(line: number, dialect: CsvDialect, take: (row: CsvRow) => void): void;
  isBlank(): boolean;
}

/** Returns the rows of a text, whose delimiter and quotation mark are the dialect's. */
export function textRows(text: string): RowSource {
  const lines = firstLines(text, PREAMBLE_LINES_MAX);
  return {
    head: (dialect) => headOf(text, lines, dialect),
    eachFrom(line, dialect, take) {
      const start = lines[line - 1]?.start ?? text.length;
      eachRow(text.slice(start), { ...dialect, firstLine: line }, take);
    },
    isBlank: () => text.trim() === '',
  };
}

function headOf(text: string, lines: readonly PhysicalLine[], dialect: CsvDialect): HeadRow[] {
  const rows: HeadRow[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (line === undefined) break;
    const broken = brokenRow(text, line, dialect);
    rows.push(
      broken ?? { line: line.line, lastLine: line.line, cells: looseCells(line.text, dialect), raw: line.text },
    );
    at = rows.at(-1)?.lastLine ?? lines.length;
  }
  return rows;
}

/** Returns a record whose quoted cells contain a few line ends. A stray quotation mark opens no such record. */
function brokenRow(text: string, { line, start, text: raw }: PhysicalLine, dialect: CsvDialect): HeadRow | undefined {
  if (dialect.quote === null || !raw.includes(dialect.quote)) return undefined;
  const record = splitRecord(text, start, dialect);
  if (!record.ok || record.lineEndsInside === 0 || record.lineEndsInside > NAME_LINES_MAX) return undefined;
  return { line, lastLine: line + record.lineEndsInside, cells: record.cells, raw: text.slice(start, record.end) };
}
