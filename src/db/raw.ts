import type { Knex } from 'knex';
import { beforeDeadline } from './deadline';

/** A row as the driver returns it; stores read it with their codecs. */
export type Row = Readonly<Record<string, unknown>>;

/** A raw connection of a driver. Only this folder uses its internals. */
export interface RawConnection {
  __knex__disposed?: unknown;
  /** mysql2: closes the socket immediately. */
  destroy?: () => void;
  /** mysql2: the socket. Its error becomes that of the running statement. */
  readonly stream?: { destroy(error: Error): void };
  /** mysql2: writes a value, a list of values, or a list of lists in brackets. */
  readonly escape?: (value: unknown) => string;
  /** better-sqlite3: compiles a statement. */
  readonly prepare?: (sql: string) => object;
  /** better-sqlite3: closes the file. */
  close?: () => void;
  /** better-sqlite3: whether a transaction is open on it. */
  readonly inTransaction?: boolean;
}

/**
 * Takes a connection from the pool; `giveBack` returns it. A connection that arrives after the deadline goes back
 * immediately.
 */
export async function takeConnection(pool: Knex, deadlineAt: number): Promise<RawConnection> {
  const coming = (pool.client as { acquireConnection(): Promise<RawConnection> }).acquireConnection();
  try {
    return await beforeDeadline(coming, deadlineAt);
  } catch (error) {
    coming.then((connection) => giveBack(pool, connection)).catch(() => undefined); // the caller no longer waits
    throw error;
  }
}

export function giveBack(pool: Knex, connection: RawConnection): Promise<void> {
  return (pool.client as { releaseConnection(connection: RawConnection): Promise<void> }).releaseConnection(connection);
}

/**
 * Runs one statement unchanged, such as BEGIN, and returns the driver's response. It does not pass knex's builder, which
 * takes longer than some of these statements.
 */
export async function execute(pool: Knex, connection: RawConnection, sql: string): Promise<unknown> {
  const query: { readonly sql: string; response?: unknown } = { sql };
  await (pool.client as { _query(on: RawConnection, query: object): Promise<unknown> })._query(connection, query);
  return query.response;
}
