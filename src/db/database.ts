import { AsyncLocalStorage } from 'node:async_hooks';
import { resolve } from 'node:path';
import type { Knex } from 'knex';
import type { DatabaseUrl } from '../config';
import { monotonicClock } from '../kernel';
import type { Logger } from '../logging';
import { connect } from './connect';
import { beforeDeadline } from './deadline';
import { StatementDeadlineError } from './errors';
import { destroyConnection } from './mariadb-client';
import type { OpenedDatabase } from './on-connection';
import { openedFile } from './opened-file';
import type { RawConnection } from './raw';
import type { Dialect, Session } from './session';
import { read, type ReadOptions, transact, type TransactOptions } from './transact';
import { createWriteQueue } from './write-queue';

const CLOSE_MS = 500;

/** One database. Stores never hold it: they get a session for the length of one transaction. */
export interface Database {
  readonly dialect: Dialect;
  /**
   * Runs `work` in one read-write transaction (READ COMMITTED; SQLite: BEGIN IMMEDIATE) and commits it. After any
   * error nothing of it is stored, unless the fault is `outcome_unknown`. Whole transactions that the engine rolled
   * back are run again, at most five times, so `work` must not do anything that a second run would repeat outside.
   *
   * @throws AppError `unavailable`, `storage_broken`, `duplicate_key` or `outcome_unknown`; and what `work` throws.
   */
  transact<T>(work: (session: Session) => Promise<T>, options?: TransactOptions): Promise<T>;
  /** Runs SELECTs. With `snapshot` they all see the same instant, as a report needs. */
  read<T>(work: (session: Session) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** For migrations, and for nothing else. */
  readonly pool: Knex;
  /** Whether an embedded file is still the one that is open, and may be written. Always true for a server. */
  isWritable(): Promise<boolean>;
  /** Closes every connection. One that still works half a second later is closed by force: its transaction rolls back. */
  close(): Promise<void>;
}

/** Opens the database. Connections are opened when they are first needed. */
export function openDatabase(url: DatabaseUrl, logger: Logger): Database {
  const file = url.kind === 'sqlite' ? openedFile(resolve(url.file)) : undefined;
  const pool = connect(url, logger, () => file?.noteOpened());
  const opened: OpenedDatabase = {
    dialect: url.kind,
    pool,
    logger,
    file,
    inUse: new Set<RawConnection>(),
    inside: new AsyncLocalStorage<Session>(),
    inWriteQueue: createWriteQueue(),
  };
  return {
    dialect: url.kind,
    transact: (work, options) => transact(opened, work, options),
    read: (work, options) => read(opened, work, options),
    pool,
    isWritable: async () => (await file?.isWritable()) ?? true,
    close: () => close(opened),
  };
}

async function close({ pool, inUse, inside, logger }: OpenedDatabase): Promise<void> {
  try {
    await beforeDeadline(pool.destroy(), monotonicClock.now() + CLOSE_MS);
  } catch (error) {
    if (!(error instanceof StatementDeadlineError)) throw error;
    logger.warn('database connections closed', { event: 'db.cut', connections: inUse.size });
    for (const connection of inUse) destroyConnection(connection, error);
  }
  // Otherwise every promise of this process carries it along, however many databases it has closed.
  inside.disable();
}
