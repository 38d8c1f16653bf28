import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { AppError, counted, MINUTE_MS, monotonicClock, SECOND_MS } from '../kernel';
import type { Logger } from '../logging';
import type { Database } from './database';
import { StatementDeadlineError } from './errors';
import { LIST_TABLE, whenFree, whileAlone } from './migration-lock';
import { type MigrationTools, migrationTools } from './migration-tools';
import type { RawConnection } from './raw';
import type { Row } from './raw';
import { type Dialect, rowsOf } from './session';

export type { MigrationTools };

export interface Migration {
  up(tools: MigrationTools): Promise<void>;
  down(tools: MigrationTools): Promise<void>;
}

// Migrations are loaded by name without extension, which import() does not support.
const requireHere = createRequire(__filename);

/** The fields by which knex identifies a migration; its command line prints `file`. */
interface MigrationName {
  readonly file: string;
}

/**
 * Lists the migrations for knex under names without file extensions, so that sources and compiled files have the same
 * names.
 */
export class MigrationFolder implements Knex.MigrationSource<MigrationName> {
  readonly #folder: string;
  readonly #dialect: Dialect;
  readonly #logger: Logger;

  constructor(dialect: Dialect, logger: Logger) {
    // Compiled code finds compiled migrations, and sources find sources.
    this.#folder = join(__dirname, '..', '..', 'migrations');
    this.#dialect = dialect;
    this.#logger = logger;
  }

  async getMigrations(): Promise<MigrationName[]> {
    const names = readdirSync(this.#folder)
      .filter((file) => /^\d{14}_[a-z0-9_]+\.(ts|js)$/.test(file))
      .map((file) => file.replace(/\.(ts|js)$/, ''));
    return [...new Set(names)].sort().map((file) => ({ file }));
  }

  getMigrationName({ file }: MigrationName): string {
    return file;
  }

  load(name: string): Migration {
    return requireHere(join(this.#folder, name)) as Migration;
  }

  async getMigration({ file }: MigrationName): Promise<Knex.Migration> {
    const migration = this.load(file);
    const tools = (knex: Knex): MigrationTools => migrationTools(knex, this.#dialect, this.#logger);
    return { up: (knex) => migration.up(tools(knex)), down: (knex) => migration.down(tools(knex)) };
  }
}

/** Returns the options for every call of knex's migrator, including its command line. */
export function migratorConfig(dialect: Dialect, logger: Logger): Knex.MigratorConfig {
  return { migrationSource: new MigrationFolder(dialect, logger), tableName: LIST_TABLE };
}

/** Returns the names of the migrations that this database lacks. Changes nothing. */
export async function pendingMigrations(database: Database, logger: Logger): Promise<string[]> {
  return missingMigrations(await listedMigrations(database), database.dialect, logger);
}

/** Returns the name of the last migration that ran on this database; undefined if none ran. */
export async function lastMigration(database: Database): Promise<string | undefined> {
  const names = (await listedMigrations(database)).map((row) => String(row['name']));
  return names.sort().at(-1);
}

/** Returns whether this version of the program has a migration. */
export async function isKnownMigration(name: string, dialect: Dialect, logger: Logger): Promise<boolean> {
  return (await new MigrationFolder(dialect, logger).getMigrations()).some(({ file }) => file === name);
}

/** Waits for a node that has just joined, so that a process that starts then does not end. */
function listedMigrations({ pool }: Database): Promise<readonly Row[]> {
  return whenFree(
    async () => ((await pool.schema.hasTable(LIST_TABLE)) ? rowsOf(pool(LIST_TABLE).select('name')) : []), // a short list
    monotonicClock.now() + LIST_PATIENCE_MS,
  );
}

/** Returns the migrations of this version that are not in the list; none if a later version wrote the list. */
export async function missingMigrations(done: readonly Row[], dialect: Dialect, logger: Logger): Promise<string[]> {
  const ran = new Set(done.map((row) => row['name']));
  const names = await new MigrationFolder(dialect, logger).getMigrations();
  return names.map(({ file }) => file).filter((name) => !ran.has(name));
}

/** How long migrations may take on MariaDB unless an operator allows more, in ms. */
const MIGRATION_LIMIT_MS = 2 * MINUTE_MS;
const LIST_PATIENCE_MS = 10 * SECOND_MS;

/**
 * Runs the pending migrations and returns their names. Of two concurrent processes one works and the other waits. The
 * lock of one server ends with its process, the lease on a cluster at most two minutes later.
 *
 * @throws AppError `misconfigured` that names the option when the limit is over. The next call continues.
 */
export async function migrate(database: Database, logger: Logger, limitMs = MIGRATION_LIMIT_MS): Promise<string[]> {
  const ran = await withinLimit(limitMs, () =>
    whileAlone(database, limitMs, (connection) => runPending(database, connection, logger)),
  );
  for (const name of ran) logger.info('migration ran', { event: 'db.migrated', migration: name });
  return ran;
}

async function withinLimit<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StatementDeadlineError)) throw error;
    const fault = `the migrations took longer than ${counted(Math.round(limitMs / MINUTE_MS), 'minute')}`;
    const command =
      'the server may still execute the last change, or another session keeps it waiting; run it again with more minutes';
    throw new AppError('misconfigured', { field: '--limit-minutes', fault, command }, { cause: error });
  }
}

async function runPending({ pool, dialect }: Database, connection: RawConnection, logger: Logger): Promise<string[]> {
  const done = await rowsOf(pool(LIST_TABLE).connection(connection).select('name'));
  const folder = new MigrationFolder(dialect, logger);
  const pending = await missingMigrations(done, dialect, logger);
  for (const name of pending) {
    await folder.load(name).up(migrationTools(pool, dialect, logger, connection));
    await pool(LIST_TABLE).connection(connection).insert({ name, batch: 1, migration_time: pool.fn.now() });
  }
  return pending;
}

/** Undoes every migration. For tests only: a production database is never rolled back. */
export async function rollBackMigrations(database: Database, logger: Logger): Promise<void> {
  await database.pool.migrate.rollback(migratorConfig(database.dialect, logger), true);
}

/** Refuses to serve a database that lacks migrations, because tables would be missing. */
export async function requireUpToDate(database: Database, logger: Logger): Promise<void> {
  const pending = await pendingMigrations(database, logger);
  if (pending.length === 0) return;
  throw new AppError('misconfigured', {
    field: 'DATABASE_URL',
    fault: `the database lacks ${counted(pending.length, 'migration')}`,
    command: 'run "millime migrate" first',
  });
}
