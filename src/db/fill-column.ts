import { addToGroup } from '../kernel';
import type { TableQuery } from './copy-rows';
import type { Row } from './raw';
import { readTableInPages } from './read-table-in-pages';

/** How a new column gets its values in existing rows. */
export interface FillColumn {
  /** The primary key of the table, one column of text. */
  readonly id: string;
  /** The columns from which the value is computed. */
  readonly from: readonly string[];
  /** Returns the value of a row; undefined leaves it null. */
  value(row: Row): string | undefined;
}

/** Fills a column where it is null, page by page, so that an interrupted migration resumes. */
export function fillColumn(
  query: TableQuery,
  table: string,
  name: string,
  { id, from, value }: FillColumn,
): Promise<void> {
  const where = (page: ReturnType<TableQuery>): ReturnType<TableQuery> => page.whereNull(name);
  return readTableInPages(query, table, { id, from, where }, async (rows) => {
    const idsOf = new Map<string, string[]>();
    for (const row of rows) {
      const found = value(row);
      if (found !== undefined) addToGroup(idsOf, found, String(row[id]));
    }
    for (const [word, ids] of idsOf) {
      await query(table)
        .whereIn(id, ids)
        .whereNull(name)
        .update({ [name]: word });
    }
  });
}
