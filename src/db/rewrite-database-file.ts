import { setTimeout as pause } from 'node:timers/promises';
import { assert, monotonicClock, SECOND_MS } from '../kernel';
import type { Database } from './database';
import { classifyDatabaseError, toAppError } from './errors';
import { giveBack, type RawConnection, takeConnection } from './raw';
import { rowsOf } from './session';

/** Writers of other processes come first; each holds the lock for milliseconds. */
const PATIENCE_MS = 10 * SECOND_MS;
const PAUSE_MS = 50;

/** `log_in_use`: a reader still uses the write-ahead log, so that its file still has earlier pages. */
export type RewriteOutcome = 'rewritten' | 'log_in_use';

/**
 * Rewrites the file of an embedded database and empties its write-ahead log, so that neither has bytes of rows that no
 * longer exist. Other processes can read meanwhile, and their writes wait. Rewriting again does the rest of an
 * interrupted run.
 *
 * It uses VACUUM: with `secure_delete` alone, copies stay in the gaps of pages that were divided earlier.
 *
 * @throws AppError `unavailable` or `storage_broken`; the rows are unchanged.
 */
export async function rewriteDatabaseFile({ pool, dialect }: Database): Promise<RewriteOutcome> {
  assert(dialect === 'sqlite', 'only an embedded database is a file');
  const deadlineAt = monotonicClock.now() + PATIENCE_MS;
  const connection = await takeConnection(pool, deadlineAt);
  try {
    await repeated(deadlineAt, () => pool.raw('vacuum').connection(connection));
    while (!(await emptyLog(pool, connection))) {
      if (monotonicClock.now() >= deadlineAt) return 'log_in_use';
      await pause(PAUSE_MS);
    }
    return 'rewritten';
  } finally {
    await giveBack(pool, connection);
  }
}

/** Returns false while another process uses the log. */
async function emptyLog(pool: Database['pool'], connection: RawConnection): Promise<boolean> {
  const [result] = await rowsOf(pool.raw('pragma wal_checkpoint(truncate)').connection(connection));
  return result?.['busy'] === 0;
}

async function repeated(deadlineAt: number, work: () => PromiseLike<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const mayTryAgain = classifyDatabaseError(error) === 'retry' && monotonicClock.now() < deadlineAt;
      if (!mayTryAgain) throw toAppError(error, false);
      await pause(PAUSE_MS);
    }
  }
}
