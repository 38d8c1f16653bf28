import type { Knex } from 'knex';
import { assert } from '../kernel';
import type { RawConnection } from './raw';

export type Dialect = 'sqlite' | 'mariadb';

/** A row as a driver gives it; stores read it through the codecs of the kernel. */
export type Row = Readonly<Record<string, unknown>>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- knex infers rows from table types; ours are read by codecs
type Query = Knex.QueryBuilder<any, Row[]>;

/** Runs a SELECT. What the driver answers is unknown until a store's codec has read it. */
export async function rowsOf(query: PromiseLike<unknown>): Promise<Row[]> {
  return (await query) as Row[];
}

/**
 * The only way to the tables: query builders bound to one connection, valid until its transaction ends.
 * `session('agents as a').where(…)` starts a query.
 */
export interface Session {
  (table: string): Query;
  readonly dialect: Dialect;
  /** SQL that the builder cannot say; values go in `bindings`, never in the text. */
  raw(sql: string, bindings?: readonly (string | number | bigint | null)[]): Promise<Row[]>;
  /** Inserts many rows at once, on the server only: each is a list of values in the order of the columns. */
  insertValues(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): Promise<void>;
  /** A fragment of SQL for a select list or an update. */
  fragment(sql: string, bindings?: readonly (string | number | null)[]): Knex.Raw;
}

/** Makes a session on a connection, and the switch that ends it. */
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
