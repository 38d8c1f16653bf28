import { LINES_MAX } from '../limits';
import { refusal } from '../refusal';
import { type CsvDialect, type SplitRecord, splitRecord } from './split-record';

/** One record of a CSV file. */
export interface CsvRow {
  /** The line of the file on which it starts. A quoted cell may span several lines. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly raw: string;
  /** Whether the file ends inside of it, without a line end. */
  readonly isOpen?: boolean;
}

/** One line of the file, not yet split into cells. */
export interface PhysicalLine {
  readonly line: number;
  readonly start: number;
  readonly text: string;
}

/** A longer line is neither a header nor a label, so splitting it is pointless. */
export const LOOSE_CHARACTERS_MAX = 8 * 1024;

/** No export has as many, and each costs the work of a line. */
const BLANK_ROWS_MAX = 100_000;

/** Returns the first lines of a text, at most `max`. */
export function firstLines(text: string, max: number): PhysicalLine[] {
  const lines: PhysicalLine[] = [];
  const end = /\r\n|\n|\r|$/g;
  for (let start = 0; lines.length < max && start < text.length;) {
    end.lastIndex = start;
    const found = end.exec(text);
    const stop = found?.index ?? text.length;
    lines.push({ line: lines.length + 1, start, text: text.slice(start, stop) });
    start = stop + Math.max(found?.[0].length ?? 0, 1);
  }
  return lines;
}

/**
 * Returns the cells of a line above the header. The line is for people, so a stray quotation mark is an ordinary
 * character.
 */
export function looseCells(text: string, dialect: CsvDialect): readonly string[] {
  if (text.length > LOOSE_CHARACTERS_MAX) return [];
  const record = splitRecord(text, 0, dialect);
  return record.ok ? record.cells : text.split(dialect.delimiter);
}

/**
 * Cuts a text into records, strictly, and hands on each that is not blank. `firstLine` is the line of the file on which
 * the text starts.
 *
 * @throws AppError `bad_input` that names the line where the quoting breaks, or for more than `LINES_MAX` lines.
 */
export function eachRow(
  text: string,
  dialect: CsvDialect & { readonly firstLine: number },
  take: (row: CsvRow) => void,
): void {
  const takeNext = withinLimits(dialect.firstLine, take);
  let line = dialect.firstLine;
  let record: SplitRecord;
  for (let at = 0; at < text.length; at = record.next) {
    record = splitRecord(text, at, dialect);
    if (!record.ok) throw refusal(`line ${line}: ${record.fault}`);
    takeNext({ line, cells: record.cells, raw: text.slice(at, record.end), isOpen: record.end >= text.length });
    line += 1 + record.lineEndsInside;
  }
}

/**
 * Returns a function that hands on each row that is not blank. `firstLine` is the line of the first row.
 * @throws AppError `bad_input` for more than `LINES_MAX` lines or `BLANK_ROWS_MAX` blank ones.
 */
export function withinLimits(firstLine: number, take: (row: CsvRow) => void): (row: CsvRow) => void {
  let blank = 0;
  return (row) => {
    if (row.line - firstLine > LINES_MAX) {
      throw refusal(`line ${row.line}: expected at most ${LINES_MAX} lines, got more`);
    }
    if (row.cells.some((cell) => cell.trim() !== '')) return take(row);
    blank += 1;
    if (blank > BLANK_ROWS_MAX) {
      throw refusal(`line ${row.line}: expected at most ${BLANK_ROWS_MAX} empty lines, got more`);
    }
  };
}
