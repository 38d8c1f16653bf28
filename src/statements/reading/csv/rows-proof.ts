import { counted, quoted } from '../../../kernel';
import { currencyOf } from '../currencies';
import { AmountProof } from './amount-proof';
import { balanceSeen } from './balance-seen';
import type { CsvRow } from './csv-rows';
import { DateProof } from './date-proof';
import { DebitSignProof } from './debit-sign-proof';
import { type ColumnRole, STATUS_WORDS } from './known-columns';
import { balanceTexts } from './labeled-balance';
import { type LabeledRow, labelIndex } from './labeled-rows';
import { accountLabelAround, isAround, isLabeled, valueOf } from './labels-around';
import { noProposal } from './no-proposal';
import type { ProposedHeader } from './propose-header';
import { preambleRows } from './read-csv-statement';
import { RepeatedCell } from './repeated-cell';
import type { RowSource } from './row-source';
import { SignProof } from './sign-proof';
import { type RowKind, sortRows } from './sort-rows';
import { WordProof } from './word-proof';

/** The facts that all rows of a file show together. */
export interface RowsProof {
  readonly dates: DateProof;
  readonly amounts: AmountProof;
  readonly signs: SignProof;
  readonly debitSigns: DebitSignProof;
  readonly status: WordProof<'booked' | 'pending'>;
  /** The currency that the rows name; that of the first account, if they differ. */
  readonly currency: string | undefined;
  /** For each account that a row names, the rows above its lines and the labeled ones below them. */
  readonly sections: readonly (readonly LabeledRow[])[];
}

const AMOUNTS: readonly ColumnRole[] = ['debit', 'credit', 'amount', 'balance'];
const AROUND_ROWS_MAX = 1_000;
const BALANCES = ['opening', 'closing', 'dated'] as const;

/**
 * Reads the rows below a header once.
 * @throws AppError `bad_input` that names the first row that is neither a line nor a known row around the lines.
 */
export function proveRows(source: RowSource, header: ProposedHeader): RowsProof {
  const dialect = { delimiter: header.delimiter, quote: '"' };
  const preamble = preambleRows(source, header, dialect);
  const label = header.columns.has('account') ? undefined : accountLabelAround(preamble);
  const rows = new RowsInProgress(header, preamble);
  const rules = {
    ...{ header, dialect, preamble },
    accountLabel: label === undefined ? undefined : { label: new RegExp(label, 'iu') },
    isDated: (row: CsvRow) => /^\d/.test(cellAt(header, row, 'bookingDate') ?? ''),
    isLabeled: (row: CsvRow) => isAround(row.cells),
  };
  sortRows(source, rules, (row, kind) => rows.take(row, kind));
  return rows.finish();
}

class RowsInProgress {
  readonly #header: ProposedHeader;
  readonly #dates = new DateProof();
  readonly #amounts = new AmountProof();
  readonly #signs: SignProof;
  readonly #debitSigns = new DebitSignProof();
  readonly #status = new WordProof(STATUS_WORDS, ['booked', 'pending']);
  readonly #currencies = new Map<string, RepeatedCell>();
  readonly #sections: LabeledRow[][];
  /** Dated balances below the last line so far. */
  #held: CsvRow[] = [];
  /** The account or the section of the last line. */
  #lineOf: string | undefined;
  #first: CsvRow | undefined;
  #last: CsvRow | undefined;

  constructor(header: ProposedHeader, preamble: readonly LabeledRow[]) {
    this.#header = header;
    this.#signs = new SignProof(header);
    this.#sections = [[...preamble]];
  }

  take(row: CsvRow, kind: RowKind): void {
    if (kind === 'dated') this.#takeDated(row);
    else if (kind === 'unknown') this.#takeLine(row);
    else if (kind !== 'heading') {
      if (kind === 'account') this.#sections.push([]);
      this.#takeAround({ ...row, place: kind === 'labeled' ? 'below' : 'above', dated: false });
    }
  }

