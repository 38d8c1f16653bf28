import type { Knex } from 'knex';
import { assert } from '../kernel';
import type { RawConnection } from './raw';

export type Dialect = 'sqlite' | 'mariadb';

/** A row as the driver returns it; stores read it with their codecs. */
export type Row = Readonly<Record<string, unknown>>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- knex infers rows from table types; ours are read by codecs
type Query = Knex.QueryBuilder<any, Row[]>;

/** Runs a SELECT. The type of the result is unknown until a store's codec has read it. */
export async function rowsOf(query: PromiseLike<unknown>): Promise<Row[]> {
  return (await query) as Row[];
}

/**
 * The only access to the tables: query builders bound to one connection, valid until its transaction ends.
 * `session('agents as a').where(…)` starts a query.
 */
export interface Session {
  (table: string): Query;
  readonly dialect: Dialect;
  /** Runs SQL that the builder cannot express. Pass values in `bindings`, never in the text. */
  raw(sql: string, bindings?: readonly (string | number | bigint | null)[]): Promise<Row[]>;
  /**
   * Inserts many rows in one statement, on the server only. Each row is a list of values in the order of the columns.
   */
  insertValues(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): Promise<void>;
  /** Returns a fragment of SQL for a select list or an update. */
  fragment(sql: string, bindings?: readonly (string | number | null)[]): Knex.Raw;
}

/** Creates a session on a connection, and the function that ends it. */
export function openSession(
  pool: Knex,
  connection: RawConnection,
  dialect: Dialect,
): { session: Session; end: () => void } {
  let open = true;
  const checkOpen = (): void => assert(open, 'a query was made after its transaction had ended');
  const session = Object.assign(
    (table: string) => {
      checkOpen();
      return pool(table).connection(connection) as Query;
    },
    {
      dialect,
      async raw(sql: string, bindings: readonly (string | number | bigint | null)[] = []): Promise<Row[]> {
        checkOpen();
        const answer: unknown = await pool.raw(sql, bindings as Knex.RawBinding[]).connection(connection);
        if (dialect === 'sqlite') return Array.isArray(answer) ? (answer as Row[]) : [];
        const rows = (answer as unknown[])[0];
        return Array.isArray(rows) ? (rows as Row[]) : [];
      },
      async insertValues(
        table: string,
        columns: readonly string[],
        rows: readonly (readonly unknown[])[],
      ): Promise<void> {
        checkOpen();
        const names = columns.map(() => '??').join(', ');
        // The driver writes a list of lists as the rows of VALUES.
        await pool
          .raw(`insert into ?? (${names}) values ?`, [table, ...columns, rows] as unknown as Knex.RawBinding[])
          .connection(connection);
      },
      fragment: (sql: string, bindings: readonly (string | number | null)[] = []) =>
        pool.raw(sql, bindings as Knex.RawBinding[]),
    },
  );
  return {
    session,
    end: () => {
      open = false;
    },
  };
}
