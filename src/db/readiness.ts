import { type Clock, createRefresher, isAppError, monotonicClock } from '../kernel';
import type { Logger } from '../logging';
import type { Database } from './database';
import { beforeDeadline } from './deadline';
import { LIST_TABLE } from './migration-lock';
import { missingMigrations } from './migrations';
import { rowsOf, type Session } from './session';

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
      if (session.dialect === 'mariadb' && !(await takesWrites(session))) return 'database';
      // It reads a real table, because a server that lost its cluster still answers SELECT 1.
      await session.raw('select count(*) as n from ledger_balances where 1 = 0');
      const done = await rowsOf(session(`${LIST_TABLE} as m`).select('m.name')); // a short list
      const missing = await missingMigrations(done, database.dialect, logger);
      return missing.length === 0 ? 'ready' : 'migrations';
    },
    { deadlineMs: DEADLINE_MS },
  );
}

/**
 * Returns whether the server accepts writes, by settings that every user may read. A value other than OFF means not
 * writable, whatever name later versions give it.
 */
async function takesWrites(session: Session): Promise<boolean> {
  const settings = await valuesOf(session, 'variables', ['read_only', 'innodb_read_only', 'wsrep_on']);
  if (settings.get('read_only') !== 'OFF' || settings.get('innodb_read_only') !== 'OFF') return false;
  if (settings.get('wsrep_on') !== 'ON') return true; // not a member of a cluster
  return (await valuesOf(session, 'status', ['wsrep_ready'])).get('wsrep_ready') === 'ON';
}

async function valuesOf(
  session: Session,
  kind: 'variables' | 'status',
  names: readonly string[],
): Promise<Map<string, string>> {
  const places = names.map(() => '?').join(', ');
  const rows = await session.raw(`show global ${kind} where variable_name in (${places})`, names);
  return new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]));
}
