import type { Knex } from 'knex';
import type { SortKey } from '../kernel';
import type { Session } from './session';

/** The order of a list: columns that are unique together, all in one direction, and a key of their values. */
export interface KeyOrder {
  /** The values of the columns that precede the key in the index. */
  readonly equal?: Readonly<Record<string, string | number>>;
  readonly columns: readonly string[];
  readonly order: 'asc' | 'desc';
  /** The page begins after this key; undefined for the first page. */
  readonly after: SortKey | undefined;
}

/**
 * Orders a query by the columns of a key and selects the first `count` rows after it. An index of these columns, behind
 * those of `equal`, bounds the rows that the database reads.
 */
export function afterKey<Query extends Knex.QueryBuilder>(
  session: Session,
  query: Query,
  { equal = {}, columns, order, after }: KeyOrder,
  count: number,
): Query {
  // MariaDB would look `=` up in the index and read every row from the begin of the list to the key. It reads a range.
  for (const [column, value] of Object.entries(equal)) void query.where(column, '>=', value).where(column, '<=', value);
  if (after !== undefined) {
    const { sql, bindings } = beyond(session.dialect, columns, order, after);
    void query.whereRaw(sql, bindings);
  }
  const sorted = [...Object.keys(equal), ...columns];
  void query.orderBy(sorted.map((column) => ({ column, order }))).limit(count);
  return query;
}

/** MariaDB uses no index for a comparison of row values, and SQLite uses only a part of one for alternatives. */
function beyond(
  dialect: Session['dialect'],
  columns: readonly string[],
  order: KeyOrder['order'],
  after: SortKey,
): { readonly sql: string; readonly bindings: (string | number)[] } {
  const sign = order === 'asc' ? '>' : '<';
  if (dialect === 'sqlite') {
    const marks = columns.map(() => '?').join(', ');
    return { sql: `(${columns.join(', ')}) ${sign} (${marks})`, bindings: [...after] };
  }
  const alternatives = columns.map((column, index) => {
    const equal = columns.slice(0, index).map((each) => `${each} = ?`);
    return [...equal, `${column} ${sign} ?`].join(' and ');
  });
  const bindings = columns.flatMap((_, index) => after.slice(0, index + 1));
  return { sql: `((${alternatives.join(') or (')}))`, bindings };
}
