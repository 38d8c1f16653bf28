import { setTimeout as sleep } from 'node:timers/promises';
import { assert, monotonicClock, SECOND_MS } from '../kernel';
import { classifyDatabaseError, classifyTransactionError, type DatabaseErrorClass, toAppError } from './errors';
import { Aborted, onConnection, type OpenedDatabase, type TransactionStatements } from './on-connection';
import type { Session } from './session';

const FAILURES_MAX = 5;
/** How often the engine may roll a transaction back. Most take longer than the deadline. */
const CONFLICTS_MAX = 100;
const DEADLINE_MS = 5 * SECOND_MS;
const BACKOFF_FIRST_MS = 5;
// Short, because writers on several nodes that meet again and again need many tries before their deadline.
const BACKOFF_MAX_MS = 40;
// SQLite's single write lock is held for only a few milliseconds at a time, so a writer retries often.
const SQLITE_BUSY_PAUSE_MS = 5;

export interface TransactOptions {
  /**
   * Runs again if a unique key was taken meanwhile: the second run reads the other transaction's row and decides again.
   */
  retryDuplicate?: boolean;
  /** Runs again if a COMMIT's answer was lost. Only for work that detects whether it was already stored. */
  retryUnknownOutcome?: boolean;
  /** Does everything, then rolls back. */
  dryRun?: boolean;
  deadlineMs?: number | undefined;
}

export interface ReadOptions {
  /** All SELECTs see the same instant. */
  snapshot?: boolean;
  deadlineMs?: number;
}

class RolledBackOnPurpose<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('dry run');
    this.result = result;
  }
}

/** Runs work in a transaction and repeats it where that is safe, until it is stored or its deadline has passed. */
export async function transact<T>(
  opened: OpenedDatabase,
  work: (session: Session) => Promise<T>,
  options: TransactOptions = {},
): Promise<T> {
  const { dialect, nesting, logger } = opened;
  nesting.requireOutside();
  const deadlineAt = monotonicClock.now() + (options.deadlineMs ?? DEADLINE_MS);
  const statements: TransactionStatements = {
    begin: dialect === 'sqlite' ? ['BEGIN IMMEDIATE'] : 'with_first',
    commit: 'COMMIT',
  };
  const body = options.dryRun === true ? rolledBack(work) : work;
  let outcomeUnknown = false;
  let conflicts = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const run = (): Promise<T> => onConnection(opened, statements, deadlineAt, body);
      return await (dialect === 'sqlite' ? asTheWriter(opened, deadlineAt, run) : run());
    } catch (error) {
      // An error that is not Aborted means that the deadline passed in the write queue.
      const aborted = error instanceof Aborted ? error : new Aborted('acquire', error);
      const { cause, phase } = aborted;
      if (cause instanceof RolledBackOnPurpose) return cause.result as T;
      const kind = classifyTransactionError(cause, phase === 'commit');
      if (kind === 'retry') conflicts += 1;
      const mayTry = kind === 'retry' ? conflicts < CONFLICTS_MAX : attempt - conflicts < FAILURES_MAX;
      outcomeUnknown ||= phase === 'commit' && kind === 'lost' && options.retryUnknownOutcome === true;
      const pauseMs = Math.min(BACKOFF_FIRST_MS * 4 ** (attempt - 1), BACKOFF_MAX_MS) * (0.5 + Math.random());
      // After a COMMIT's answer is lost, `work` runs again until the deadline to find the outcome, even while the
      // server is down. What the engine rolled back for certain runs again until about then.
      const again =
        monotonicClock.now() + pauseMs < deadlineAt &&
        ((mayTry && mayRunAgain(kind, aborted, options)) ||
          (outcomeUnknown && (kind === 'unusable' || kind === 'lost')));
      if (!again) throw toAppError(cause, phase === 'commit');
      logger.debug('transaction runs again', { event: 'db.retry', attempt, phase, error: cause });
      await sleep(pauseMs);
    }
  }
}

/**
 * Queues the writers of this process, because SQLite has one writer. The first writer returns its connection between
 * tries, so that this process can read while another process writes.
 */
async function asTheWriter<T>(
  { inWriteQueue }: OpenedDatabase,
  deadlineAt: number,
  attempt: () => Promise<T>,
): Promise<T> {
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

/** Runs SELECTs, and repeats them after errors that a new connection may not have. */
export async function read<T>(
  opened: OpenedDatabase,
  work: (session: Session) => Promise<T>,
  options: ReadOptions = {},
): Promise<T> {
  const { dialect, nesting } = opened;
  nesting.requireOutside();
  const deadlineAt = monotonicClock.now() + (options.deadlineMs ?? DEADLINE_MS);
  const snapshot =
    dialect === 'sqlite'
      ? ['BEGIN']
      : ['SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY'];
  const statements = options.snapshot === true ? { begin: snapshot, commit: 'COMMIT' } : { begin: [], commit: '' };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await onConnection(opened, statements, deadlineAt, work);
    } catch (aborted) {
      assert(aborted instanceof Aborted, 'onConnection throws nothing else');
      // An idle connection that the server has closed fails only when it is used.
      const again =
        attempt < FAILURES_MAX &&
        monotonicClock.now() < deadlineAt &&
        mayRunAgain(classifyDatabaseError(aborted.cause), aborted, { retryUnknownOutcome: true });
      if (!again) throw toAppError(aborted.cause, false);
      await sleep(BACKOFF_FIRST_MS * attempt);
    }
  }
}

/** Returns whether a transaction that failed with this kind of error may run again as a whole. */
function mayRunAgain(
  kind: DatabaseErrorClass | undefined,
  { phase, mayGoElsewhere }: Aborted,
  options: TransactOptions,
): boolean {
  switch (kind) {
    case 'retry':
      return true;
    case 'lost':
      return phase !== 'commit' || options.retryUnknownOutcome === true;
    case 'duplicate':
      return options.retryDuplicate === true;
    case 'unusable':
    case 'storage':
      return mayGoElsewhere && phase !== 'commit';
    default:
      return false;
  }
}

function rolledBack<T>(work: (session: Session) => Promise<T>): (session: Session) => Promise<T> {
  return async (session) => {
    throw new RolledBackOnPurpose(await work(session));
  };
}
