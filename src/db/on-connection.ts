import type { Knex } from 'knex';
import { assert, monotonicClock, SECOND_MS } from '../kernel';
import type { Logger } from '../logging';
import { healthAfter, type HostHealth, judgeConnection, type Verdict } from './judge-connection';
import { beginWithNext, destroyConnection, type MariaDbClient, setStatementDeadline } from './mariadb-client';
import type { NestingCheck } from './nesting';
import type { OpenedFile } from './opened-file';
import { execute, giveBack, type RawConnection, type Row, takeConnection } from './raw';
import { readServerHealth } from './server-health';
import { type Dialect, openSession, type Session } from './session';
import { prepared } from './statements';
import { reopenStatement, tablesWithUnreadGuard } from './unread-guard';
import type { WriteQueue } from './write-queue';

/** An open database from the view of its transactions. */
export interface OpenedDatabase {
  readonly dialect: Dialect;
  readonly pool: Knex;
  readonly logger: Logger;
  /** The files of an embedded database; undefined for a server. */
  readonly file: OpenedFile | undefined;
  /** The connections in use. */
  readonly inUse: Set<RawConnection>;
  readonly nesting: NestingCheck;
  readonly inWriteQueue: WriteQueue;
}

/** The statements around a transaction. */
export interface TransactionStatements {
  /** `with_first`: the transaction begins together with its first statement, on a server. */
  readonly begin: readonly string[] | 'with_first';
  readonly commit: string;
}

export type Phase = 'acquire' | 'begin' | 'work' | 'commit';

/** A transaction that ended with an error, and the phase that it had reached. */
export class Aborted extends Error {
  readonly phase: Phase;
  /** Whether the host could not serve it, and another host may. */
  readonly mayGoElsewhere: boolean;
  constructor(phase: Phase, cause: unknown, mayGoElsewhere = false) {
    super('transaction aborted', { cause });
    this.phase = phase;
    this.mayGoElsewhere = mayGoElsewhere;
  }
}

/**
 * Runs the work on a connection, between `begin` and `commit`, and leaves the connection clean. An empty `commit` is
 * for SELECTs without a transaction.
 *
 * @throws Aborted, and nothing else.
 */
export async function onConnection<T>(
  opened: OpenedDatabase,
  statements: TransactionStatements,
  deadlineAt: number,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { pool, file, dialect, inUse, nesting } = opened;
  let phase: Phase = 'acquire';
  let connection: RawConnection | undefined;
  try {
    connection = await takeConnection(pool, deadlineAt);
    inUse.add(connection);
    setStatementDeadline(connection, deadlineAt);
    phase = 'begin';
    if (statements.begin === 'with_first') beginWithNext(connection, true);
    else for (const statement of statements.begin) await control(opened, connection, statement);
    phase = 'work';
    const { session, end } = openSession(pool, connection, dialect);
    let result: T;
    try {
      result = await nesting.inside(() => work(session));
    } finally {
      end();
    }
    // Checked last: committed data must be in the file that the next process opens, and data that was read comes from it.
    file?.requireInPlace();
    phase = 'commit';
    if (statements.commit !== '') await control(opened, connection, statements.commit);
    return result;
  } catch (error) {
    const verdict =
      connection === undefined ? 'use' : await leaveClean(opened, connection, error, statements.commit !== '');
    throw new Aborted(phase, error, verdict === 'elsewhere' && clientOf(pool).hasSeveralHosts);
  } finally {
    if (connection !== undefined) {
      setStatementDeadline(connection, undefined);
      beginWithNext(connection, false);
      inUse.delete(connection);
      await giveBack(pool, connection);
    }
  }
}

/**
 * Ends the transaction on the connection, if there is one, or destroys the connection. knex does neither after a failed
 * COMMIT. Returns what became of the connection.
 */
async function leaveClean(
  opened: OpenedDatabase,
  connection: RawConnection,
  reason: unknown,
  hasTransaction: boolean,
): Promise<Verdict> {
  if (connection.__knex__disposed !== undefined) return 'destroy';
  const { pool, dialect } = opened;
  try {
    if (dialect === 'sqlite') {
      if (!hasTransaction) return 'use';
      if (connection.inTransaction === true) await control(opened, connection, 'ROLLBACK');
      assert(connection.inTransaction === false, 'a transaction is open after ROLLBACK');
      return 'use';
    }
    setStatementDeadline(connection, monotonicClock.now() + SECOND_MS);
    beginWithNext(connection, false);
    const verdict = await judged(pool, connection, reason);
    if (verdict !== 'use') destroyConnection(connection, reason);
    else if (hasTransaction) {
      await control(opened, connection, 'ROLLBACK');
      await reopenUnreadTables(opened, connection, reason);
    }
    return verdict;
  } catch (error) {
    if (dialect === 'sqlite') connection.close?.();
    destroyConnection(connection, error);
    return 'destroy';
  }
}

/** Makes the server open the tables anew whose guards it could not read, before the work runs again. */
async function reopenUnreadTables(opened: OpenedDatabase, connection: RawConnection, reason: unknown): Promise<void> {
  for (const table of tablesWithUnreadGuard(reason)) {
    opened.logger.warn('a table is opened anew, because the server could not read its triggers', {
      event: 'db.table_reopened',
      table,
    });
    await execute(opened.pool, connection, reopenStatement(table));
  }
}

/** Runs a statement that begins or ends a transaction. knex would compile it anew each time on an embedded database. */
async function control({ pool, dialect }: OpenedDatabase, connection: RawConnection, statement: string): Promise<void> {
  if (dialect === 'sqlite') prepared(connection, statement).run();
  else await execute(pool, connection, statement);
}

/** Judges a connection to a server, and asks the server if the error alone does not decide. */
async function judged(pool: Knex, connection: RawConnection, reason: unknown): Promise<Verdict> {
  let health: HostHealth | undefined;
  let verdict = judgeConnection(reason);
  if (verdict === 'ask') {
    health = await readServerHealth(async (sql, values) => {
      const [rows] = (await pool.raw(sql, [...values]).connection(connection)) as [readonly Row[]];
      return rows;
    });
    verdict = judgeConnection(reason, health);
  }
  if (verdict === 'elsewhere') clientOf(pool).reportHost(connection, health ?? healthAfter(reason));
  return verdict;
}

function clientOf(pool: Knex): MariaDbClient {
  return pool.client as MariaDbClient;
}
