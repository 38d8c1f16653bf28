import { CsvError, parse, type Options } from 'csv-parse/sync';
import { AppError } from '../../kernel';
import type { StatementProfile } from '../statement-profile';

/** One record of a CSV file. */
export interface CsvRow {
  /** The line of the file on which it starts; a quoted cell may go on over several. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly raw: string;
}

export type CsvDialect = Pick<StatementProfile, 'delimiter' | 'quote'>;

/** One line of the file as it lies there, not yet cut into cells. */
export interface PhysicalLine {
  readonly line: number;
  readonly start: number;
  readonly text: string;
}

const LINE_ENDS = ['\r\n', '\n', '\r'];
/** A quotation mark that is never closed would otherwise swallow the rest of the file into one cell. */
const RECORD_CHARACTERS_MAX = 64 * 1024;

/** The first lines of a text, up to `max`. */
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

/** The cells of a line above the header. What stands there is for people, so a stray quotation mark is just a mark. */
export function looseCells(text: string, dialect: CsvDialect): readonly string[] {
  try {
    const records: string[][] = parse(text, optionsOf(dialect));
    return records[0] ?? [];
  } catch {
    return text.split(dialect.delimiter);
  }
}

/**
 * Cuts a text into records, strictly. `firstLine` is the line of the file on which the text starts.
 *
 * @throws AppError `bad_input` that names the line where the quoting breaks.
 */
export function strictRows(text: string, dialect: CsvDialect, firstLine: number): CsvRow[] {
  let line = firstLine;
  const toRow = ({ record, raw }: { record: string[]; raw: string }): CsvRow => {
    const row: CsvRow = { line, cells: record, raw: raw.replace(/[\r\n]+$/, '') };
    // Counted here: the parser's own count takes CRLF inside quotes for two lines.
    line += 1 + (record.join(' ').match(/\r\n|\n|\r/g)?.length ?? 0);
    return row;
  };
  // The parser's types do not know that `raw` changes what a record is.
  const onRecord = toRow as unknown as NonNullable<Options['on_record']>;
  try {
    return parse(text, { ...optionsOf(dialect), raw: true, on_record: onRecord }) as unknown as CsvRow[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AppError('bad_input', 'the statement cannot be read', {
      cause: error,
      details: [`line ${line}: ${QUOTING_FAULT[error.code] ?? 'is not CSV'}`],
    });
  }
}

const QUOTING_FAULT: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  INVALID_OPENING_QUOTE: 'a quotation mark stands inside a cell that is not quoted',
  CSV_INVALID_CLOSING_QUOTE: 'text follows the quotation mark that closes a cell',
  CSV_MAX_RECORD_SIZE: `is longer than ${RECORD_CHARACTERS_MAX} characters; a quotation mark may never be closed`,
};

function optionsOf(dialect: CsvDialect): Options {
  return {
    delimiter: dialect.delimiter,
    quote: dialect.quote ?? false,
    escape: dialect.quote ?? false,
    record_delimiter: LINE_ENDS,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: RECORD_CHARACTERS_MAX,
  };
}
