import { totalToJson } from '../kernel';
import { type Cell, columnsFor, machineCell, type ReportColumn, type ReportDocument } from './report-document';

/** Renders the report for scripts: one list per table, amounts in millimes, null for unknown values. */
export function documentToJson({ key, facts, tables, proven }: ReportDocument): Readonly<Record<string, unknown>> {
  return {
    report: key,
    ...Object.fromEntries(facts.map((fact) => [fact.key, cellToJson(fact.value)])),
    ...(proven === undefined ? {} : { proven }),
    ...Object.fromEntries(
      tables.map(({ key: name, columns, rows }) => [name, rows.map((row) => rowToJson(columns, row))]),
    ),
  };
}

export function rowToJson(columns: readonly ReportColumn[], row: readonly Cell[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    columnsFor('whole', columns).map(({ column, index }) => [column.key, cellToJson(row[index])]),
  );
}

function cellToJson(given: Cell): string | number | boolean | null {
  const cell = machineCell(given);
  return typeof cell === 'bigint' ? totalToJson(cell) : (cell ?? null);
}
