/** One page of a list in a fixed order. */
export interface Page<Row, Key> {
  readonly rows: readonly Row[];
  /** The sort key after which the next page begins; undefined after the last row. A page may be short and have one. */
  readonly next: Key | undefined;
}

/** Returns a page of at most `limit` rows. `found` has one row more if more rows follow. */
export function pageOf<Row, Key>(found: readonly Row[], limit: number, keyOf: (row: Row) => Key): Page<Row, Key> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? keyOf(last) : undefined };
}

/** A list of which a filter keeps some rows, and the number of rows that one page may examine. */
export interface FilteredList<Found, Row, Key> {
  readonly limit: number;
  readonly after: Key | undefined;
  readonly examinedMax: number;
  /** Returns at most `count` rows after a key, in the order of the list. */
  read(after: Key | undefined, count: number): Promise<readonly Found[]>;
  /** Returns the rows that the filter keeps, in the same order. */
  keep(found: readonly Found[]): Promise<readonly Row[]>;
  keyOf(row: Found | Row): Key;
}

const ROWS_READ_MORE = 200;

/** Reads a page of a filtered list. It is short if the rows that it may examine have too few that the filter keeps. */
export async function filteredPage<Found, Row, Key>({
  limit,
  after,
  examinedMax,
  read,
  keep,
  keyOf,
}: FilteredList<Found, Row, Key>): Promise<Page<Row, Key>> {
  const rows: Row[] = [];
  let last = after;
  for (let left = Math.max(examinedMax, limit + 1), count = limit + 1; left > 0; count = ROWS_READ_MORE) {
    const asked = Math.min(count, left);
    const found = await read(last, asked);
    rows.push(...(await keep(found)));
    if (rows.length > limit || found.length < asked) return pageOf(rows, limit, keyOf);
    left -= asked;
    const examined = found.at(-1);
    if (examined !== undefined) last = keyOf(examined);
  }
  return { rows, next: last };
}
