import { type Page, rowsOfPages } from '../kernel';

/**
 * Reads pages until they have more than `limit` rows or no page follows, and returns the first `limit` rows. A page may
 * be short and have a next one.
 */
export async function walkPages<Row, Key>(
  read: (after: Key | undefined, limit: number) => Promise<Page<Row, Key>>,
  limit: number,
): Promise<{ readonly rows: Row[]; readonly hasMore: boolean }> {
  const rows = await rowsOfPages(limit + 1, read);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
