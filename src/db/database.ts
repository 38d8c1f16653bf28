import { AsyncLocalStorage } from 'node:async_hooks';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { DatabaseUrl } from '../config';
import { assert, monotonicClock, SECOND_MS } from '../kernel';
import type { Logger } from '../logging';
import { connect } from './connect';
import { beforeDeadline } from './deadline';
import { classifyDatabaseError, type DatabaseErrorClass, StatementDeadlineError, toAppError } from './errors';
import { destroyConnection, setStatementDeadline } from './mariadb-client';
import { openedFile } from './opened-file';
import { execute, giveBack, type RawConnection, takeConnection } from './raw';
import { type Dialect, openSession, type Session } from './session';
import { createWriteQueue } from './write-queue';

const TRIES_MAX = 5;
const DEADLINE_MS = 5 * SECOND_MS;
const CLOSE_MS = 500;
const BACKOFF_FIRST_MS = 5;
const BACKOFF_MAX_MS = 200;
// A writer retries SQLite's single write lock often: the lock is held for a few milliseconds at a time.
const SQLITE_BUSY_PAUSE_MS = 5;

export interface TransactOptions {
  /** Runs again when a unique key was taken meanwhile: the second run reads the winner's row and decides anew. */
  retryDuplicate?: boolean;
  /** Runs again when a COMMIT's answer was lost. Only for work that detects whether it was already stored. */
  retryUnknownOutcome?: boolean;
  /** Does everything, then rolls back. */
  dryRun?: boolean;
  deadlineMs?: number;
}

export interface ReadOptions {
  /** All SELECTs see the same instant. */
  snapshot?: boolean;
  deadlineMs?: number;
}

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

type Phase = 'acquire' | 'begin' | 'work' | 'commit';

class Aborted extends Error {
  readonly phase: Phase;
  constructor(phase: Phase, cause: unknown) {
    super('transaction aborted', { cause });
    this.phase = phase;
  }
}

class RolledBackOnPurpose<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('dry run');
    this.result = result;
  }
}

