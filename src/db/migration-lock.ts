import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock, SECOND_MS } from '../kernel';
import type { Database } from './database';
import { classifyDatabaseError, StatementDeadlineError } from './errors';
import { destroyConnection, setStatementDeadline } from './mariadb-client';
import { LOCK_TABLE, migratingElsewhere, type RunOne, underLease } from './migration-lease';
import { execute, giveBack, type RawConnection, takeConnection } from './raw';

// The table of knex's own migrator, in its format, so that its command line can read them.
export const LIST_TABLE = 'schema_migrations';

const PAUSE_MS = 20;
/** A change of a table may keep a statement beside it waiting. */
const BESIDE_MS = 10 * SECOND_MS;

const LIST_OF_SQLITE =
  `create table if not exists ${LIST_TABLE} (id integer not null primary key autoincrement, ` +
  'name text not null, batch integer not null, migration_time datetime not null)';
const LIST_OF_MARIADB =
  `create table if not exists ${LIST_TABLE} (id int unsigned not null auto_increment primary key, ` +
  'name varchar(255) not null, batch int not null, migration_time timestamp not null default current_timestamp) ' +
  'engine=InnoDB default charset=utf8mb4';
const LOCK_OF_MARIADB =
  `create table if not exists ${LOCK_TABLE} (\`index\` int unsigned not null auto_increment primary key, ` +
  'is_locked int not null) engine=InnoDB default charset=utf8mb4';

/**
 * Runs `work` on a connection while no other process migrates the same database.
 *
 * SQLite: everything runs in one transaction, which ends with the process. MariaDB commits every change of a table, so
 * a second connection locks a row, which the server releases when that connection ends. Nodes of a cluster do not know
 * each other's row locks, but of two writes of one row only one commits: there a lease is written besides.
 *
 * @param limitMs how long it may wait for another process, and on MariaDB how long `work` may take.
 * @throws StatementDeadlineError when that time is over. The server may still execute the last statement.
 */
export function whileAlone<T>(database: Database, limitMs: number, work: Work<T>): Promise<T> {
  return database.dialect === 'sqlite' ? aloneInFile(database, limitMs, work) : aloneOnServer(database, limitMs, work);
}

type Work<T> = (connection: RawConnection) => Promise<T>;

function aloneInFile<T>({ pool }: Database, limitMs: number, work: Work<T>): Promise<T> {
  const deadlineAt = monotonicClock.now() + limitMs;
  return withConnection(pool, deadlineAt, async (connection, run) => {
    await whenFree(() => run('BEGIN IMMEDIATE'), deadlineAt).catch((error: unknown) => {
      throw classifyDatabaseError(error) === 'retry' ? migratingElsewhere(error) : error;
    });
    try {
      await run(LIST_OF_SQLITE);
      const result = await work(connection);
      await run('COMMIT');
      return result;
    } catch (error) {
      if (connection.inTransaction === true) await run('ROLLBACK');
      throw error;
    }
  });
}

function aloneOnServer<T>({ pool }: Database, limitMs: number, work: Work<T>): Promise<T> {
  const deadlineAt = monotonicClock.now() + limitMs;
  return withConnection(pool, deadlineAt, async (locking, run) => {
    await run(LIST_OF_MARIADB);
    await run(LOCK_OF_MARIADB);
    // Read first: an INSERT would wait for the process that locks the row and time out before it ends.
    const [rows] = (await run(`select is_locked from ${LOCK_TABLE} where \`index\` = 1`)) as [unknown[]];
    if (rows.length === 0) {
      await run(`insert into ${LOCK_TABLE} (\`index\`, is_locked) values (1, 0)`).catch((error: unknown) => {
        if (!['duplicate', 'retry'].includes(classifyDatabaseError(error) ?? '')) throw error;
      });
    }
    await run('START TRANSACTION');
    try {
      await lockRow(run, deadlineAt);
      return await withConnection(pool, deadlineAt, (working, runWorking) => {
        const restart = (): void => {
          const until = monotonicClock.now() + limitMs;
          for (const each of [locking, working]) setStatementDeadline(each, until);
        };
        const runBeside: RunOne = (sql) =>
          withConnection(pool, monotonicClock.now() + BESIDE_MS, (_, runOne) => runOne(sql));
        const stop = (): void => destroyConnection(working, migratingElsewhere());
        return underLease({ run: runWorking, runBeside, restart, stop }, () => work(working));
      });
    } finally {
      await run('ROLLBACK').catch(() => undefined); // a connection that failed has no transaction any more
    }
  });
}

async function lockRow(run: RunOne, deadlineAt: number): Promise<void> {
  const sql = `select is_locked from ${LOCK_TABLE} where \`index\` = 1 for update`;
  await whenFree(() => run(sql), deadlineAt).catch((error: unknown) => {
    const isTooLate = error instanceof StatementDeadlineError || classifyDatabaseError(error) === 'retry';
    throw isTooLate ? migratingElsewhere(error) : error;
  });
}

async function withConnection<T>(
  pool: Database['pool'],
  deadlineAt: number,
  task: (connection: RawConnection, run: RunOne) => Promise<T>,
): Promise<T> {
  const connection = await takeConnection(pool, deadlineAt);
  setStatementDeadline(connection, deadlineAt);
  try {
    return await task(connection, (sql) => execute(pool, connection, sql));
  } finally {
    setStatementDeadline(connection, undefined);
    await giveBack(pool, connection);
  }
}

/** Retries while another process has the lock, or a node of a cluster does not have all writes yet. */
export async function whenFree<T>(attempt: () => Promise<T>, deadlineAt: number): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (classifyDatabaseError(error) !== 'retry' || monotonicClock.now() >= deadlineAt) throw error;
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}
