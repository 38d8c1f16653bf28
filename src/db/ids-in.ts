import { pagesOf } from '../kernel';
import { ROWS_PER_STATEMENT } from './insert-rows';
import { column, rowCodec } from './row-codec';
import type { Session } from './session';

const FOUND = rowCodec({ id: column.text('found_id') });

/**
 * Returns which of these ids stand in a column of a table. A lock on their rows stays until the transaction ends:
 * `update` against every other lock, `share` against writing.
 */
export async function idsIn(
  session: Session,
  { table, column: name }: { readonly table: string; readonly column: string },
  ids: readonly string[],
  lock?: 'update' | 'share',
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const page of pagesOf(ids, ROWS_PER_STATEMENT)) {
    const query = session(table).select(`${name} as found_id`).whereIn(name, page);
    const locked = lock === undefined ? query : lock === 'update' ? query.forUpdate() : query.forShare();
    for (const { id } of await FOUND.all(locked)) found.add(id);
  }
  return found;
}
