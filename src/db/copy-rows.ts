import type { Knex } from 'knex';
import { assert } from '../kernel';
import { type Row, rowsOf } from './session';

/** A row may hold a whole line of a bank file, so few enough that one statement stays within a server's packet. */
const PAGE_ROWS = 100;

/** How the rows of one table become rows of another. */
export interface CopyRows {
  /** The columns of `from`, unique together and never null, by which it is read. */
  readonly key: readonly [string, ...string[]];
  /** Only the rows with these values. */
  readonly where?: Readonly<Record<string, string | number>>;
  /** The primary key of `to`, one column. */
  readonly id: string;
  /**
   * Makes the new row. It is called for every row in the order of `key`, also for those that an earlier run has copied,
   * so it may count.
   */
  convert(row: Row): Row;
}

/** A builder for a table, on the connection of the migration. */
export type TableQuery = (table: string) => Knex.QueryBuilder;

/**
 * Copies the rows page by page and skips those that are there already, so an interrupted run resumes. On a server
 * each page is stored at once: nothing here may hold a transaction that long.
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
  const missing = rows.filter((row) => !known.has(String(row[id])));
  if (missing.length > 0) await query(table).insert(missing);
}

/** `a > x or (a = x and b > y)`: what comes after a row in the order of the key. */
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
