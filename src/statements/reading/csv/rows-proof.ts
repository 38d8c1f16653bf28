import { quoted } from '../../../kernel';
import { exponentOf } from '../currencies';
import { AmountProof } from './amount-proof';
import { eachRow, firstLines, looseCells, type CsvRow } from './csv-rows';
import { DateProof } from './date-proof';
import { DebitSignProof } from './debit-sign-proof';
import { balanceSeen } from './balance-seen';
import { STATUS_WORDS, type ColumnRole } from './known-columns';
import { balanceAround, isAround, isTotals } from './labels-around';
import { noProposal } from './no-proposal';
import type { ProposedHeader } from './propose-header';
import { RepeatedCell } from './repeated-cell';
import { SignProof } from './sign-proof';
import { WordProof } from './word-proof';

/** What all rows of a file say together. */
export interface RowsProof {
  readonly dates: DateProof;
  readonly amounts: AmountProof;
  readonly signs: SignProof;
  readonly debitSigns: DebitSignProof;
  readonly status: WordProof<'booked' | 'pending'>;
  /** The rows above the header, and the labeled ones below it. */
  readonly around: readonly CsvRow[];
}

const AMOUNTS: readonly ColumnRole[] = ['debit', 'credit', 'amount', 'balance'];
const AROUND_ROWS_MAX = 1_000;

/**
 * Goes through the rows below a header once.
 *
 * @throws AppError `bad_input` that names the first row which is neither a line nor a known row around the lines.
 */
export function proveRows(text: string, header: ProposedHeader): RowsProof {
  const dates = new DateProof();
  const amounts = new AmountProof();
  const signs = new SignProof(header);
  const debitSigns = new DebitSignProof();
  const status = new WordProof(STATUS_WORDS, ['booked', 'pending']);
  const account = new RepeatedCell('account');
  const currency = new RepeatedCell('currency');
  const dialect = { delimiter: header.delimiter, quote: '"' };
  const below: CsvRow[] = [];
  let first: CsvRow | undefined;
  let last: CsvRow | undefined;

  const cellOf = (row: CsvRow, role: ColumnRole): string | undefined => {
    const column = header.columns.get(role);
    return column && (row.cells[column.index] ?? '').trim();
  };
  const place = (row: CsvRow, role: ColumnRole): string =>
    `line ${row.line}, column ${quoted(header.columns.get(role)?.name ?? '')}`;
  const seeAmounts = (row: CsvRow): void =>
    AMOUNTS.forEach((role) => amounts.see(cellOf(row, role) ?? '', place(row, role)));
  const seeSame = (row: CsvRow, role: 'account' | 'currency', cell: RepeatedCell): void => {
    const found = cellOf(row, role);
    const fault = found === undefined ? undefined : cell.faultOf(found, row.line);
    if (fault !== undefined) throw noProposal(`${place(row, role)}: ${fault}`);
  };

  eachRow(text.slice(header.start), { ...dialect, firstLine: header.line }, (row) => {
    if (row.line === header.line) return;
    const date = cellOf(row, 'bookingDate') ?? '';
    if (!/^\d/.test(date) && isAround(row.cells)) {
      below.push(row);
      if (below.length > AROUND_ROWS_MAX)
        throw noProposal(`line ${row.line}: expected at most ${AROUND_ROWS_MAX} rows around the lines, got more`);
      if (isTotals(row.cells)) seeAmounts(row);
      return;
    }
    if (row.cells.length < header.width) {
      throw noProposal(`line ${row.line}: expected ${header.width} cells, as the header has, got ${row.cells.length}`);
    }
    dates.see(date, place(row, 'bookingDate'), 'in order');
    const valueDate = cellOf(row, 'valueDate') ?? '';
    if (valueDate !== '') dates.see(valueDate, place(row, 'valueDate'), 'in any order');
    first ??= row;
    last = row;
    seeAmounts(row);
    debitSigns.see(cellOf(row, 'debit') ?? '', cellOf(row, 'credit') ?? '', `line ${row.line}`);
    signs.see(row.cells, cellOf(row, 'amount') ?? '', row.line);
    if (header.columns.has('status')) status.see(cellOf(row, 'status') ?? '', place(row, 'status'));
    seeSame(row, 'account', account);
    seeSame(row, 'currency', currency);
  });
  requireCurrency(currency.value, header);
  for (const row of new Set([first, last])) {
    const seen = row && balanceSeen(cellOf(row, 'remittance') ?? '');
    if (row !== undefined && seen !== undefined) throw noProposal(`${place(row, 'remittance')}: ${seen}`);
  }

  const above = firstLines(text, header.line - 1).map((line) => ({
    line: line.line,
    cells: looseCells(line.text, dialect),
    raw: line.text,
  }));
  const around = [...above, ...below];
  for (const which of ['opening', 'closing'] as const) {
    const found = balanceAround(around, which);
    if (found !== undefined) amounts.see(found.text, `line ${found.line}`);
  }
  return { dates, amounts, signs, debitSigns, status, around };
}

function requireCurrency(code: string | undefined, header: ProposedHeader): void {
  if (code === undefined || exponentOf(code.toUpperCase()) !== undefined) return;
  const column = header.columns.get('currency')?.name ?? '';
  throw noProposal(`column ${quoted(column)}: expected a currency of ISO 4217, got ${quoted(code)}`);
}
