import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe } from '@jest/globals';
import { type Connection, type ConnectionOptions, createConnection, type RowDataPacket } from 'mysql2/promise';
import { type DatabaseUrl, parseDatabaseUrl } from '../../src/config';
import { type Database, type Dialect, migrate, openDatabase, sqliteDriver } from '../../src/db';
import { silentLogger } from '../../src/logging';
import { copyMariaDb } from './copy-mariadb';
import { MariaDbServer } from './mariadb-server';
import { testRun } from './test-run';

const KNEX_TABLE = /^schema_migrations(_lock)?$/;
/** How long a reset waits for what a test that failed still has under way. */
const RESET_LIMIT_MS = 30_000;
const RESET_POLL_MS = 5;

/** One database for one suite, emptied before each test. */
export interface Harness {
  readonly dialect: Dialect;
  /** The same for the whole suite; another process may open it too. */
  readonly url: string;
  /** Open from the suite's first hook to its last; `beforeAll` may keep it. */
  readonly database: Database;
  /** One more database, empty and migrated, for this file alone. It is dropped at the end of the file. */
  fresh(): Promise<FreshDatabase>;
}

export interface FreshDatabase {
  readonly url: string;
  /** Opens it in this process; closed at the end of the file at the latest. */
  open(): Database;
}

/** Registers the suite once per database. Without a MariaDB server its half is reported as skipped. */
export function describeOnEachDatabase(name: string, define: (harness: Harness) => void): void {
  describeOnEachDialect(name, (dialect) => defineOn(dialect, define));
}

/**
 * Registers a suite in which no SQL differs, and which is neither about money nor about HTTP, on one database: SQLite,
 * or the one that ONE_DATABASE names. Fault runs, and a run with EVERY_DATABASE=1, have it on both.
 */
export function describeOnOneDatabase(name: string, define: (harness: Harness) => void): void {
  if (isInFull()) {
    describeOnEachDatabase(name, define);
  } else {
    const dialect = oneDatabase();
    describe(`${name} on ${dialect}`, () => defineOn(dialect, define));
  }
}

function oneDatabase(): Dialect {
  const named = process.env['ONE_DATABASE'] ?? 'sqlite';
  if (named !== 'sqlite' && named !== 'mariadb') {
    throw new Error(`ONE_DATABASE: expected sqlite or mariadb, got ${named}`);
  }
  return testRun.mariadbUrl === undefined ? 'sqlite' : named;
}

/** Whether nothing is left out of this run on a second database: fault runs, and a run with EVERY_DATABASE=1. */
export function isInFull(): boolean {
  return process.env['EVERY_DATABASE'] === '1' || process.env['FAULT_TABLE'] !== undefined;
}

function defineOn(dialect: Dialect, define: (harness: Harness) => void): void {
  let url: string | undefined;
  let database: Database | undefined;
  let reset: Reset | undefined;
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the harness is ready from the first beforeAll on, not earlier');
    return value;
  };
  beforeAll(async () => {
    url = await suiteDatabaseUrl(dialect);
    database = withTracking(openDatabase(parsedUrl(url), silentLogger));
    reset = await openReset(url);
    // An earlier suite may have left rows, and this one's own beforeAll may write and compare.
    await untilSettled();
    await reset.empty();
  });
  beforeEach(async () => {
    await untilSettled();
    await present(reset).empty();
  });
  afterAll(async () => {
    await database?.close();
    await reset?.close();
  });
  define({
    dialect,
    get url() {
      return present(url);
    },
    get database() {
      return present(database);
    },
    fresh: () => freshDatabase(dialect),
  });
}

/** Registers the suite once per dialect and opens nothing: for tests that start processes of their own. */
export function describeOnEachDialect(name: string, define: (dialect: Dialect) => void): void {
  describe(`${name} on sqlite`, () => define('sqlite'));
  describeOnMariaDb(`${name} on mariadb`, () => define('mariadb'));
}

/** For what only a server does. Reported as skipped where there is none; the set-up prints why. */
export const describeOnMariaDb: (name: string, define: () => void) => void = (name, define) =>
  testRun.mariadbUrl === undefined ? describe.skip(name, define) : describe(name, define);

/** For what stops, kills or configures a MariaDB of its own. Reported as skipped where none is installed; the set-up prints why. */
export const describeWithOwnMariaDb: (name: string, define: () => void) => void = (name, define) =>
  MariaDbServer.isInstalled() ? describe(name, define) : describe.skip(name, define);

