import { type Clock, createRefresher, isAppError, monotonicClock } from '../kernel';
import type { Logger } from '../logging';
import type { Database } from './database';
import { beforeDeadline } from './deadline';
import { judgeConnection } from './judge-connection';
import { LIST_TABLE } from './migration-lock';
import { missingMigrations } from './migrations';
import { readServerHealth } from './server-health';
import { rowsOf } from './session';

/** Whether a database can serve now. If not, the value names the reason: the database itself, or missing migrations. */
export type DatabaseReadiness = 'ready' | 'database' | 'migrations';

/** Callers within this time share one check. */
const AGE_MAX_MS = 500;
/**
 * The answer is promised within two seconds. The rest is for a busy event loop, which delays the timer and the answer.
 * It is longer than one attempt to connect, so that a cluster whose first host does not answer is ready.
 */
const DEADLINE_MS = 1_700;

/**
 * Creates a check whether the database is reachable, migrated and writable. It may be called at any rate, never
 * rejects, and answers within two seconds. Changes are logged.
 *
 * It attempts no write, which would take locks and log space of a cluster twice a second. A server's settings show
 * whether it accepts writes; an embedded file's permissions do.
 */
export function createReadiness(
  database: Database,
  logger: Logger,
  monotonic: Clock = monotonicClock,
): () => Promise<DatabaseReadiness> {
  let found: DatabaseReadiness = 'ready';
  const note = (now: DatabaseReadiness, error?: unknown): void => {
    if (now === found) return;
    found = now;
    if (now === 'ready') logger.info('database ready again', { event: 'db.ready' });
    else logger.warn('database not ready', { event: 'db.not_ready', reason: now, error });
  };
  const read = async (): Promise<void> => {
    try {
      note(await checkReadiness(database, logger));
    } catch (error) {
      // SQLite does not hang. A caller that cannot get its only connection waits for this process, perhaps for a long
      // import.
      if (database.dialect === 'sqlite' && isAppError(error, 'unavailable')) return;
      note('database', error);
    }
  };
  const refresher = createRefresher(AGE_MAX_MS, read, monotonic);
  return async () => {
    try {
      await beforeDeadline(refresher.fresh(), monotonicClock.now() + DEADLINE_MS);
      return found;
    } catch {
      return database.dialect === 'sqlite' ? found : 'database';
    }
  };
}

async function checkReadiness(database: Database, logger: Logger): Promise<DatabaseReadiness> {
  if (!(await database.isWritable())) return 'database';
  return database.read(
    async (session) => {
      if (session.dialect === 'mariadb') {
        const health = await readServerHealth((sql, values) => session.raw(sql, values));
        if (judgeConnection(undefined, health) !== 'use') return 'database';
      }
      // It reads a real table, because a server that lost its cluster still answers SELECT 1.
      await session.raw('select count(*) as n from ledger_balances where 1 = 0');
      const done = await rowsOf(session(`${LIST_TABLE} as m`).select('m.name')); // a short list
      const missing = await missingMigrations(done, database.dialect, logger);
      return missing.length === 0 ? 'ready' : 'migrations';
    },
    { deadlineMs: DEADLINE_MS },
  );
}
