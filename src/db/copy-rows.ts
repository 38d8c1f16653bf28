import type { Knex } from 'knex';
import { assert } from '../kernel';
import type { Row } from './raw';
import { rowsOf } from './session';

/** A row may contain a whole line of a bank file, so a page must be small enough for a server's maximum packet. */
const PAGE_ROWS = 100;

/** How rows of one table are converted to rows of another. */
export interface CopyRows {
  /** The columns of `from` that order the reading; together they are unique and never null. */
  readonly key: readonly [string, ...string[]];
  /** Copies only the rows with these values. */
  readonly where?: Readonly<Record<string, string | number>>;
  /** The primary key of `to`, one column. */
  readonly id: string;
  /**
   * Converts a row. It is called for every row in the order of `key`, even for rows that an earlier run has copied, so
   * it may count.
   */
  convert(row: Row): Row;
}

/** Returns a query builder for a table, on the connection of the migration. */
export type TableQuery = (table: string) => Knex.QueryBuilder;

/**
 * Copies the rows page by page and skips existing ones, so that an interrupted run resumes. On a server each page is
 * committed, because a transaction must not last that long.
 */
export async function copyRows(
  query: TableQuery,
  from: string,
  to: string,
  { key, where = {}, id, convert }: CopyRows,
): Promise<void> {
  let last: Row | undefined;
  for (;;) {
    const page = query(from)
      .where(where)
      .orderBy([...key])
      .limit(PAGE_ROWS);
    if (last !== undefined) after(page, key, last);
    const rows = await rowsOf(page);
    if (rows.length > 0) await addMissing(query, to, id, rows.map(convert));
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1);
  }
}

async function addMissing(query: TableQuery, table: string, id: string, rows: readonly Row[]): Promise<void> {
  const ids = rows.map((row) => String(row[id]));
  const present = await rowsOf(query(table).select(id).whereIn(id, ids));
  const known = new Set(present.map((row) => String(row[id])));
  // Several rows may become one: the first of them is copied.
  const missing = rows.filter((row) => !known.has(String(row[id])) && known.add(String(row[id])));
  if (missing.length > 0) await query(table).insert(missing);
}

/** Selects the rows after a given row in the order of the key: `a > x or (a = x and b > y)`. */
function after(page: Knex.QueryBuilder, key: readonly string[], last: Row): void {
  void page.andWhere((either) => {
    for (const [index, column] of key.entries()) {
      void either.orWhere((all) => {
        for (const equal of key.slice(0, index)) void all.andWhere(equal, keyValue(last, equal));
        void all.andWhere(column, '>', keyValue(last, column));
      });
    }
  });
}

function keyValue(row: Row, column: string): string | number {
  const value = row[column];
  assert(typeof value === 'string' || typeof value === 'number', 'a key column is text or a number');
  return value;
}
