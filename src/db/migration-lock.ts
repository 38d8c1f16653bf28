import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, monotonicClock } from '../kernel';
import type { Database } from './database';
import { classifyDatabaseError } from './errors';
import { setStatementDeadline } from './mariadb-client';
import { execute, giveBack, type RawConnection, takeConnection } from './raw';

// The tables of knex's own migrator, in its format, so that its command line can read them.
export const LIST_TABLE = 'schema_migrations';
const LOCK_TABLE = 'schema_migrations_lock';

/** How long one process may wait for another's migrations, and how long they may take. */
const PATIENCE_MS = 2 * MINUTE_MS;
const PAUSE_MS = 20;

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
 * a second connection locks a row, which the server releases when that connection ends. On a cluster the row is locked
 * on one node only: migrate from one place there.
 */
export async function whileAlone<T>(
  { pool, dialect }: Database,
  work: (connection: RawConnection) => Promise<T>,
): Promise<T> {
  const deadlineAt = monotonicClock.now() + PATIENCE_MS;
  const on = async <R>(
    task: (run: (sql: string) => Promise<unknown>, raw: RawConnection) => Promise<R>,
  ): Promise<R> => {
    const connection = await takeConnection(pool, deadlineAt);
    setStatementDeadline(connection, deadlineAt);
    try {
      return await task((sql) => execute(pool, connection, sql), connection);
    } finally {
      setStatementDeadline(connection, undefined);
      await giveBack(pool, connection);
    }
  };
  if (dialect === 'sqlite') {
    return on(async (run, connection) => {
      await whenFree(() => run('BEGIN IMMEDIATE'), deadlineAt);
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
  return on(async (run) => {
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
      await whenFree(() => run(`select is_locked from ${LOCK_TABLE} where \`index\` = 1 for update`), deadlineAt);
      return await on((_run, connection) => work(connection));
    } finally {
      await run('ROLLBACK');
    }
  });
}

/** Retries while another process has the lock. */
async function whenFree(attempt: () => Promise<unknown>, deadlineAt: number): Promise<void> {
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (classifyDatabaseError(error) !== 'retry' || monotonicClock.now() >= deadlineAt) throw error;
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}
