import type { BusinessDate } from '../kernel';

/** A field of a report: text, a count, a yes or no, an amount in millimes (bigint), or nothing. */
export type Cell = string | number | bigint | boolean | undefined;

/** A column of a table. `key` ends with its unit, if it has one: `amountMillimes`. */
export interface ReportColumn {
  readonly key: string;
  readonly label: string;
  /** Omitted on a terminal, where a line has 100 characters; every other format has it. */
  readonly wideOnly?: true;
  /** A short form of other columns, for terminals only. */
  readonly terminalOnly?: true;
  /** May be truncated on a terminal. */
  readonly mayBeCut?: true;
}

export interface ReportPlot {
  readonly title: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** Amounts in millimes, one per category, 0 or more, drawn as stacked bars. */
  readonly series: readonly { readonly name: string; readonly amounts: readonly bigint[] }[];
}

export interface ReportTable {
  /** Its name in JSON and CSV. */
  readonly key: string;
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** The maximum number of rows on a terminal; undefined for all. */
  readonly rowsShownMax?: number;
  /** The chart above the table on the page. */
  readonly plot?: ReportPlot;
}

/** Returns the columns of one format, each with its index in a row. */
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

/** A report independent of its format: the same tables for terminal, spreadsheet, script and browser. */
export interface ReportDocument {
  readonly key: 'aging' | 'clearing' | 'agents' | 'payouts' | 'fees';
  readonly title: string;
  readonly facts: readonly ReportFact[];
  readonly tables: readonly ReportTable[];
  /** Undefined for a report without a proof. */
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

/** Returns the verdict of a report with a proof. */
export function provenText(proven: boolean): string {
  return proven ? 'adds up' : 'DOES NOT ADD UP';
}
