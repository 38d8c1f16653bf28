import { quoted } from '../../../kernel';
import { balanceSeen } from './balance-seen';
import type { CsvRow } from './csv-rows';
import type { SeenText } from './forms';
import type { ColumnRole } from './known-columns';
import { balanceTexts } from './labeled-balance';
import { type LabeledRow, labelIndex } from './labeled-rows';
import { accountLabelAround, isAround, isLabeled, valueOf } from './labels-around';
import { noProposal } from './no-proposal';
import type { ProposedHeader } from './propose-header';
import { preambleRows } from './read-csv-statement';
import type { RowSource } from './row-source';
import { AmountMarks, SeenColumn } from './seen-column';
import { type RowKind, sortRows } from './sort-rows';

/** What all rows of a file show together. */
export interface Survey {
  /** One for each column of the header. */
  readonly columns: readonly SeenColumn[];
  /** The marks of the column of amounts, of debits, and of credits. */
  readonly marks: Readonly<Record<'amount' | 'debit' | 'credit', AmountMarks>>;
  readonly bookingDates: readonly SeenText[];
  /** The booking days from line to line, each run of equal ones once; one list for each account that a row names. */
  readonly runs: readonly (readonly string[])[];
  /** All dates, and the amounts with the labeled balances: the cells whose form is to be found. */
  readonly dates: readonly SeenText[];
  readonly amounts: readonly SeenText[];
  /** The first row with an amount and without a date. */
  readonly undated: number | undefined;
  /** For each account that a row names, the rows above its lines and the labeled ones below them. */
  readonly sections: readonly (readonly LabeledRow[])[];
}

const AMOUNTS = ['debit', 'credit', 'amount', 'balance'] as const;
const AROUND_ROWS_MAX = 1_000;
const BALANCES = ['opening', 'closing', 'dated'] as const;

/** Reads the rows below a header once. @throws AppError `bad_input` for a balance in the form of a line. */
export function surveyRows(source: RowSource, header: ProposedHeader): Survey {
  const dialect = { delimiter: header.delimiter, quote: '"' };
  const preamble = preambleRows(source, header, dialect);
  const label = header.columns.has('account') ? undefined : accountLabelAround(preamble);
  const rows = new RowsInProgress(header, preamble);
  const rules = {
    ...{ header, dialect, preamble },
    accountLabel: label === undefined ? undefined : { label: new RegExp(label, 'iu') },
    isDated: (row: CsvRow) => /^[\p{Cf}\s]*\p{Nd}/u.test(cellAt(header, row, 'bookingDate')),
    isLabeled: (row: CsvRow) => isAround(row.cells),
  };
  sortRows(source, rules, (row, kind) => rows.take(row, kind));
  return rows.finish();
}

class RowsInProgress {
  readonly #header: ProposedHeader;
  readonly #columns: SeenColumn[];
  readonly #marks = { amount: new AmountMarks(), debit: new AmountMarks(), credit: new AmountMarks() };
  readonly #sections: LabeledRow[][];
  readonly #datedBalances: SeenText[] = [];
  readonly #runs: string[][] = [[]];
  #undated: number | undefined;
  #lineOf = '';
  /** Dated balances below the last line so far. */
  #held: CsvRow[] = [];
  #first: CsvRow | undefined;
  #last: CsvRow | undefined;

  constructor(header: ProposedHeader, preamble: readonly LabeledRow[]) {
    this.#header = header;
    this.#columns = header.names.map((name, index) => new SeenColumn(name, index));
    this.#sections = [[...preamble]];
  }

  take(row: CsvRow, kind: RowKind): void {
    if (kind === 'dated') this.#takeDated(row);
    else if (kind === 'unknown') this.#takeUndated(row);
    else if (kind !== 'heading') {
      if (kind === 'account') this.#sections.push([]);
      this.#takeAround({ ...row, place: kind === 'labeled' ? 'below' : 'above', dated: false });
    }
  }

