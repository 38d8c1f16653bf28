import { pagesOf } from '../kernel';
import type { TableQuery } from './copy-rows';
import type { Row } from './raw';
import { rowsOf } from './session';
import { ROWS_PER_STATEMENT } from './statements';

const PAGE_ROWS = 100;

/** How rows of one table follow from the rows of another. */
export interface DeriveRows {
  /** The primary key of the table that is read, one column of text. */
  readonly id: string;
  /** The columns from which rows follow. */
  readonly from: readonly string[];
  /** Returns the rows that follow from one row. Each has all columns of its key and, under its own name, the id. */
  derive(row: Row): readonly Row[];
}

/**
 * Adds the derived rows page by page and leaves out the existing ones, so that an interrupted migration may run again.
 * On a server each page is committed, because a transaction must not last that long.
 */
export async function deriveRows(
  query: TableQuery,
  table: string,
  to: string,
  { id, from, derive }: DeriveRows,
): Promise<void> {
  let last = '';
  for (;;) {
    const rows = await rowsOf(
      query(table)
        .select([id, ...from])
        .where(id, '>', last)
        .orderBy(id)
        .limit(PAGE_ROWS),
    );
    const derived = rows.flatMap(derive);
    const [first] = derived;
    if (first !== undefined) {
      const columns = Object.keys(first);
      const textOf = (row: Row): string => JSON.stringify(columns.map((name) => row[name]));
      const ids = rows.map((row) => String(row[id]));
      const known = new Set((await rowsOf(query(to).select(columns).whereIn(id, ids))).map(textOf));
      const missing = derived.filter((row) => !known.has(textOf(row)));
      for (const page of pagesOf(missing, ROWS_PER_STATEMENT)) await query(to).insert(page);
    }
    if (rows.length < PAGE_ROWS) return;
    last = String(rows.at(-1)?.[id]);
  }
}
