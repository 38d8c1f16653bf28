import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, monotonicClock, SECOND_MS } from '../kernel';
import type { Database } from './database';
import { classifyDatabaseError } from './errors';
import { setStatementDeadline } from './mariadb-client';
import { execute, giveBack, type RawConnection, takeConnection } from './raw';

// The tables of knex's own migrator, in its format, so that its command line can read them.
export const LIST_TABLE = 'schema_migrations';
const LOCK_TABLE = 'schema_migrations_lock';

const PAUSE_MS = 20;

/** The row that holds, on a cluster, until when a process migrates. Row 1 is the one of knex. */
const LEASE_ROW = 2;
/** Its number is int, so it counts tens of seconds since 1970. */
const LEASE_UNIT_SECONDS = 10;
/** A waiting process outlasts the lease of one that died, if both have one limit. */
const CLUSTER_EXTRA_MS = 2 * LEASE_UNIT_SECONDS * SECOND_MS;
const CLUSTER_PAUSE_MS = 500;

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
      await whenFree(() => run(`select is_locked from ${LOCK_TABLE} where \`index\` = 1 for update`), deadlineAt);
      return await withConnection(pool, deadlineAt, async (working, runBeside) => {
        const restart = (): void => {
          const until = monotonicClock.now() + limitMs;
          for (const each of [locking, working]) setStatementDeadline(each, until);
        };
        const release = await leaseOnCluster(runBeside, limitMs, restart);
        try {
          return await work(working);
        } finally {
          await release?.();
        }
      });
    } finally {
      await run('ROLLBACK');
    }
  });
}

/** Runs one statement on a connection. */
type RunOne = (sql: string) => Promise<unknown>;

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

/**
 * Takes the lease on a cluster, and returns what gives it back; on a single server returns undefined. Calls `restart`
 * whenever the time for the migrations begins anew: it does not pass while another process has the lease.
 */
async function leaseOnCluster(
  run: RunOne,
  limitMs: number,
  restart: () => void,
): Promise<(() => Promise<void>) | undefined> {
  const [cluster] = (await run("show variables where variable_name = 'wsrep_on' and value = 'ON'")) as [unknown[]];
  if (cluster.length === 0) return undefined;
  await run(`insert ignore into ${LOCK_TABLE} (\`index\`, is_locked) values (${LEASE_ROW}, 0)`);
  const set = (until: string, from: string): Promise<boolean> =>
    hasChanged(run, `update ${LOCK_TABLE} set is_locked = ${until} where \`index\` = ${LEASE_ROW} and ${from}`);
  const now = `unix_timestamp() div ${LEASE_UNIT_SECONDS}`;
  const units = Math.ceil(limitMs / SECOND_MS / LEASE_UNIT_SECONDS) + 1;
  const giveUpAt = monotonicClock.now() + limitMs + CLUSTER_EXTRA_MS;
  while (!(await set(`${now} + ${units}`, `is_locked < ${now}`))) {
    if (monotonicClock.now() > giveUpAt) throw new AppError('unavailable', 'another process migrates the database');
    await sleep(CLUSTER_PAUSE_MS * (0.5 + Math.random()));
    restart();
  }
  return async () => {
    await set('0', 'is_locked > 0');
  };
}

/** Returns whether a statement changed a row. One that conflicts with a write on another node changes none. */
async function hasChanged(run: RunOne, sql: string): Promise<boolean> {
  try {
    const [{ affectedRows }] = (await run(sql)) as [{ affectedRows: number }];
    return affectedRows > 0;
  } catch (error) {
    if (classifyDatabaseError(error) === 'retry') return false;
    throw error;
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
