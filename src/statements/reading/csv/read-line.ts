import { type BusinessDate, counted, quoted } from '../../../kernel';
import { currencyOf } from '../currencies';
import { type DateReader, dateReader } from '../date-text';
import { isRecognized } from '../is-recognized';
import { oneLine } from '../one-line';
import type { LineStatus, ParsedLine } from '../parsed-statement';
import { type Problems } from '../problems';
import type { StatementProfile } from '../statement-profile';
import type { CsvRow } from './csv-rows';
import type { CsvHeader } from './find-header';
import { readAmount } from './forms';
import { balanceAt, signedAmountAt } from './line-amount';
import type { RepeatedCell } from './repeated-cell';
import { cellOf, isOneOf, type RowCells } from './row-cells';

export interface LineRequest {
  readonly header: CsvHeader;
  readonly profile: StatementProfile;
  readonly problems: Problems;
  readonly account: RepeatedCell;
  readonly currency: RepeatedCell;
}

/** Why a row with a date is no line: its money never moves, or it states none. */
export type LeftOut = 'rejected' | 'without an amount';

/**
 * Returns a function that reads lines of a statement. An unreadable part is a problem, named by line and column, and
 * gives no line.
 */
export function lineReader(request: LineRequest): (row: CsvRow) => ParsedLine | LeftOut | undefined {
  const { profile, problems, account, currency } = request;
  const { columns } = profile;
  const readDate = dateReader(profile.dateFormat);
  let above: BusinessDate | undefined;
  return (row) => {
    const shape = shapeFault(row, request, readDate);
    if (shape !== undefined) {
      problems.add(`line ${row.line}: ${shape}`);
      return undefined;
    }
    const cells = cellsOf(row, request);
    if (isWithoutAmount(row, request)) return 'without an amount';
    const isAsAbove = profile.emptyDates === 'as-above' && cells.textOf(columns.bookingDate) === '';
    const bookingDate = (isAsAbove ? above : undefined) ?? dateAt(cells, columns.bookingDate, readDate);
    above = bookingDate;
    const valueDate = cells.textOf(columns.valueDate) ? dateAt(cells, columns.valueDate, readDate) : undefined;
    const amount = signedAmountAt(cells);
    const balanceAfter = balanceAt(cells);
    const status = statusAt(cells);
    const sameAccount = agrees(cells, columns.account, { with: account, line: row.line });
    const sameCurrency = agrees(cells, columns.currency, { with: currency, line: row.line, read: currencyOf });
    if (bookingDate === undefined || amount === undefined || status === undefined) return undefined;
    if (!sameAccount || !sameCurrency) return undefined;
    if (status === 'rejected') return status;
    const plainText = (column: string | undefined): string => oneLine(cells.textOf(column) ?? '');
    const remittance = plainText(columns.remittance);
    const counterparty = plainText(columns.counterparty);
    return {
      status,
      fileLine: row.line,
      bookingDate,
      valueDate,
      amount,
      currency: currency.value,
      counterparty,
      counterpartyAccount: plainText(columns.counterpartyAccount),
      remittance,
      bankReference: plainText(columns.reference),
      endToEndId: plainText(columns.endToEndId),
      transactionCode: plainText(columns.transactionCode),
      details: [],
      balanceAfter,
      payoutCandidate: amount.units > 0n && isRecognized(profile.payoutPattern, { counterparty, remittance }),
      raw: row.raw,
    };
  };
}

function cellsOf(row: CsvRow, { header, profile, problems, currency }: LineRequest): RowCells {
  return {
    profile,
    textOf: (column) => cellOf(row, header, column),
    faultOfCurrency: (code) => currency.faultOf(code, row.line),
    complain: (column, what) => problems.add(`line ${row.line}, column ${quoted(column ?? '')}: ${what}`),
  };
}

/** A bank may leave out the last empty cells of a row, but a file that ends inside of a row was cut off. */
function shapeFault(row: CsvRow, { header, profile }: LineRequest, readDate: DateReader): string | undefined {
  const extra = row.cells.slice(header.width).some((cell) => cell.trim() !== '');
  if (extra || (row.cells.length < header.width && row.isOpen === true)) {
    return `expected ${counted(header.width, 'cell')}, as the header has, got ${row.cells.length}`;
  }
  const swallows = (cell: string): boolean => {
    const lines = cell.split(/[\r\n]+/u).map((line) => line.split(profile.delimiter));
    const cells = lines.reduce((sum, { length }) => sum + length, 0);
    if (lines.length === 1 || cells === lines.length) return false;
    return (
      cells > header.width ||
      lines.some((parts) => parts.length > 1 && parts.some((part) => readDate(part) !== undefined))
    );
  };
  const swallowing = /[\r\n]/u.test(row.raw) ? row.cells.find(swallows) : undefined;
  if (swallowing === undefined) return undefined;
  return 'expected one line, got a quoted text with other lines inside: a quotation mark has no second one';
}

/** Returns whether a whole row states a text and perhaps a balance, but nothing that could be an amount. */
function isWithoutAmount(row: CsvRow, { header, profile }: LineRequest): boolean {
  if (header.names.length === 0 || row.cells.length < header.width) return false;
  const { bookingDate, valueDate, remittance, balance, account, currency, debit, credit, amount } = profile.columns;
  if ([debit, credit, amount].some((column) => (cellOf(row, header, column) ?? '') !== '')) return false;
  const may = new Set(
    [bookingDate, valueDate, remittance, balance, account, currency].map((name) => name && header.indexOf.get(name)),
  );
  return (
    row.cells.every((cell, index) => may.has(index) || !mayBeAmount(cell)) && cellOf(row, header, remittance) !== ''
  );
}

const mayBeAmount = (cell: string): boolean => cell.trim() !== '' && readAmount(cell) !== undefined;

function dateAt(cells: RowCells, column: string | undefined, readDate: DateReader): BusinessDate | undefined {
  const text = cells.textOf(column) ?? '';
  const date = readDate(text);
  if (date === undefined) cells.complain(column, `expected a date as ${cells.profile.dateFormat}, got ${quoted(text)}`);
  return date;
}

function agrees(
  cells: RowCells,
  column: string | undefined,
  others: {
    readonly with: RepeatedCell;
    readonly line: number;
    /** Returns one form for texts that mean the same. */
    readonly read?: (text: string) => string | undefined;
  },
): boolean {
  const text = cells.textOf(column);
  const fault = text === undefined ? undefined : others.with.faultOf(others.read?.(text) ?? text, others.line);
  if (fault !== undefined) cells.complain(column, fault);
  return fault === undefined;
}

function statusAt(cells: RowCells): LineStatus | 'rejected' | undefined {
  const { status } = cells.profile.columns;
  if (status === undefined) return 'booked';
  const text = cells.textOf(status.column) ?? '';
  if (isOneOf(text, status.booked)) return 'booked';
  if (isOneOf(text, status.pending)) return 'pending';
  if (isOneOf(text, status.rejected ?? [])) return 'rejected';
  if (text === '' && status.emptyIsBooked === true) return 'booked';
  cells.complain(status.column, `expected one of the profile's words for booked or pending, got ${quoted(text)}`);
  return undefined;
}