/** A new empty database with every table, for this file alone. */
export async function freshDatabase(dialect: Dialect): Promise<FreshDatabase> {
  const url = await unmigratedDatabaseUrl(dialect);
  if (dialect === 'sqlite') copyFileSync(await sqliteImage(), sqliteFile(url));
  else await copyMariaDb(await mariadbImage(), url);
  return {
    url,
    open() {
      const database = openDatabase(parsedUrl(url), silentLogger);
      cleanUps.push(() => database.close());
      return database;
    },
  };
}

/** A new database without any table; a SQLite file is not there yet. */
export async function unmigratedDatabaseUrl(dialect: Dialect): Promise<string> {
  const name = `millime_${process.pid}_${Date.now().toString(36)}_${(counter += 1)}`;
  if (dialect === 'sqlite') return `sqlite:${join(workerFolder(), `${name}.sqlite3`)}`;
  await onServer((connection) => connection.query(`create database \`${name}\``));
  cleanUps.push(() => onServer((connection) => connection.query(`drop database \`${name}\``)));
  return mariadbUrl(name);
}

/** Parses a DATABASE_URL that is known to be good. */
export function parsedUrl(url: string): DatabaseUrl {
  const parsed = parseDatabaseUrl(url);
  if (parsed === undefined) throw new Error(`not a DATABASE_URL: ${url}`);
  return parsed;
}

/** A plain connection to a MariaDB database, past our own code: for looking at what it really did. */
export async function rawConnection(url: string, options: ConnectionOptions = {}): Promise<Connection> {
  const parsed = parsedUrl(url);
  if (parsed.kind !== 'mariadb') throw new Error('not a MariaDB database');
  const { user, password, database } = parsed;
  const connection = await createConnection({
    ...parsed.hosts[0],
    ...{ user, password, database, supportBigNumbers: true },
    ...options,
  });
  rawConnections.add(connection);
  connection.once('end', () => rawConnections.delete(connection)); // a month opens a hundred thousand of them
  return connection;
}

let counter = 0;
const cleanUps: (() => unknown)[] = [];
const rawConnections = new Set<Connection>();

afterAll(async () => {
  // What a test that failed still locks would stop the clean-up of its database.
  for (const connection of rawConnections) connection.destroy();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function workerFolder(): string {
  const folder = join(testRun.folder, `worker-${process.env['JEST_WORKER_ID'] ?? '1'}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The worker's own database; on MariaDB the same one for all its files. */
async function suiteDatabaseUrl(dialect: Dialect): Promise<string> {
  if (dialect === 'sqlite') return (await freshDatabase('sqlite')).url;
  const name = `millime_worker_${process.env['JEST_WORKER_ID'] ?? '1'}`;
  await onceInRun('mariadb-is-ready', async () => {
    await makeMariaDb(name);
    await copyMariaDb(await mariadbImage(), mariadbUrl(name));
  });
  return mariadbUrl(name);
}

/** The name of the worker's migrated database that nobody writes to. */
async function mariadbImage(): Promise<string> {
  const name = `millime_image_${process.env['JEST_WORKER_ID'] ?? '1'}`;
  await onceInRun('mariadb-image-is-migrated', async () => {
    await makeMariaDb(name);
    await migrateDatabase(mariadbUrl(name));
  });
  return name;
}

async function makeMariaDb(name: string): Promise<void> {
  await onServer(async (connection) => {
    await connection.query(`drop database if exists \`${name}\``);
    await connection.query(`create database \`${name}\``);
  });
}

async function onceInRun(name: string, work: () => Promise<void>): Promise<void> {
  const marker = join(workerFolder(), name);
  if (existsSync(marker)) return;
  await work();
  writeFileSync(marker, '');
}

async function sqliteImage(): Promise<string> {
  const image = join(workerFolder(), 'image.sqlite3');
  if (existsSync(image)) return image;
  const making = `${image}.making`;
  await migrateDatabase(`sqlite:${making}`);
  renameSync(making, image);
  return image;
}

async function migrateDatabase(url: string): Promise<void> {
  const database = openDatabase(parsedUrl(url), silentLogger);
  try {
    await migrate(database, silentLogger);
  } finally {
    await database.close();
  }
}

const underWay = new Set<Promise<unknown>>();

/** Notes work that the next reset has to wait for, should the test end before it. */
export function tracked<T>(work: Promise<T>): Promise<T> {
  const settled = work.then(
    () => undefined,
    () => undefined,
  );
  underWay.add(settled);
  void settled.then(() => underWay.delete(settled));
  return work;
}

function withTracking(database: Database): Database {
  return {
    ...database,
    transact: (work, options) => tracked(database.transact(work, options)),
    read: (work, options) => tracked(database.read(work, options)),
  };
}

