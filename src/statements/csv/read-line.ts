import type { BusinessDate, Millimes } from '../../kernel';
import { negateMillimes } from '../../kernel';
import { parseAmountText } from '../amount-text';
import { parseDateText } from '../date-text';
import type { ParsedLine } from '../parsed-statement';
import { quoted, type Problems } from '../problems';
import type { StatementProfile } from '../statement-profile';
import type { CsvRow } from './csv-rows';
import type { CsvHeader } from './find-header';

/** As wide as the columns that keep it. The whole line stays in `raw`, but a cut text would mislead who reads it. */
const CELL_CHARACTERS_MAX = 1_000;

const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** The cell of a column that the profile names; undefined for a column that the bank does not have. */
export function cellOf(row: CsvRow, header: CsvHeader, column: string | undefined): string | undefined {
  const index = column === undefined ? undefined : header.indexOf.get(column);
  return index === undefined ? undefined : (row.cells[index] ?? '').trim();
}

/** Reads one line of a statement. What cannot be read is a problem, named by line and column, and gives no line. */
export function readLine(
  row: CsvRow,
  header: CsvHeader,
  profile: StatementProfile,
  problems: Problems,
): ParsedLine | undefined {
  const shape = shapeFault(row, header);
  if (shape !== undefined) {
    problems.add(`line ${row.line}: ${shape}`);
    return undefined;
  }
  const { columns } = profile;
  const at: CellReader = { row, header, profile, problems };
  const bookingDate = dateAt(at, columns.bookingDate);
  const valueDate = cellOf(row, header, columns.valueDate) ? dateAt(at, columns.valueDate) : undefined;
  const amount = columns.amount === undefined ? debitOrCredit(at) : amountAt(at, columns.amount, 'required');
  const balanceAfter = amountAt(at, columns.balance, 'optional');
  if (bookingDate === undefined || amount === undefined) return undefined;
  const remittance = textAt(at, columns.remittance);
  const counterparty = textAt(at, columns.counterparty);
  return {
    fileLine: row.line,
    bookingDate,
    valueDate,
    amount,
    counterparty,
    remittance,
    bankReference: textAt(at, columns.reference),
    payoutCandidate: amount > 0 && mayBePayout(profile, [counterparty, remittance]),
    balanceAfter,
    raw: row.raw,
  };
}

interface CellReader {
  readonly row: CsvRow;
  readonly header: CsvHeader;
  readonly profile: StatementProfile;
  readonly problems: Problems;
}

function mayBePayout({ payoutPattern }: StatementProfile, texts: readonly string[]): boolean {
  return payoutPattern === undefined || texts.some((text) => payoutPattern.test(text));
}

function shapeFault(row: CsvRow, header: CsvHeader): string | undefined {
  const extra = row.cells.slice(header.width).some((cell) => cell.trim() !== '');
  if (row.cells.length < header.width || extra) {
    return `has ${row.cells.length} cells, the header has ${header.width}`;
  }
  const long = row.cells.findIndex((cell) => cell.length > CELL_CHARACTERS_MAX);
  return long === -1 ? undefined : `cell ${long + 1} is longer than ${CELL_CHARACTERS_MAX} characters`;
}

function textAt({ row, header }: CellReader, column: string | undefined): string {
  return (cellOf(row, header, column) ?? '').replace(CONTROL_CHARACTERS, ' ').trim();
}

function dateAt(at: CellReader, column: string | undefined): BusinessDate | undefined {
  const text = cellOf(at.row, at.header, column) ?? '';
  const date = parseDateText(text, at.profile.dateFormat);
  if (date === undefined) complain(at, column, `${quoted(text)} is not a date (${at.profile.dateFormat})`);
  return date;
}

function debitOrCredit(at: CellReader): Millimes | undefined {
  const { debit: debitColumn, credit: creditColumn } = at.profile.columns;
  const debit = amountAt(at, debitColumn, 'unsigned');
  const credit = amountAt(at, creditColumn, 'unsigned');
  if (debit === 'bad' || credit === 'bad') return undefined;
  // Some banks write 0,000 on the side that is not meant.
  if (debit !== undefined && credit !== undefined && debit !== 0 && credit !== 0) {
    complain(at, debitColumn, `and ${quoted(creditColumn ?? '')} are both filled`);
    return undefined;
  }
  if (debit === undefined && credit === undefined) {
    complain(at, debitColumn, `and ${quoted(creditColumn ?? '')} are both empty`);
    return undefined;
  }
  return debit === undefined || debit === 0 ? (credit ?? debit) : negateMillimes(debit);
}

function complain({ row, problems }: CellReader, column: string | undefined, what: string): void {
  problems.add(`line ${row.line}, column ${quoted(column ?? '')}: ${what}`);
}

function amountAt(at: CellReader, column: string | undefined, kind: 'required' | 'optional'): Millimes | undefined;
function amountAt(at: CellReader, column: string | undefined, kind: 'unsigned'): Millimes | undefined | 'bad';
function amountAt(
  at: CellReader,
  column: string | undefined,
  kind: 'required' | 'optional' | 'unsigned',
): Millimes | undefined | 'bad' {
  const text = cellOf(at.row, at.header, column);
  if (text === undefined) return undefined;
  if (text === '') {
    if (kind === 'required') complain(at, column, 'is empty');
    return undefined;
  }
  const reading = parseAmountText(text, at.profile);
  const fault = !reading.ok
    ? reading.reason
    : kind === 'unsigned' && reading.signed
      ? 'must not have a sign'
      : undefined;
  if (reading.ok && fault === undefined) return reading.amount;
  complain(at, column, `${quoted(text)} ${fault ?? ''}`);
  return kind === 'unsigned' ? 'bad' : undefined;
}
