/** `update` excludes every other lock of a row, `share` only writing. Both last until the transaction ends. */
export type RowLock = 'update' | 'share';

/** `update_if_free` is `update` for rows without another lock. It leaves the others out instead of waiting for them. */
export type QuestionLock = RowLock | 'update_if_free';

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
