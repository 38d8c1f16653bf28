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
import { balanceAt, signedAmountAt } from './line-amount';
import type { RepeatedCell } from './repeated-cell';
import { cellOf, isOneOf, type RowCells } from './row-cells';

/** The width of the columns. The whole line is in `raw`, but a shortened text would mislead its readers. */
const CELL_CHARACTERS_MAX = 1_000;

export interface LineRequest {
  readonly header: CsvHeader;
  readonly profile: StatementProfile;
  readonly problems: Problems;
  readonly account: RepeatedCell;
  readonly currency: RepeatedCell;
}

/**
 * Returns a function that reads lines of a statement. An unreadable part is a problem, named by line and column, and
 * gives no line.
 */
export function lineReader(request: LineRequest): (row: CsvRow) => ParsedLine | undefined {
  const { header, profile, problems, account, currency } = request;
  const { columns } = profile;
  const readDate = dateReader(profile.dateFormat);
  return (row) => {
    const shape = shapeFault(row, header);
    if (shape !== undefined) {
      problems.add(`line ${row.line}: ${shape}`);
      return undefined;
    }
    const cells = cellsOf(row, request);
    const bookingDate = dateAt(cells, columns.bookingDate, readDate);
    const valueDate = cells.textOf(columns.valueDate) ? dateAt(cells, columns.valueDate, readDate) : undefined;
    const amount = signedAmountAt(cells);
    const balanceAfter = balanceAt(cells);
    const status = statusAt(cells);
    const sameAccount = agrees(cells, columns.account, { with: account, line: row.line });
    const sameCurrency = agrees(cells, columns.currency, { with: currency, line: row.line, read: currencyOf });
    if (bookingDate === undefined || amount === undefined || status === undefined) return undefined;
    if (!sameAccount || !sameCurrency) return undefined;
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

function shapeFault(row: CsvRow, header: CsvHeader): string | undefined {
  const extra = row.cells.slice(header.width).some((cell) => cell.trim() !== '');
  if (row.cells.length < header.width || extra) {
    return `expected ${counted(header.width, 'cell')}, as the header has, got ${row.cells.length}`;
  }
  const long = row.cells.findIndex((cell) => cell.length > CELL_CHARACTERS_MAX);
  return long === -1 ? undefined : `expected at most ${CELL_CHARACTERS_MAX} characters in cell ${long + 1}, got more`;
}

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

function statusAt(cells: RowCells): LineStatus | undefined {
  const { status } = cells.profile.columns;
  if (status === undefined) return 'booked';
  const text = cells.textOf(status.column) ?? '';
  if (isOneOf(text, status.booked)) return 'booked';
  if (isOneOf(text, status.pending)) return 'pending';
  cells.complain(status.column, `expected one of the profile's words for booked or pending, got ${quoted(text)}`);
  return undefined;
}
