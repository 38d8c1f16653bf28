import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { assert, monotonicClock, SECOND_MS } from '../kernel';
import type { Database } from './database';
import { classifyDatabaseError, toAppError } from './errors';
import { OWNER_ONLY } from './file-rights';
import { giveBack, takeConnection } from './raw';

/** Only the recovery after a killed process makes a reader of a write-ahead log wait. */
const PATIENCE_MS = 10 * SECOND_MS;
const PAUSE_MS = 50;

/**
 * Copies an embedded database into a new file of mode 0600, while other processes write. The copy is one committed
 * state, at or after the call.
 *
 * It uses VACUUM INTO, which reads one snapshot and ends under any load. SQLite's backup API starts again at each write
 * of another process, and better-sqlite3 reports a copy as complete if its first step meets a lock.
 *
 * @throws AppError `unavailable` or `storage_broken`; Error with the system's code when the file cannot be created.
 */
export async function copyDatabaseFile({ pool, dialect }: Database, file: string): Promise<void> {
  assert(dialect === 'sqlite', 'only an embedded database is a file');
  closeSync(openSync(file, 'wx', OWNER_ONLY));
  const deadlineAt = monotonicClock.now() + PATIENCE_MS;
  const connection = await takeConnection(pool, deadlineAt);
  try {
    for (;;) {
      try {
        await pool.raw('vacuum into ?', [file]).connection(connection);
        return;
      } catch (error) {
        const mayTryAgain = classifyDatabaseError(error) === 'retry' && monotonicClock.now() < deadlineAt;
        if (!mayTryAgain) throw toAppError(error, false);
        await pause(PAUSE_MS);
      }
    }
  } finally {
    await giveBack(pool, connection);
  }
}
