import { AppError, isOutsideId, millimes, type Millimes } from '../../kernel';
import { parseAmountText } from '../amount-text';
import { parseDateText } from '../date-text';
import { decodeText } from '../decode-text';
import type { ParsedLine, ParsedStatement } from '../parsed-statement';
import { Problems, quoted } from '../problems';
import type { LabelledValue, StatementProfile } from '../statement-profile';
import { firstLines, looseCells, strictRows, type CsvRow } from './csv-rows';
import { requireHeader } from './detect-profile';
import type { CsvHeader } from './find-header';
import { findLabelled, findRow, fixedOrFound, isLabelledRow } from './labelled-rows';
import { cellOf, readLine } from './read-line';

/** One import is one transaction: more lines would hold SQLite's write lock too long. */
export const STATEMENT_LINES_MAX = 20_000;

const SUPPORTED_CURRENCY = 'TND';

export interface ReadCsvOptions {
  /** Names the account where the file does not, or is not to be believed. */
  readonly account?: string | undefined;
}

/**
 * Reads a CSV export as one statement. No row between the header and the footer is skipped because it cannot be read.
 *
 * @throws AppError `bad_input` that names each line and column that cannot be read.
 */
export function readCsvStatement(
  bytes: Uint8Array,
  profile: StatementProfile,
  options: ReadCsvOptions = {},
): ParsedStatement[] {
  const decoded = decodeText(bytes, profile.encoding);
  if (!decoded.ok) throw unreadable(decoded.reason);
  const { text } = decoded;
  const header = requireHeader(text, profile);
  const [, ...body] = strictRows(text.slice(header.start), profile, header.line);

  const problems = new Problems();
  const { dataRows, labelledRows } = sortRows(body, header, profile, problems);
  if (dataRows.length > STATEMENT_LINES_MAX) throw unreadable(`has more than ${STATEMENT_LINES_MAX} lines`);
  const around = [...preambleRows(text, header, profile), ...labelledRows];
  const inFileOrder = dataRows
    .map((row) => readLine(row, header, profile, problems))
    .filter((line) => line !== undefined);
  const lines = profile.order === 'newest-first' ? inFileOrder.reverse() : inFileOrder;
  const account = readAccount(around, { profile, problems, override: options.account });
  const currency = readCurrency(around, profile, problems);
  const opening = readBalance(around, profile.opening, { profile, problems }) ?? derivedOpening(lines, profile);
  const closing = readBalance(around, profile.closing, { profile, problems }) ?? derivedClosing(lines, profile);
  const totals = readTotals(around, header, profile, problems);
  problems.throwIfAny();
  if (lines.length === 0 && (opening === undefined || closing === undefined)) {
    throw new AppError('bad_input', 'there is no statement inside: no lines, and not both balances');
  }
  return [{ account, currency: currency ?? SUPPORTED_CURRENCY, opening, closing, totals, lines }];
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

/**
 * Tells lines from the rows around them. A row that the profile knows by its label and that has no booking date is not a
 * line; it may stand above the first line or below the last, and nowhere else. Every other row must be a line.
 */
function sortRows(
  body: readonly CsvRow[],
  header: CsvHeader,
  profile: StatementProfile,
  problems: Problems,
): { dataRows: CsvRow[]; labelledRows: CsvRow[] } {
  const dataRows: CsvRow[] = [];
  const labelledRows: CsvRow[] = [];
  let footer: CsvRow | undefined;
  for (const row of body) {
    if (row.cells.every((cell) => cell.trim() === '')) continue;
    const dated =
      parseDateText(cellOf(row, header, profile.columns.bookingDate) ?? '', profile.dateFormat) !== undefined;
    if (!dated && isLabelledRow(row, profile)) {
      labelledRows.push(row);
      if (dataRows.length > 0) footer ??= row;
      continue;
    }
    dataRows.push(row);
    if (footer !== undefined)
      problems.add(`line ${row.line}: stands below the footer, which starts on line ${footer.line}`);
  }
  return { dataRows, labelledRows };
}

/** The key of the account in our books: what the bank or the person wrote, without spaces. */
export function accountKey(text: string): string {
  return text.replace(/\s+/gu, '');
}

function readAccount(
  rows: readonly CsvRow[],
  request: { profile: StatementProfile; problems: Problems; override: string | undefined },
): string | undefined {
  const { profile, problems, override } = request;
  if (override === undefined && profile.account === undefined) return undefined;
  const text = override ?? (profile.account && fixedOrFound(rows, profile.account, { what: 'account', problems }));
  if (text === undefined) return undefined;
  const key = accountKey(text);
  if (!isOutsideId(key)) problems.add(`${quoted(text)} cannot be an account`);
  return key;
}

function readCurrency(rows: readonly CsvRow[], profile: StatementProfile, problems: Problems): string | undefined {
  const currency = fixedOrFound(rows, profile.currency, { what: 'currency', problems })?.toUpperCase();
  if (currency !== undefined && currency !== SUPPORTED_CURRENCY) {
    problems.add(`the currency is ${quoted(currency)}; only ${SUPPORTED_CURRENCY} is supported`);
  }
  return currency;
}

function readBalance(
  rows: readonly CsvRow[],
  wanted: LabelledValue | undefined,
  { profile, problems }: { profile: StatementProfile; problems: Problems },
): Millimes | undefined {
  const found = wanted && findLabelled(rows, wanted, problems);
  if (found === undefined || found.text === '') return undefined;
  return amountOf(found.text, { line: found.line, profile, problems });
}

function amountOf(
  text: string,
  at: { line: number; profile: StatementProfile; problems: Problems },
): Millimes | undefined {
  const reading = parseAmountText(text, at.profile);
  if (reading.ok) return reading.amount;
  at.problems.add(`line ${at.line}: ${quoted(text)} ${reading.reason}`);
  return undefined;
}

/** Where the bank never states the balance before the first line, its running balance implies it. */
function derivedOpening([first]: readonly ParsedLine[], profile: StatementProfile): Millimes | undefined {
  if (profile.opening !== undefined || first?.balanceAfter === undefined) return undefined;
  const opening = first.balanceAfter - first.amount;
  return Number.isSafeInteger(opening) ? millimes(opening) : undefined;
}

function derivedClosing(lines: readonly ParsedLine[], { closing }: StatementProfile): Millimes | undefined {
  return closing === undefined ? lines.at(-1)?.balanceAfter : undefined;
}

function readTotals(
  rows: readonly CsvRow[],
  header: CsvHeader,
  profile: StatementProfile,
  problems: Problems,
): ParsedStatement['totals'] {
  const row = profile.totals && findRow(rows, profile.totals.label, problems);
  const total = (column: string | undefined): Millimes | undefined => {
    const text = row && cellOf(row, header, column);
    return row === undefined || text === undefined || text === ''
      ? undefined
      : amountOf(text, { line: row.line, profile, problems });
  };
  return { credits: total(profile.columns.credit), debits: total(profile.columns.debit) };
}
