import { type CsvField, csvLine } from '../kernel';
import { type Cell, columnsFor, machineCell, type ReportDocument } from './report-document';

const SECTION = 'section';
const FACTS = 'report';

/**
 * Renders the report for a spreadsheet: the first column names the table, and the others are those of all tables. Amounts
 * are in millimes.
 */
export function documentToCsv({ facts, tables, proven }: ReportDocument): string {
  const factKeys = ['item', 'value'];
  const keys = [
    ...new Set([
      ...factKeys,
      ...tables.flatMap(({ columns }) => columnsFor('whole', columns).map(({ column }) => column.key)),
    ]),
  ];
  const named: readonly { readonly key: string; readonly value: Cell }[] = [
    ...facts,
    ...(proven === undefined ? [] : [{ key: 'proof', value: proven ? 'adds_up' : 'does_not_add_up' }]),
  ];
  const line = (section: string, cells: ReadonlyMap<string, Cell>): string =>
    csvLine([section, ...keys.map((key) => csvField(cells.get(key)))]);
  return [
    csvLine([SECTION, ...keys.map(snakeCase)]),
    ...named.map(({ key, value }) =>
      line(
        FACTS,
        new Map<string, Cell>([
          ['item', snakeCase(key)],
          ['value', value],
        ]),
      ),
    ),
    ...tables.flatMap(({ key, columns, rows }) =>
      rows.map((row) =>
        line(
          snakeCase(key),
          new Map(columnsFor('whole', columns).map(({ column, index }) => [column.key, row[index]])),
        ),
      ),
    ),
  ].join('');
}

/** Returns `amountMillimes` as a column heading. */
export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function csvField(given: Cell): CsvField {
  const cell = machineCell(given);
  return typeof cell === 'boolean' ? String(cell) : (cell ?? '');
}
