import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Knex, knex } from 'knex';
import type { DatabaseUrl } from '../config';
import { AppError } from '../kernel';
import { hideValues, type Logger } from '../logging';
import { protectFiles } from './file-rights';
import { MariaDbClient, type MariaDbClientConfig } from './mariadb-client';
import { SqliteClient } from './sqlite-client';
import { tlsSettings } from './tls';

/**
 * How long a query waits for a free connection before the database counts as unavailable. It is close to an answer's
 * deadline: a burst of resends for one agent queues on that agent's row, and each is answered in turn.
 */
const ACQUIRE_TIMEOUT_MS = 4_000;
const CONNECT_TIMEOUT_MS = 1_500;
const MARIADB_POOL_MAX = 12;

/** The maximum logged length of knex's text about a failed connection. */
const KNEX_DETAIL_MAX = 300;

// Short, because better-sqlite3 blocks the event loop while it waits. transact() retries without blocking.
const SQLITE_BUSY_TIMEOUT_MS = 20;

/**
 * The write-ahead log is copied into the file when it has this number of pages (40 MB). A page that changed often is then
 * copied once; with SQLite's thousand pages, copying took a fifth of the time of a confirm.
 */
const SQLITE_LOG_PAGES = 10_000;

const SQLITE_PRAGMAS = [
  'journal_mode = WAL',
  `wal_autocheckpoint = ${SQLITE_LOG_PAGES}`,
  'synchronous = FULL',
  'foreign_keys = ON',
  `busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`,
  'trusted_schema = OFF',
];

// Strict whatever the server's default: a value that does not fit is an error and is never shortened.
const MARIADB_SESSION =
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE', " +
  "collation_connection = 'utf8mb4_bin', time_zone = '+00:00', innodb_lock_wait_timeout = 3, wsrep_sync_wait = 1";
const MARIADB_ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Opens a pool. `opened` is called each time the file of an embedded database is opened. */
export function connect(url: DatabaseUrl, logger: Logger, opened: () => void, variable: string): Knex {
  return knex(knexConfig(url, logger, opened, variable));
}

/**
 * Returns the knex settings. SQLite has one connection, which serializes the work of a process; MariaDB has several.
 */
export function knexConfig(
  url: DatabaseUrl,
  logger: Logger,
  opened: () => void = () => undefined,
  variable = 'DATABASE_URL',
): Knex.Config {
  const shared = {
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    compileSqlOnError: false, // error messages must not carry values
    log: knexLog(logger),
  };
  if (url.kind === 'sqlite') {
    const file = resolve(url.file);
    makeFolder(dirname(file), variable);
    return {
      ...shared,
      client: SqliteClient,
      connection: { filename: file },
      useNullAsDefault: true,
      pool: { min: 1, max: 1, afterCreate: prepareSqlite(file, logger, opened) },
    };
  }
  return {
    ...shared,
    client: MariaDbClient,
    connection: {
      hosts: url.hosts,
      user: url.user,
      password: url.password,
      database: url.database,
      charset: 'utf8mb4',
      timezone: 'Z',
      dateStrings: true,
      supportBigNumbers: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      ...(url.tls === undefined ? {} : tlsSettings(url.tls, variable)),
    } as Knex.MySql2ConnectionConfig,
    pool: { min: 0, max: MARIADB_POOL_MAX, afterCreate: prepareMariaDb },
    hostChanged: (from, to) => {
      // The first choice of a process, and the end of an outage, need no attention.
      const level = from === undefined ? 'info' : 'warn';
      logger[level]('database host changed', { event: 'db.host_changed', from, to });
    },
  } satisfies MariaDbClientConfig as Knex.Config;
}

function makeFolder(folder: string, variable: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as { code?: string };
    const fault = `the folder of the file cannot be created (${code ?? 'unknown'})`;
    throw new AppError('misconfigured', { field: variable, fault }, { cause: error });
  }
}

function prepareSqlite(file: string, logger: Logger, opened: () => void) {
  return (
    connection: { pragma(source: string): unknown },
    done: (error: unknown, connection: unknown) => void,
  ): void => {
    try {
      opened();
      protectFiles(file, logger);
      for (const pragma of SQLITE_PRAGMAS) connection.pragma(pragma);
      done(undefined, connection);
    } catch (error) {
      done(error, connection);
    }
  };
}

function prepareMariaDb(
  connection: { query(sql: string, callback: (error: unknown) => void): void },
  done: (error: unknown, connection: unknown) => void,
): void {
  connection.query(MARIADB_SESSION, (sessionError) => {
    if (sessionError) return done(sessionError, connection);
    connection.query(MARIADB_ISOLATION, (error) => done(error ?? undefined, connection));
  });
}

/** Logs the first line of knex's long texts with stack traces; the log itself drops repeats. */
function knexLog(logger: Logger): NonNullable<Knex.Config['log']> {
  const log = (message: unknown): void => {
    const [line = ''] = String(message).split('\n', 1);
    logger.warn('database connection trouble', {
      event: 'db.connection',
      detail: hideValues(line.slice(0, KNEX_DETAIL_MAX)),
    });
  };
  return { warn: log, error: log, deprecate: log, debug: () => undefined };
}
