import type { Knex } from 'knex';
import { type Database, migratorConfig, openDatabase } from '../../src/db';
import { silentLogger } from '../../src/logging';
import { parsedUrl } from '../support/db';

/** Migrates an empty database up to a step, as an earlier version left it; without a step to the last one. The caller closes it. */
export async function databaseUpTo(lastStep: string | undefined, url: string): Promise<Database> {
  const database = openDatabase(parsedUrl(url), silentLogger);
  const { migrationSource, ...config } = migratorConfig(database.dialect, silentLogger);
  const source = migrationSource as Knex.MigrationSource<unknown>;
  await database.pool.migrate.latest({
    ...config,
    migrationSource: {
      getMigrations: async (extensions) =>
        (await source.getMigrations(extensions)).filter(
          (each) => lastStep === undefined || source.getMigrationName(each) <= lastStep,
        ),
      getMigrationName: (each) => source.getMigrationName(each),
      getMigration: (each) => source.getMigration(each),
    },
  });
  return database;
}
