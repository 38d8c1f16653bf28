/** `update` excludes every other lock of a row, `share` only writing. Both last until the transaction ends. */
export type RowLock = 'update' | 'share';

interface Lockable {
  forUpdate(): unknown;
  forShare(): unknown;
}

/** Adds a lock on the rows that a query reads, if one is given, and returns the query. */
export function withRowLock<Query extends Lockable>(query: Query, lock: RowLock | undefined): Query {
  if (lock === 'update') query.forUpdate();
  if (lock === 'share') query.forShare();
  return query;
}
