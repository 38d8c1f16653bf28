import { resolve } from 'node:path';
import type { Knex } from 'knex';
import type { DatabaseUrl } from '../config';
import { monotonicClock } from '../kernel';
import type { Logger } from '../logging';
import { connect } from './connect';
import { beforeDeadline } from './deadline';
import { StatementDeadlineError } from './errors';
import { destroyConnection } from './mariadb-client';
import { nestingCheck } from './nesting';
import type { OpenedDatabase } from './on-connection';
import { openedFile } from './opened-file';
import type { RawConnection } from './raw';
import type { Dialect, Session } from './session';
import { read, type ReadOptions, transact, type TransactOptions } from './transact';
import { createWriteQueue } from './write-queue';

const CLOSE_MS = 500;

/** The connections of a pool. `max`: how many it may open. */
export interface PoolUse {
  readonly used: number;
  readonly free: number;
  readonly waiting: number;
  readonly max: number;
}

/** One database. Stores never store a reference to it: they get a session for one transaction. */
export interface Database {
  readonly dialect: Dialect;
  /**
   * Runs `work` in one read-write transaction (READ COMMITTED; SQLite: BEGIN IMMEDIATE) and commits it. After any error
   * nothing is stored, unless the fault is `outcome_unknown`. A transaction that the engine rolled back runs again as a
   * whole until its deadline, so `work` must have no effects outside the database that a second run would repeat.
   *
   * @throws AppError `unavailable`, `storage_broken`, `duplicate_key` or `outcome_unknown`; and every error of `work`.
   */
  transact<T>(work: (session: Session) => Promise<T>, options?: TransactOptions): Promise<T>;
  /** Runs SELECTs. With `snapshot` they all see the same instant, as reports need. */
  read<T>(work: (session: Session) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** For migrations only. */
  readonly pool: Knex;
  /** Returns how many connections are in use and free, and how many calls wait for one, in this process. */
  poolUse(): PoolUse;
  /** Returns whether the open file of an embedded database is still in place and writable. Always true for a server. */
  isWritable(): Promise<boolean>;
  /**
   * Closes every connection. A connection that still works half a second later is closed by force, and its transaction
   * rolls back.
   */
  close(): Promise<void>;
}

/**
 * Opens the database. Connections are opened at their first use.
 *
 * @throws AppError `misconfigured` that names `variable`, when a file or folder that the URL names cannot be used.
 */
export function openDatabase(url: DatabaseUrl, logger: Logger, variable = 'DATABASE_URL'): Database {
  const file = url.kind === 'sqlite' ? openedFile(resolve(url.file)) : undefined;
  const pool = connect(url, logger, () => file?.noteOpened(), variable);
  const opened: OpenedDatabase = {
    dialect: url.kind,
    pool,
    logger,
    file,
    inUse: new Set<RawConnection>(),
    nesting: nestingCheck(),
    inWriteQueue: createWriteQueue(),
  };
  return {
    dialect: url.kind,
    transact: (work, options) => transact(opened, work, options),
    read: (work, options) => read(opened, work, options),
    pool,
    poolUse: () => poolUse(pool),
    isWritable: async () => (await file?.isWritable()) ?? true,
    close: () => close(opened),
  };
}

function poolUse(pool: Knex): PoolUse {
  const { pool: connections } = pool.client as { readonly pool: KnexPool };
  return {
    used: connections.numUsed(),
    free: connections.numFree(),
    waiting: connections.numPendingAcquires(),
    max: connections.max,
  };
}

/** The pool of knex, as far as its types leave it out. */
interface KnexPool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

async function close({ pool, inUse, nesting, logger }: OpenedDatabase): Promise<void> {
  try {
    await beforeDeadline(pool.destroy(), monotonicClock.now() + CLOSE_MS);
  } catch (error) {
    if (!(error instanceof StatementDeadlineError)) throw error;
    logger.warn('database connections closed', { event: 'db.cut', connections: inUse.size });
    for (const connection of inUse) destroyConnection(connection, error);
  }
  nesting.end();
}
