import { pagesOf } from '../kernel';
import type { Session } from './session';

/**
 * The number of rows or keys in one statement: for up to thirty columns far below SQLite's variable limit and a
 * server's packet.
 */
export const ROWS_PER_STATEMENT = 500;

/**
 * Inserts rows that all have the columns of the first one. MariaDB's driver gets them as one value, because ten
 * thousand placeholders take as long as computing the rows.
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
