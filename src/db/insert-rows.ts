import type { Session } from './session';

/** Inserts rows that all have the columns of the first one. */
export async function insertRows(
  session: Session,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  await session.insert([{ table, rows }]);
}
