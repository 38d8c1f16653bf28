import { AppError } from '../../kernel';
import { dateReader } from '../date-text';
import { decodeText } from '../decode-text';
import { LINES_MAX } from '../limits';
import type { ParsedLine, StatementEvent } from '../parsed-statement';
import { Problems } from '../problems';
import type { StatementProfile } from '../statement-profile';
import { eachRow, firstLines, looseCells, type CsvRow } from './csv-rows';
import { requireHeader } from './detect-profile';
import type { CsvHeader } from './find-header';
import { isLabelledRow } from './labelled-rows';
import { lineReader } from './read-line';
import { RepeatedCell } from './repeated-cell';
import { cellOf } from './row-cells';
import { readFacts } from './statement-facts';

export interface CsvReaderOptions {
  readonly profile: StatementProfile;
  /** Names the account where the file does not, or is not to be believed. */
  readonly account?: string | undefined;
}

/** What is wrong with so many rows is wrong with the profile: the rest of the file is not looked at. */
const REFUSED_ROWS_MAX = 1_000;
const LABELLED_ROWS_MAX = 1_000;

/**
 * Reads a CSV export as one statement. No row between the header and the footer is skipped because it cannot be read.
 *
 * @throws AppError `bad_input` that names each line and column that cannot be read.
 */
export function readCsvStatement(bytes: Uint8Array, options: CsvReaderOptions): StatementEvent[] {
  const { profile } = options;
  const decoded = decodeText(bytes, profile.encoding);
  if (!decoded.ok) throw unreadable(decoded.reason);
  const { text } = decoded;
  if (text.trim() === '') throw new AppError('bad_input', 'the file is empty');
  const header = requireHeader(text, profile);

  const problems = new Problems();
  const account = new RepeatedCell('account');
  const currency = new RepeatedCell('currency');
  const { lines, labelledRows } = readBody(text, { header, profile, problems, account, currency });
  if (profile.order === 'newest-first') lines.reverse();
  const around = [...preambleRows(text, header, profile), ...labelledRows];
  const statement = readFacts({
    around,
    header,
    profile,
    problems,
    lines,
    account: options.account ?? account.value,
    currency: currency.value,
  });
  problems.throwIfAny();
  if (lines.length === 0 && (statement.opening === undefined || statement.closing === undefined)) {
    throw new AppError('bad_input', 'there is no statement inside: no lines, and not both balances');
  }
  const events = lines.map((line): StatementEvent => ({ kind: 'line', line }));
  events.push({ kind: 'statement', statement });
  return events;
}

function unreadable(reason: string): AppError {
  return new AppError('bad_input', `the statement cannot be read: the file ${reason}`);
}

function preambleRows(text: string, header: CsvHeader, profile: StatementProfile): CsvRow[] {
  return firstLines(text, header.line - 1).map((line) => ({
    line: line.line,
    cells: looseCells(line.text, profile),
    raw: line.text,
  }));
}

interface BodyRequest {
  readonly header: CsvHeader;
  readonly profile: StatementProfile;
  readonly problems: Problems;
  readonly account: RepeatedCell;
  readonly currency: RepeatedCell;
}

/**
 * Tells lines from the rows around them. A row that the profile knows by its label and that has no booking date is not a
 * line; it may stand above the first line or below the last, and nowhere else. Every other row must be a line.
 */
function readBody(text: string, request: BodyRequest): { lines: ParsedLine[]; labelledRows: CsvRow[] } {
  const { header, profile, problems } = request;
  const readDate = dateReader(profile.dateFormat);
  const readLine = lineReader(request);
  const lines: ParsedLine[] = [];
  const labelledRows: CsvRow[] = [];
  let refused = 0;
  let footer: CsvRow | undefined;
  eachRow(text.slice(header.start), { ...profile, firstLine: header.line }, (row) => {
    if (row.line === header.line) return;
    const dated = readDate(cellOf(row, header, profile.columns.bookingDate) ?? '') !== undefined;
    if (!dated && isLabelledRow(row, profile)) {
      labelledRows.push(row);
      if (labelledRows.length > LABELLED_ROWS_MAX) throw unreadable(`has more than ${LABELLED_ROWS_MAX} labelled rows`);
      if (lines.length + refused > 0) footer ??= row;
      return;
    }
    const line = readLine(row);
    if (line === undefined) refused += 1;
    else lines.push(line);
    if (footer !== undefined) {
      refused += 1;
      problems.add(`line ${row.line}: stands below the footer, which starts on line ${footer.line}`);
    }
    if (refused > REFUSED_ROWS_MAX) problems.throwIfAny();
    if (lines.length > LINES_MAX) throw unreadable(`has more than ${LINES_MAX} lines`);
  });
  return { lines, labelledRows };
}