/** Opens the database. Connections are opened when they are first needed. */
export function openDatabase(url: DatabaseUrl, logger: Logger): Database {
  const file = url.kind === 'sqlite' ? openedFile(resolve(url.file)) : undefined;
  const pool = connect(url, logger, () => file?.noteOpened());
  const dialect: Dialect = url.kind;
  const inUse = new Set<RawConnection>();
  // A query beside an open transaction would wait forever on SQLite's only connection, and escape the transaction on
  // MariaDB. So it fails immediately on both.
  const inside = new AsyncLocalStorage<Session>();
  const inWriteQueue = createWriteQueue();

  async function onConnection<T>(
    statements: { begin: readonly string[]; commit: string },
    deadlineAt: number,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
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
      // Last before it counts: what is answered must be in the file that the next process opens.
      file?.requireInPlace();
      phase = 'commit';
      if (statements.commit !== '') await execute(pool, connection, statements.commit);
      return result;
    } catch (error) {
      if (connection !== undefined && statements.commit !== '') await rollBack(connection, error);
      throw new Aborted(phase, error);
    } finally {
      if (connection !== undefined) {
        setStatementDeadline(connection, undefined);
        inUse.delete(connection);
        await giveBack(pool, connection);
      }
    }
  }

  /**
   * SQLite has one writer. Those of this process wait in line, and the first of them gives its connection back between
   * tries: so this process goes on reading while another one writes.
   */
  async function asTheWriter<T>(deadlineAt: number, attempt: () => Promise<T>): Promise<T> {
    return inWriteQueue(deadlineAt, async () => {
      for (;;) {
        try {
          return await attempt();
        } catch (error) {
          const busy =
            error instanceof Aborted && error.phase === 'begin' && classifyDatabaseError(error.cause) === 'retry';
          if (!busy || monotonicClock.now() >= deadlineAt) throw error;
          await sleep(SQLITE_BUSY_PAUSE_MS * (0.5 + Math.random()));
        }
      }
    });
  }

  /** Leaves no transaction open on the connection, or destroys it. knex does neither after a failed COMMIT. */
  async function rollBack(connection: RawConnection, reason: unknown): Promise<void> {
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

  async function transact<T>(work: (session: Session) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    assert(inside.getStore() === undefined, 'a transaction was started inside another one');
    const deadlineAt = monotonicClock.now() + (options.deadlineMs ?? DEADLINE_MS);
    const statements = { begin: [dialect === 'sqlite' ? 'BEGIN IMMEDIATE' : 'START TRANSACTION'], commit: 'COMMIT' };
    const body = options.dryRun === true ? rolledBack(work) : work;
    let outcomeUnknown = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const run = (): Promise<T> => onConnection(statements, deadlineAt, body);
        return await (dialect === 'sqlite' ? asTheWriter(deadlineAt, run) : run());
      } catch (error) {
        // Not aborted: no turn came before the deadline.
        const { cause, phase } = error instanceof Aborted ? error : new Aborted('acquire', error);
        if (cause instanceof RolledBackOnPurpose) return cause.result as T;
        const kind = classifyDatabaseError(cause);
        outcomeUnknown ||= phase === 'commit' && kind === 'lost' && options.retryUnknownOutcome === true;
        const pauseMs = Math.min(BACKOFF_FIRST_MS * 4 ** (attempt - 1), BACKOFF_MAX_MS) * (0.5 + Math.random());
        // Once a COMMIT's answer is lost, its outcome is sought until the deadline, server down or not.
        const again =
          monotonicClock.now() + pauseMs < deadlineAt &&
          ((attempt < TRIES_MAX && mayRunAgain(kind, phase, options)) ||
            (outcomeUnknown && (kind === 'unusable' || kind === 'lost')));
        if (!again) throw toAppError(cause, phase === 'commit');
        logger.debug('transaction runs again', { event: 'db.retry', attempt, phase, error: cause });
        await sleep(pauseMs);
      }
    }
  }

  async function read<T>(work: (session: Session) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    assert(inside.getStore() === undefined, 'a read was started inside a transaction');
    const deadlineAt = monotonicClock.now() + (options.deadlineMs ?? DEADLINE_MS);
    const snapshot =
      dialect === 'sqlite'
        ? ['BEGIN']
        : ['SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY'];
    const statements = options.snapshot === true ? { begin: snapshot, commit: 'COMMIT' } : { begin: [], commit: '' };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await onConnection(statements, deadlineAt, work);
      } catch (aborted) {
        assert(aborted instanceof Aborted, 'onConnection throws nothing else');
        // An idle connection that the server closed meanwhile shows itself only when it is used.
        const again =
          attempt < TRIES_MAX &&
          monotonicClock.now() < deadlineAt &&
          mayRunAgain(classifyDatabaseError(aborted.cause), 'work', {});
        if (!again) throw toAppError(aborted.cause, false);
        await sleep(BACKOFF_FIRST_MS * attempt);
      }
    }
  }

  async function close(): Promise<void> {
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

  return { dialect, transact, read, pool, close, isWritable: async () => (await file?.isWritable()) ?? true };
}

/** Whether a transaction that ended with an error of this kind may be run again as a whole. */
function mayRunAgain(kind: DatabaseErrorClass | undefined, phase: Phase, options: TransactOptions): boolean {
  switch (kind) {
    case 'retry':
      return true;
    case 'lost':
      return phase !== 'commit' || options.retryUnknownOutcome === true;
    case 'duplicate':
      return options.retryDuplicate === true;
    default:
      return false;
  }
}

function rolledBack<T>(work: (session: Session) => Promise<T>): (session: Session) => Promise<T> {
  return async (session) => {
    throw new RolledBackOnPurpose(await work(session));
  };
}
