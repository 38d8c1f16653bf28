import { setTimeout as pause } from 'node:timers/promises';
import { assert, monotonicClock, SECOND_MS } from '../kernel';
import type { Database } from './database';
import { classifyDatabaseError, toAppError } from './errors';
import { giveBack, type RawConnection, takeConnection } from './raw';

/** Writers of other processes hold their lock for milliseconds, and the recovery after a killed process for longer. */
const PATIENCE_MS = 10 * SECOND_MS;
const PAUSE_MS = 50;

/** Work on the file of an embedded database, outside any transaction. */
export interface FileWork {
  readonly connection: RawConnection;
  /** Runs a statement, again and again while another process holds a lock, for ten seconds in all. */
  run(statement: string, bindings?: readonly string[]): Promise<void>;
  /** Asks until the answer is true; returns false when the ten seconds have passed. */
  until(isDone: () => Promise<boolean>): Promise<boolean>;
}

/**
 * Does work on the file of an embedded database.
 *
 * @throws AppError `unavailable` or `storage_broken`.
 */
export async function onDatabaseFile<T>({ pool, dialect }: Database, work: (work: FileWork) => Promise<T>): Promise<T> {
  assert(dialect === 'sqlite', 'only an embedded database is a file');
  const deadlineAt = monotonicClock.now() + PATIENCE_MS;
  const hasTime = (): boolean => monotonicClock.now() < deadlineAt;
  const connection = await takeConnection(pool, deadlineAt);
  try {
    return await work({
      connection,
      async run(statement, bindings = []) {
        for (;;) {
          try {
            await pool.raw(statement, [...bindings]).connection(connection);
            return;
          } catch (error) {
            if (classifyDatabaseError(error) !== 'retry' || !hasTime()) throw toAppError(error, false);
            await pause(PAUSE_MS);
          }
        }
      },
      async until(isDone) {
        while (!(await isDone())) {
          if (!hasTime()) return false;
          await pause(PAUSE_MS);
        }
        return true;
      },
    });
  } finally {
    await giveBack(pool, connection);
  }
}
