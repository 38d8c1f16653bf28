import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Knex } from 'knex';
import { assert, monotonicClock, SECOND_MS } from '../kernel';
import type { Logger } from '../logging';
import { classifyDatabaseError } from './errors';
import { destroyConnection, setStatementDeadline } from './mariadb-client';
import type { OpenedFile } from './opened-file';
import { execute, giveBack, type RawConnection, takeConnection } from './raw';
import { type Dialect, openSession, type Session } from './session';
import type { WriteQueue } from './write-queue';

/** An open database from the view of its transactions. */
export interface OpenedDatabase {
  readonly dialect: Dialect;
  readonly pool: Knex;
  readonly logger: Logger;
  /** The files of an embedded database; undefined for a server. */
  readonly file: OpenedFile | undefined;
  /** The connections in use. */
  readonly inUse: Set<RawConnection>;
  /**
   * The session of the transaction to which the running code belongs. A query outside it would wait forever for
   * SQLite's only connection, and escape the transaction on MariaDB. So such a query fails immediately on both.
   */
  readonly inside: AsyncLocalStorage<Session>;
  readonly inWriteQueue: WriteQueue;
}

/** The statements around a transaction. */
export interface TransactionStatements {
  readonly begin: readonly string[];
  readonly commit: string;
}

export type Phase = 'acquire' | 'begin' | 'work' | 'commit';

/** A transaction that ended with an error, and the phase that it had reached. */
export class Aborted extends Error {
  readonly phase: Phase;
  constructor(phase: Phase, cause: unknown) {
    super('transaction aborted', { cause });
    this.phase = phase;
  }
}

/**
 * Runs the work on a connection, between `begin` and `commit`, and leaves the connection clean. An empty `commit` is
 * for SELECTs without a transaction.
 *
 * @throws Aborted, and nothing else.
 */
export async function onConnection<T>(
  opened: OpenedDatabase,
  statements: TransactionStatements,
  deadlineAt: number,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { pool, file, dialect, inUse, inside } = opened;
  let phase: Phase = 'acquire';
  let connection: RawConnection | undefined;
  try {
    connection = await takeConnection(pool, deadlineAt);
    inUse.add(connection);
    setStatementDeadline(connection, deadlineAt);
    phase = 'begin';
    file?.requireInPlace();
    for (const statement of statements.begin) await execute(pool, connection, statement);
    phase = 'work';
    const { session, end } = openSession(pool, connection, dialect);
    let result: T;
    try {
      result = await inside.run(session, () => work(session));
    } finally {
      end();
    }
    // Checked right before COMMIT: committed data must be in the file that the next process opens.
    file?.requireInPlace();
    phase = 'commit';
    if (statements.commit !== '') await execute(pool, connection, statements.commit);
    return result;
  } catch (error) {
    if (connection !== undefined && statements.commit !== '') await rollBack(opened, connection, error);
    throw new Aborted(phase, error);
  } finally {
    if (connection !== undefined) {
      setStatementDeadline(connection, undefined);
      inUse.delete(connection);
      await giveBack(pool, connection);
    }
  }
}

/** Ends the transaction on the connection, or destroys the connection. knex does neither after a failed COMMIT. */
async function rollBack({ pool, dialect }: OpenedDatabase, connection: RawConnection, reason: unknown): Promise<void> {
  if (connection.__knex__disposed !== undefined) return;
  try {
    if (dialect === 'mariadb') {
      if (classifyDatabaseError(reason) === 'lost') throw reason;
      setStatementDeadline(connection, monotonicClock.now() + SECOND_MS);
      await execute(pool, connection, 'ROLLBACK');
      return;
    }
    if (connection.inTransaction === true) await execute(pool, connection, 'ROLLBACK');
    assert(connection.inTransaction === false, 'a transaction is open after ROLLBACK');
  } catch (error) {
    if (dialect === 'sqlite') connection.close?.();
    destroyConnection(connection, error);
  }
}
