import { quoted } from '../../../kernel';
import { exponentOf } from '../currencies';
import { AmountProof } from './amount-proof';
import { balanceSeen } from './balance-seen';
import { type CsvRow, eachRow, firstLines, looseCells } from './csv-rows';
import { DateProof } from './date-proof';
import { DebitSignProof } from './debit-sign-proof';
import { type ColumnRole, STATUS_WORDS } from './known-columns';
import { balanceAround, isAround, isTotals } from './labels-around';
import { noProposal } from './no-proposal';
import type { ProposedHeader } from './propose-header';
import { RepeatedCell } from './repeated-cell';
import { SignProof } from './sign-proof';
import { WordProof } from './word-proof';

/** The facts that all rows of a file show together. */
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
 * Reads the rows below a header once.
 * @throws AppError `bad_input` that names the first row that is neither a line nor a known row around the lines.
 */
export function proveRows(text: string, header: ProposedHeader): RowsProof {
  const dialect = { delimiter: header.delimiter, quote: '"' };
  const rows = new RowsInProgress(header);
  eachRow(text.slice(header.start), { ...dialect, firstLine: header.line }, (row) => {
    if (row.line !== header.line) rows.take(row);
  });
  const above = firstLines(text, header.line - 1).map((line) => ({
    line: line.line,
    cells: looseCells(line.text, dialect),
    raw: line.text,
  }));
  return rows.finish(above);
}

class RowsInProgress {
  readonly #header: ProposedHeader;
  readonly #dates = new DateProof();
  readonly #amounts = new AmountProof();
  readonly #signs: SignProof;
  readonly #debitSigns = new DebitSignProof();
  readonly #status = new WordProof(STATUS_WORDS, ['booked', 'pending']);
  readonly #account = new RepeatedCell('account');
  readonly #currency = new RepeatedCell('currency');
  readonly #below: CsvRow[] = [];
  #first: CsvRow | undefined;
  #last: CsvRow | undefined;

  constructor(header: ProposedHeader) {
    this.#header = header;
    this.#signs = new SignProof(header);
  }

  take(row: CsvRow): void {
    const date = this.#cellOf(row, 'bookingDate') ?? '';
    if (!/^\d/.test(date) && isAround(row.cells)) this.#takeAround(row);
    else this.#takeLine(row, date);
  }

  finish(above: readonly CsvRow[]): RowsProof {
    requireCurrency(this.#currency.value, this.#header);
    for (const row of new Set([this.#first, this.#last])) {
      const seen = row && balanceSeen(this.#cellOf(row, 'remittance') ?? '');
      if (row !== undefined && seen !== undefined) throw noProposal(`${this.#place(row, 'remittance')}: ${seen}`);
    }
    const around = [...above, ...this.#below];
    for (const which of ['opening', 'closing'] as const) {
      const found = balanceAround(around, which);
      if (found !== undefined) this.#amounts.see(found.text, `line ${found.line}`);
    }
    return {
      dates: this.#dates,
      amounts: this.#amounts,
      signs: this.#signs,
      debitSigns: this.#debitSigns,
      status: this.#status,
      around,
    };
  }

  #takeAround(row: CsvRow): void {
    this.#below.push(row);
    if (this.#below.length > AROUND_ROWS_MAX) {
      throw noProposal(`line ${row.line}: expected at most ${AROUND_ROWS_MAX} rows around the lines, got more`);
    }
    if (isTotals(row.cells)) this.#seeAmounts(row);
  }

  #takeLine(row: CsvRow, date: string): void {
    const header = this.#header;
    if (row.cells.length < header.width) {
      throw noProposal(`line ${row.line}: expected ${header.width} cells, as the header has, got ${row.cells.length}`);
    }
    this.#dates.see(date, this.#place(row, 'bookingDate'), 'in order');
    const valueDate = this.#cellOf(row, 'valueDate') ?? '';
    if (valueDate !== '') this.#dates.see(valueDate, this.#place(row, 'valueDate'), 'in any order');
    this.#first ??= row;
    this.#last = row;
    this.#seeAmounts(row);
    this.#debitSigns.see(this.#cellOf(row, 'debit') ?? '', this.#cellOf(row, 'credit') ?? '', `line ${row.line}`);
    this.#signs.see(row.cells, this.#cellOf(row, 'amount') ?? '', row.line);
    if (header.columns.has('status')) this.#status.see(this.#cellOf(row, 'status') ?? '', this.#place(row, 'status'));
    this.#seeSame(row, 'account', this.#account);
    this.#seeSame(row, 'currency', this.#currency);
  }

  #seeAmounts(row: CsvRow): void {
    for (const role of AMOUNTS) this.#amounts.see(this.#cellOf(row, role) ?? '', this.#place(row, role));
  }

  #seeSame(row: CsvRow, role: 'account' | 'currency', cell: RepeatedCell): void {
    const text = this.#cellOf(row, role);
    const fault = text === undefined ? undefined : cell.faultOf(text, row.line);
    if (fault !== undefined) throw noProposal(`${this.#place(row, role)}: ${fault}`);
  }

  #cellOf(row: CsvRow, role: ColumnRole): string | undefined {
    const column = this.#header.columns.get(role);
    return column && (row.cells[column.index] ?? '').trim();
  }

  #place(row: CsvRow, role: ColumnRole): string {
    return `line ${row.line}, column ${quoted(this.#header.columns.get(role)?.name ?? '')}`;
  }
}

function requireCurrency(code: string | undefined, header: ProposedHeader): void {
  if (code === undefined || exponentOf(code.toUpperCase()) !== undefined) return;
  const column = header.columns.get('currency')?.name ?? '';
  throw noProposal(`column ${quoted(column)}: expected a currency of ISO 4217, got ${quoted(code)}`);
}