  /** A dated balance with a known label is one above the first line or below the last; elsewhere it is a line. */
  #takeDated(row: CsvRow): void {
    const text = this.#cellOf(row, 'remittance') ?? '';
    if (!BALANCES.some((label) => isLabeled([text], label))) {
      for (const line of [...this.#held, row]) this.#takeLine(line);
      this.#held = [];
    } else if (this.#first === undefined) this.#takeDatedBalance(row);
    else this.#held.push(row);
  }

  #takeDatedBalance(row: CsvRow): void {
    this.#dates.see(this.#cellOf(row, 'bookingDate') ?? '', this.#place(row, 'bookingDate'), 'in any order');
    this.#sections.at(-1)?.push({ ...row, place: 'below', dated: true });
  }

  finish(): RowsProof {
    for (const row of this.#held) this.#takeDatedBalance(row);
    for (const cell of this.#currencies.values()) requireCurrency(cell.value, this.#header);
    for (const row of new Set([this.#first, this.#last])) {
      const seen = row && balanceSeen(this.#cellOf(row, 'remittance') ?? '');
      if (row !== undefined && seen !== undefined) throw noProposal(`${this.#place(row, 'remittance')}: ${seen}`);
    }
    for (const row of this.#sections.flat()) this.#seeBalance(row);
    return {
      dates: this.#dates,
      amounts: this.#amounts,
      signs: this.#signs,
      debitSigns: this.#debitSigns,
      status: this.#status,
      currency: [...this.#currencies.values()][0]?.value,
      sections: this.#sections,
    };
  }

  #takeAround(row: LabeledRow): void {
    const around = this.#sections.at(-1) ?? [];
    around.push(row);
    if (around.length > AROUND_ROWS_MAX) {
      throw noProposal(`line ${row.line}: expected at most ${AROUND_ROWS_MAX} rows around the lines, got more`);
    }
    if (row.place === 'below' && isLabeled(row.cells, 'totals')) this.#seeAmounts(row);
  }

  #seeBalance(row: LabeledRow): void {
    const at = (role: ColumnRole): number | undefined => this.#header.columns.get(role)?.index;
    const columns = { debit: at('debit'), credit: at('credit'), amount: at('amount'), balance: at('balance') };
    for (const which of BALANCES) {
      if (labelIndex(row, valueOf(which)) === -1) continue;
      for (const text of balanceTexts(row, valueOf(which), columns)) this.#amounts.see(text, `line ${row.line}`);
    }
  }

  #takeLine(row: CsvRow): void {
    const { names, columns } = this.#header;
    if (row.cells.length < names.length) {
      const expected = counted(names.length, 'cell');
      throw noProposal(`line ${row.line}: expected ${expected}, as the header has, got ${row.cells.length}`);
    }
    const account = this.#cellOf(row, 'account');
    const section = account ?? String(this.#sections.length);
    if (section !== this.#lineOf) this.#dates.startOver();
    this.#lineOf = section;
    this.#dates.see(this.#cellOf(row, 'bookingDate') ?? '', this.#place(row, 'bookingDate'), 'in order');
    const valueDate = this.#cellOf(row, 'valueDate') ?? '';
    if (valueDate !== '') this.#dates.see(valueDate, this.#place(row, 'valueDate'), 'in any order');
    this.#first ??= row;
    this.#last = row;
    this.#seeAmounts(row);
    this.#debitSigns.see(this.#cellOf(row, 'debit') ?? '', this.#cellOf(row, 'credit') ?? '', `line ${row.line}`);
    this.#signs.see(row.cells, this.#cellOf(row, 'amount') ?? '', row.line);
    if (columns.has('status')) this.#status.see(this.#cellOf(row, 'status') ?? '', this.#place(row, 'status'));
    if (account === '') throw noProposal(`${this.#place(row, 'account')}: expected the account, got nothing`);
    this.#seeCurrency(row, section);
  }

  #seeAmounts(row: CsvRow): void {
    for (const role of AMOUNTS) this.#amounts.see(this.#cellOf(row, role) ?? '', this.#place(row, role));
  }

  /** Rows of one account have one currency. */
  #seeCurrency(row: CsvRow, section: string): void {
    const text = this.#cellOf(row, 'currency');
    if (text === undefined) return;
    const cell = this.#currencies.get(section) ?? new RepeatedCell('currency');
    this.#currencies.set(section, cell);
    const fault = cell.faultOf(currencyOf(text) ?? text, row.line);
    if (fault !== undefined) throw noProposal(`${this.#place(row, 'currency')}: ${fault}`);
  }

  #cellOf(row: CsvRow, role: ColumnRole): string | undefined {
    return cellAt(this.#header, row, role);
  }

  #place(row: CsvRow, role: ColumnRole): string {
    return `line ${row.line}, column ${quoted(this.#header.columns.get(role)?.name ?? '')}`;
  }
}

function cellAt({ columns }: ProposedHeader, row: CsvRow, role: ColumnRole): string | undefined {
  const column = columns.get(role);
  return column && (row.cells[column.index] ?? '').trim();
}

function requireCurrency(code: string | undefined, header: ProposedHeader): void {
  if (code === undefined || currencyOf(code) !== undefined) return;
  const column = header.columns.get('currency')?.name ?? '';
  throw noProposal(`column ${quoted(column)}: expected a currency of ISO 4217, got ${quoted(code)}`);
}