  /** A dated balance with a known label is one above the first line or below the last; elsewhere it is a line. */
  #takeDated(row: CsvRow): void {
    const text = cellAt(this.#header, row, 'remittance');
    if (!BALANCES.some((label) => isLabeled([text], label))) {
      for (const line of [...this.#held, row]) this.#takeLine(line);
      this.#held = [];
    } else if (this.#first === undefined) this.#takeDatedBalance(row);
    else this.#held.push(row);
  }

  #takeDatedBalance(row: CsvRow): void {
    this.#datedBalances.push(seenAt(row.line, cellAt(this.#header, row, 'bookingDate')));
    this.#sections.at(-1)?.push({ ...row, place: 'below', dated: true });
  }

  /** A row of text alone continues the line above. One with an amount is a line of the day above, or no line. */
  #takeUndated(row: CsvRow): void {
    const isEmpty = cellAt(this.#header, row, 'bookingDate') === '';
    if (isEmpty && AMOUNTS.every((role) => cellAt(this.#header, row, role) === '')) return;
    if (isEmpty && this.#first !== undefined) this.#undated ??= row.line;
    this.#takeLine(row);
  }

  finish(): Survey {
    for (const row of this.#held) this.#takeDatedBalance(row);
    for (const row of new Set([this.#first, this.#last])) {
      const seen = row && balanceSeen(cellAt(this.#header, row, 'remittance'));
      if (row !== undefined && seen !== undefined) throw noProposal(`${this.#place(row.line, 'remittance')}: ${seen}`);
    }
    return {
      columns: this.#columns,
      marks: this.#marks,
      bookingDates: this.#textsOf('bookingDate'),
      runs: this.#runs,
      dates: byLine([...this.#textsOf('bookingDate'), ...this.#textsOf('valueDate'), ...this.#datedBalances]),
      amounts: byLine([
        ...AMOUNTS.flatMap((role) => this.#textsOf(role)),
        ...this.#sections.flat().flatMap((row) => this.#balances(row)),
      ]),
      undated: this.#undated,
      sections: this.#sections,
    };
  }

  #takeAround(row: LabeledRow): void {
    const around = this.#sections.at(-1) ?? [];
    around.push(row);
    if (around.length > AROUND_ROWS_MAX) {
      throw noProposal(`line ${row.line}: expected at most ${AROUND_ROWS_MAX} rows around the lines, got more`);
    }
  }

  #takeLine(row: CsvRow): void {
    this.#first ??= row;
    this.#last = row;
    this.#seeDay(row);
    let negative: boolean | undefined;
    // A row without an amount is no line, so nothing is missing in it.
    let isLine = false;
    for (const role of ['debit', 'credit', 'amount'] as const) {
      const text = cellAt(this.#header, row, role);
      if (text === '') continue;
      isLine = true;
      negative = this.#marks[role].see(text, row.line);
    }
    if (!this.#header.columns.has('amount')) negative = undefined;
    for (const column of this.#columns) {
      const text = (row.cells[column.index] ?? '').trim();
      if (isLine || text !== '') column.see(text, row.line, negative);
    }
  }

  #seeDay(row: CsvRow): void {
    const of = `${this.#sections.length} ${cellAt(this.#header, row, 'account')}`;
    if (of !== this.#lineOf) this.#runs.push([]);
    this.#lineOf = of;
    const day = cellAt(this.#header, row, 'bookingDate');
    const run = this.#runs.at(-1);
    if (day !== '' && run?.at(-1) !== day) run?.push(day);
  }

  /** Returns the balances of a row around the lines, and its totals. */
  #balances(row: LabeledRow): SeenText[] {
    const at = (role: ColumnRole): number | undefined => this.#header.columns.get(role)?.index;
    const columns = { debit: at('debit'), credit: at('credit'), amount: at('amount'), balance: at('balance') };
    const isTotals = row.place === 'below' && isLabeled(row.cells, 'totals');
    const totals = isTotals ? AMOUNTS.map((role) => cellAt(this.#header, row, role)) : [];
    const texts = BALANCES.flatMap((which) =>
      labelIndex(row, valueOf(which)) === -1 ? [] : balanceTexts(row, valueOf(which), columns),
    );
    return [...texts, ...totals].filter((text) => text !== '').map((text) => seenAt(row.line, text));
  }

  #textsOf(role: ColumnRole): SeenText[] {
    const column = this.#columns[this.#header.columns.get(role)?.index ?? -1];
    return [...(column?.values ?? [])].map(([text, { line }]) => ({ line, text, place: this.#place(line, role) }));
  }

  #place(line: number, role: ColumnRole): string {
    return `line ${line}, column ${quoted(this.#header.columns.get(role)?.name ?? '')}`;
  }
}

function seenAt(line: number, text: string): SeenText {
  return { line, text, place: `line ${line}` };
}

function byLine(cells: readonly SeenText[]): SeenText[] {
  return [...cells].sort((a, b) => a.line - b.line);
}

function cellAt({ columns }: ProposedHeader, row: CsvRow, role: ColumnRole): string {
  const column = columns.get(role);
  return column === undefined ? '' : (row.cells[column.index] ?? '').trim();
}
