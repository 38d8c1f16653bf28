import { pagesOf } from '../kernel';
import type { TableQuery } from './copy-rows';
import type { Row } from './raw';
import { readTableInPages } from './read-table-in-pages';
import { rowsOf } from './session';
import { ROWS_PER_STATEMENT } from './statements';

/** How rows of one table follow from the rows of another. */
export interface DeriveRows {
  /** The primary key of the table that is read, one column of text. */
  readonly id: string;
  /** The columns from which rows follow. */
  readonly from: readonly string[];
  /** The column of the derived rows that has the id (default: the same name). */
  readonly idAs?: string;
  /** Returns the rows that follow from one row. Each has all columns of its key, and the id. */
  derive(row: Row): readonly Row[];
}

/** Adds the derived rows page by page and leaves out the existing ones, so that an interrupted migration may run again. */
export function deriveRows(
  query: TableQuery,
  table: string,
  to: string,
  { id, from, idAs = id, derive }: DeriveRows,
): Promise<void> {
  return readTableInPages(query, table, { id, from }, async (rows) => {
    const derived = rows.flatMap(derive);
    const [first] = derived;
    if (first === undefined) return;
    const columns = Object.keys(first);
    const textOf = (row: Row): string => JSON.stringify(columns.map((name) => row[name]));
    const ids = rows.map((row) => String(row[id]));
    const known = new Set((await rowsOf(query(to).select(columns).whereIn(idAs, ids))).map(textOf));
    const missing = derived.filter((row) => !known.has(textOf(row)));
    for (const page of pagesOf(missing, ROWS_PER_STATEMENT)) await query(to).insert(page);
  });
}
