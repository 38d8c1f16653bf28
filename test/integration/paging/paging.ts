import { expect } from '@jest/globals';
import type { Session } from '../../../src/db';
import { type Page, pagesOf } from '../../../src/kernel';
import { type Harness, rawConnection } from '../../support/db';

/** What a page of at most 2,000 examined rows may read besides: joined rows, one row more, the counters themselves. */
export const ROWS_READ_MAX = 4_500;

/** Walks a list to its end, and checks that no page is longer than its limit. */
export async function walk<Row, Key>(
  limit: number,
  page: (after: Key | undefined, limit: number) => Promise<Page<Row, Key>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: Key | undefined;
  do {
    const found = await page(after, limit);
    expect(found.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...found.rows);
    after = found.next;
  } while (after !== undefined);
  return rows;
}

/** Inserts many rows past the stores. */
export async function insertMany(
  session: Session,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  for (const page of pagesOf(rows, 500)) await session(table).insert(page);
}

/** Checks the number of rows that MariaDB reads meanwhile, by its own counters; SQLite has none. */
export async function expectFewRowsRead<T>(harness: Harness, work: () => Promise<T>, most = ROWS_READ_MAX): Promise<T> {
  if (harness.dialect === 'sqlite') return work();
  const connection = await rawConnection(harness.url);
  const count = async (): Promise<number> => {
    const [rows] = await connection.query({ sql: "show global status like 'Handler_read%'", rowsAsArray: true });
    return (rows as unknown as [string, string][]).reduce((sum, [, value]) => sum + Number(value), 0);
  };
  try {
    const before = await count();
    const result = await work();
    expect((await count()) - before).toBeLessThanOrEqual(most);
    return result;
  } finally {
    connection.destroy();
  }
}
