import { pagesOf } from '../kernel';
import { column, rowCodec } from './row-codec';
import { type RowLock, withRowLock } from './row-lock';
import type { Session } from './session';
import { ROWS_PER_STATEMENT } from './statements';

const FOUND = rowCodec({ id: column.text('found_id') });

/**
 * Returns which of these ids stand in a column of a table, and locks their rows if a lock is given.
 */
export async function idsIn(
  session: Session,
  { table, column: name }: { readonly table: string; readonly column: string },
  ids: readonly string[],
  lock?: RowLock,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const page of pagesOf(ids, ROWS_PER_STATEMENT)) {
    const query = session(table).select(`${name} as found_id`).whereIn(name, page);
    for (const { id } of await FOUND.all(withRowLock(query, lock))) found.add(id);
  }
  return found;
}
