import type { Knex } from 'knex';
import type { TableQuery } from './copy-rows';
import type { Row } from './raw';
import { rowsOf } from './session';

const PAGE_ROWS = 100;

export interface TablePages {
  /** The primary key of the table, one column of text. */
  readonly id: string;
  /** The other columns that are read. */
  readonly from: readonly string[];
  /** Limits the rows that are read (default: all). */
  readonly where?: (query: Knex.QueryBuilder) => Knex.QueryBuilder;
}

/**
 * Reads a table in the order of its key and hands each page to `work`. On a server each page is committed, because a
 * transaction must not last that long.
 */
export async function readTableInPages(
  query: TableQuery,
  table: string,
  { id, from, where = (page) => page }: TablePages,
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  let last = '';
  for (;;) {
    const page = query(table)
      .select([id, ...from])
      .where(id, '>', last);
    const rows = await rowsOf(where(page).orderBy(id).limit(PAGE_ROWS));
    await work(rows);
    if (rows.length < PAGE_ROWS) return;
    last = String(rows.at(-1)?.[id]);
  }
}
