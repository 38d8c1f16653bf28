import {
  type BusinessCalendar,
  type BusinessDate,
  formatDinars,
  formatInstant,
  formatProbability,
  type Instant,
} from '../kernel';
import { asOfText, type Known } from './ledger-date';
import { type Speech, spokenText } from './speech';

/** An instant: people read it in the business time zone, machines in UTC. */
export interface InstantCell {
  readonly at: Instant;
}

/** A probability: people read it in percent, machines in its stored form. */
export interface ProbabilityCell {
  readonly probability: string;
}

/** A field of a report: text, a count, a yes or no, an amount in millimes (bigint), an instant, a probability, or nothing. */
export type Cell = string | number | bigint | boolean | InstantCell | ProbabilityCell | undefined;

/** A column of a table. `key` ends with its unit, if it has one: `amountMillimes`. */
export interface ReportColumn {
  readonly key: string;
  readonly label: string;
  /** Omitted on a terminal, where a line has 100 characters; every other format has it. */
  readonly wideOnly?: true;
  /** A short form of other columns, for terminals only. */
  readonly terminalOnly?: true;
  /** Omitted for people: an id or a stored form that only machines need. */
  readonly machineOnly?: true;
  /** May be truncated on a terminal. */
  readonly mayBeCut?: true;
}

export interface ReportPlot {
  readonly title: string;
  /** Of the amounts: millimes, shown as dinars, or a count of breaks. */
  readonly unit: 'DT' | 'breaks';
  readonly description: string;
  /** Bars unless stated otherwise. A line has one series. */
  readonly kind?: 'line';
  readonly categories: readonly string[];
  /** At most two, with one amount per category. */
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

/** A column, and its cell in the row of each thing that the table lists. */
export interface Field<Thing> extends ReportColumn {
  readonly cell: (thing: Thing) => Cell;
}

/** Returns the cell of an instant, if it is known. */
export function instantCell(instant: Instant | undefined): Cell {
  return instant === undefined ? undefined : { at: instant };
}

/** Returns the cell of a probability in its stored form, if it is known. */
export function probabilityCell(stored: string | undefined): Cell {
  return stored === undefined ? undefined : { probability: stored };
}

/** Returns the value of a cell for machines: an instant as ISO 8601 in UTC. */
export function machineCell(cell: Cell): Exclude<Cell, object> {
  if (typeof cell !== 'object') return cell;
  return 'at' in cell ? formatInstant(cell.at) : cell.probability;
}

/** Returns the text of the cell of a column or fact for people. */
export function peopleCell(key: string, cell: Cell, calendar: BusinessCalendar, speech: Speech): string {
  switch (typeof cell) {
    case 'bigint':
      return formatDinars(cell);
    case 'boolean':
      return speech.say(cell ? 'yes' : 'no');
    case 'object':
      return 'at' in cell ? calendar.formatLocal(cell.at) : formatProbability(Number(cell.probability));
    case 'undefined':
      return '';
    case 'string':
      return spokenText(speech, key, cell);
    default:
      return String(cell);
  }
}

/** Creates a table with one row for each thing. */
export function tableOf<Thing>(
  things: readonly Thing[],
  { fields, ...table }: Omit<ReportTable, 'columns' | 'rows'> & { readonly fields: readonly Field<Thing>[] },
): ReportTable {
  return { ...table, columns: fields, rows: things.map((thing) => cellsOf(fields, thing)) };
}

export function cellsOf<Thing>(fields: readonly Field<Thing>[], thing: Thing): Cell[] {
  return fields.map(({ cell }) => cell(thing));
}

/** Returns the columns of one format, each with its index in a row. */
export function columnsFor(
  form: 'terminal' | 'page' | 'whole',
  columns: readonly ReportColumn[],
): { readonly column: ReportColumn; readonly index: number }[] {
  const isOmitted = ({ wideOnly, terminalOnly, machineOnly }: ReportColumn): boolean => {
    if (form === 'terminal') return wideOnly === true;
    return terminalOnly === true || (form === 'page' && machineOnly === true);
  };
  return columns.flatMap((column, index) => (isOmitted(column) ? [] : [{ column, index }]));
}

export interface ReportFact {
  readonly key: string;
  readonly label: string;
  readonly value: Cell;
}

/** Returns the facts that state the cut-off of a report. */
export function asOfFacts(through: BusinessDate, { knownAt }: Known): ReportFact[] {
  return [
    { key: 'asOf', label: 'as of', value: asOfText(through) },
    { key: 'knownAt', label: 'known at', value: instantCell(knownAt) },
  ];
}

/** Returns the facts that state the days of a report and its cut-off. */
export function periodFacts(report: ReportPeriod & Known): ReportFact[] {
  return [
    { key: 'from', label: 'from', value: report.from },
    { key: 'to', label: 'to', value: report.to },
    ...asOfFacts(report.to, report),
  ];
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

/** A number of things and the sum of their amounts. In millimes. */
export interface Total {
  readonly count: number;
  readonly amount: bigint;
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
