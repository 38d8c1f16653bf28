import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { parseDatabaseUrl, type DatabaseUrl } from '../../src/config';
import { migrate, openDatabase, type Database, type Dialect } from '../../src/db';
import { silentLogger } from '../../src/logging';
import { copyMariaDb } from './copy-mariadb';
import { MariaDbServer } from './mariadb-server';
import { testRun } from './test-run';

const KNEX_TABLE = /^schema_migrations(_lock)?$/;

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
 * For suites about the process: what it does there is the same on each database, and what it calls is tested on both.
 * On SQLite; fault runs, and a run with EVERY_DATABASE=1, have it on each.
 */
export function describeOnOneDatabase(name: string, define: (harness: Harness) => void): void {
  if (isInFull()) {
    describeOnEachDatabase(name, define);
  } else {
    describe(`${name} on sqlite`, () => defineOn('sqlite', define));
  }
}

/** Whether nothing is left out of this run on a second database: fault runs, and a run with EVERY_DATABASE=1. */
export function isInFull(): boolean {
  return process.env['EVERY_DATABASE'] === '1' || process.env['FAULT_TABLE'] !== undefined;
}

function defineOn(dialect: Dialect, define: (harness: Harness) => void): void {
  let url: string | undefined;
  let database: Database | undefined;
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the harness is ready from the first beforeAll on, not earlier');
    return value;
  };
  beforeAll(async () => {
    url = await suiteDatabaseUrl(dialect);
    database = openDatabase(parsedUrl(url), silentLogger);
  });
  beforeEach(() => emptyDatabase(present(url)));
  afterAll(() => database?.close());
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
export async function rawConnection(url: string): Promise<Connection> {
  const parsed = parsedUrl(url);
  if (parsed.kind !== 'mariadb') throw new Error('not a MariaDB database');
  const { user, password, database } = parsed;
  return createConnection({ ...parsed.hosts[0], user, password, database, supportBigNumbers: true });
}

let counter = 0;
const cleanUps: (() => unknown)[] = [];

afterAll(async () => {
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

async function emptyDatabase(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) emptySqlite(sqliteFile(url));
  else await emptyMariaDb(url);
}

/**
 * Past the append-only triggers, which are taken away and made again in the same transaction. The file stays the same
 * one, so connections that are open on it, here or in another process, go on.
 */
function emptySqlite(file: string): void {
  const db = new BetterSqlite3(file, { timeout: 5_000 });
  try {
    db.pragma('foreign_keys = OFF');
    db.pragma('synchronous = OFF');
    db.transaction(() => {
      const full = namesOf(db, 'table').filter(
        (table) => !KNEX_TABLE.test(table) && db.prepare(`select 1 from "${table}" limit 1`).get() !== undefined,
      );
      if (full.length === 0) return;
      const triggers = db
        .prepare<[], { name: string; sql: string; tbl_name: string }>(
          `select name, sql, tbl_name from sqlite_master where type = 'trigger'`,
        )
        .all()
        .filter(({ tbl_name }) => full.includes(tbl_name));
      for (const { name } of triggers) db.exec(`drop trigger "${name}"`);
      for (const table of full) db.exec(`delete from "${table}"`);
      for (const { sql } of triggers) db.exec(sql);
    }).immediate();
  } finally {
    db.close();
  }
}

function namesOf(db: BetterSqlite3.Database, type: string): string[] {
  return db
    .prepare<[string], string>(`select name from sqlite_master where type = ? and name not like 'sqlite_%'`)
    .pluck()
    .all(type);
}

async function emptyMariaDb(url: string): Promise<void> {
  const connection = await rawConnection(url);
  try {
    const [tables] = await connection.query<RowDataPacket[]>(
      `select table_name as name from information_schema.tables where table_schema = database()`,
    );
    const names = tables.map((row) => String(row['name'])).filter((name) => !KNEX_TABLE.test(name));
    if (names.length === 0) return;
    // TRUNCATE costs a few milliseconds a table, and most tables are empty.
    const [full] = await connection.query<RowDataPacket[]>(
      names.map((name) => `(select '${name}' as name from \`${name}\` limit 1)`).join(' union all '),
    );
    await connection.query('set foreign_key_checks = 0');
    for (const row of full) await connection.query(`truncate table \`${String(row['name'])}\``);
  } finally {
    await connection.end();
  }
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
