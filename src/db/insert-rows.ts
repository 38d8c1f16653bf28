import { pagesOf } from '../kernel';
import type { Session } from './session';

/** Rows or keys in one statement: far below SQLite's limit of variables and a server's packet, at up to thirty columns. */
export const ROWS_PER_STATEMENT = 500;

/**
 * Inserts rows of one shape: each has the columns of the first one. The server's driver gets them as one value, because
 * a placeholder for each of ten thousand values takes as long as computing the rows.
 */
export async function insertRows(
  session: Session,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) {
    if (session.dialect === 'sqlite') await session(table).insert(page);
    else {
      await session.insertValues(
        table,
        columns,
        page.map((row) => columns.map((column) => row[column])),
      );
    }
  }
}
