import { expect } from '@jest/globals';
import type { RowDataPacket } from 'mysql2/promise';
import type { Session } from '../../../src/db';
import { type Page, pagesOf } from '../../../src/kernel';
import { type Harness, rawConnection } from '../../support/db';
import { countRowsRead } from '../../support/rows-read';

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

/**
 * Checks the number of rows that MariaDB reads for the work, by the counters of the sessions that do it: other suites use
 * the same server. SQLite has no counters. A server chooses its plan by estimates, which may be of the rows before those
 * that were just inserted, so more rows count only with estimates of now. `work` must not write.
 */
export async function expectFewRowsRead<T>(
  { database, url }: Harness,
  work: () => Promise<T>,
  most = ROWS_READ_MAX,
): Promise<T> {
  const { read, transact } = database;
  const counted = countRowsRead({ ...database });
  Object.assign(database, { read: counted.database.read, transact: counted.database.transact });
  try {
    const result = await work();
    if ((counted.take() ?? 0) <= most) return result;
    await estimateAgain(url);
    const again = await work();
    expect(counted.take() ?? 0).toBeLessThanOrEqual(most);
    return again;
  } finally {
    Object.assign(database, { read, transact });
  }
}

async function estimateAgain(url: string): Promise<void> {
  const connection = await rawConnection(url);
  try {
    const [tables] = await connection.query<RowDataPacket[]>(
      "select table_name as name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE'",
    );
    await connection.query(`analyze table ${tables.map(({ name }) => `\`${String(name)}\``).join(', ')}`);
  } finally {
    await connection.end();
  }
}
