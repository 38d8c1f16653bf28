import type { BusinessDate } from '../kernel';

/** A field of a report: text, a count, a yes or no, an amount in millimes (bigint), or nothing. */
export type Cell = string | number | bigint | boolean | undefined;

/** A column of a table. `key` ends with the unit where there is one: `amountMillimes`. */
export interface ReportColumn {
  readonly key: string;
  readonly label: string;
  /** Left out on a terminal, where a line has 100 characters; every other form has it. */
  readonly wideOnly?: true;
  /** A short form of others, for a terminal alone. */
  readonly terminalOnly?: true;
  /** May lose its end on a terminal. */
  readonly mayBeCut?: true;
}

export interface ReportPlot {
  readonly title: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** Amounts in millimes, one for each category, 0 or more: bars that stand on each other. */
  readonly series: readonly { readonly name: string; readonly amounts: readonly bigint[] }[];
}

export interface ReportTable {
  /** Its name in JSON and CSV. */
  readonly key: string;
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** More rows than people read: what a terminal shows of them; undefined for all. */
  readonly rowsShownMax?: number;
  /** What the page draws of it, above the table. */
  readonly plot?: ReportPlot;
}

/** The columns of one form, each with its place in a row. */
export function columnsFor(
  form: 'terminal' | 'whole',
  columns: readonly ReportColumn[],
): { readonly column: ReportColumn; readonly index: number }[] {
  return columns.flatMap((column, index) =>
    (form === 'terminal' ? column.wideOnly : column.terminalOnly) === true ? [] : [{ column, index }],
  );
}

export interface ReportFact {
  readonly key: string;
  readonly label: string;
  readonly value: Cell;
}

/** A report before it has a form: the same tables for a terminal, a spreadsheet, a script and a browser. */
export interface ReportDocument {
  readonly key: 'aging' | 'clearing' | 'agents' | 'payouts' | 'fees';
  readonly title: string;
  readonly facts: readonly ReportFact[];
  readonly tables: readonly ReportTable[];
  /** Undefined for a report that has nothing to prove. */
  readonly proven: boolean | undefined;
}

/** The days of a report, both included. */
export interface ReportPeriod {
  readonly from: BusinessDate;
  readonly to: BusinessDate;
}

export function periodTitle(name: string, { from, to }: ReportPeriod): string {
  return from === to ? `${name}, ${from}` : `${name}, ${from} to ${to}`;
}

/** The verdict of a report that proves itself, in the words of the house. */
export function provenText(proven: boolean): string {
  return proven ? 'adds up' : 'DOES NOT ADD UP';
}
