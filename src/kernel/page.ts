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