/** A test that fails on the first of many calls leaves the others running: they would write into the next test. */
async function untilSettled(): Promise<void> {
  const until = performance.now() + RESET_LIMIT_MS;
  while (underWay.size > 0) {
    if (performance.now() > until) throw new Error(`${underWay.size} calls of an earlier test are still under way`);
    await Promise.race([Promise.all(underWay), sleep(RESET_LIMIT_MS, undefined, { ref: false })]);
  }
}

/** Empties one database before each test. Its connection and what it knows of the tables last as long as the suite. */
interface Reset {
  empty(): Promise<void>;
  close(): void | Promise<void>;
}

function openReset(url: string): Promise<Reset> {
  return url.startsWith('sqlite:') ? Promise.resolve(resetSqlite(sqliteFile(url))) : resetMariaDb(url);
}

/**
 * Past the append-only triggers, which are taken away and made again in the same transaction. The file stays the same
 * one, so connections that are open on it, here or in another process, go on.
 */
function resetSqlite(file: string): Reset {
  const db = new (sqliteDriver())(file, { timeout: 0 }); // to wait here would stop the writer that we wait for
  db.pragma('foreign_keys = OFF');
  db.pragma('synchronous = OFF');
  const tables = db
    .prepare<[], string>(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
    .pluck()
    .all()
    .filter((table) => !KNEX_TABLE.test(table));
  const full = tables.map((table) => `select '${table}' where exists (select 1 from "${table}")`);
  const findFull = db.prepare<[], string>(full.join(' union all ')).pluck();
  const findTriggers = db.prepare<[], { name: string; sql: string; table: string }>(
    `select name, sql, tbl_name as "table" from sqlite_master where type = 'trigger'`,
  );
  const empty = db.transaction(() => {
    const written = findFull.all();
    if (written.length === 0) return;
    const triggers = findTriggers.all().filter(({ table }) => written.includes(table));
    db.exec(
      [
        ...triggers.map(({ name }) => `drop trigger "${name}"`),
        ...written.map((table) => `delete from "${table}"`),
        ...triggers.map(({ sql }) => sql),
      ].join(';\n'),
    );
  });
  return {
    async empty() {
      const until = performance.now() + RESET_LIMIT_MS;
      for (;;) {
        try {
          return empty.immediate();
        } catch (error) {
          if ((error as { code?: unknown }).code !== 'SQLITE_BUSY' || performance.now() > until) throw error;
          await sleep(RESET_POLL_MS);
        }
      }
    },
    close: () => void db.close(),
  };
}

/**
 * TRUNCATE passes the append-only triggers, and waits for transactions that have the table in use. Where no trigger
 * forbids it, DELETE costs a tenth.
 */
async function resetMariaDb(url: string): Promise<Reset> {
  const connection = await rawConnection(url, { multipleStatements: true });
  const names = async (sql: string): Promise<readonly string[]> => {
    const [rows] = await connection.query<RowDataPacket[]>({ sql, rowsAsArray: true });
    return rows.map((row) => String(row[0]));
  };
  await connection.query(`set foreign_key_checks = 0, lock_wait_timeout = ${RESET_LIMIT_MS / 1_000}`);
  const tables = await names('select table_name from information_schema.tables where table_schema = database()');
  const guarded = await names(
    `select event_object_table from information_schema.triggers where trigger_schema = database() and event_manipulation = 'DELETE'`,
  );
  const full = tables
    .filter((table) => !KNEX_TABLE.test(table))
    .map((table) => `(select '${table}' from \`${table}\` limit 1)`)
    .join(' union all ');
  return {
    async empty() {
      const written = await names(full);
      if (written.length === 0) return;
      const statements = written.map((table) =>
        guarded.includes(table) ? `truncate table \`${table}\`` : `delete from \`${table}\``,
      );
      await connection.query(statements.join('; '));
    },
    close: () => connection.end(),
  };
}

async function onServer<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
  // No database is named: it may be the one that is to be made.
  const parsed = parsedUrl(mariadbUrl('none'));
  if (parsed.kind !== 'mariadb') throw new Error('TEST_DATABASE_URL must be a mysql:// address');
  const connection = await createConnection({
    ...parsed.hosts[0],
    user: parsed.user,
    password: parsed.password,
  });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

function mariadbUrl(database: string): string {
  const url = testRun.mariadbUrl;
  if (url === undefined) throw new Error('there is no MariaDB server in this run');
  return url.replace(/\/[^/]*$/, `/${database}`);
}

function sqliteFile(url: string): string {
  return url.slice('sqlite:'.length);
}
