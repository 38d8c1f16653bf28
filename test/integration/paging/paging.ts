import { expect } from '@jest/globals';
import type { Session } from '../../../src/db';
import { type Page, pagesOf } from '../../../src/kernel';
import type { Harness } from '../../support/db';
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
 * the same server. SQLite has no counters.
 */
export async function expectFewRowsRead<T>(
  { database }: Harness,
  work: () => Promise<T>,
  most = ROWS_READ_MAX,
): Promise<T> {
  const { read, transact } = database;
  const counted = countRowsRead({ ...database });
  Object.assign(database, { read: counted.database.read, transact: counted.database.transact });
  try {
    const result = await work();
    expect(counted.take() ?? 0).toBeLessThanOrEqual(most);
    return result;
  } finally {
    Object.assign(database, { read, transact });
  }
}
