// Goal: migrations go up, down and up again to the same schema, and each change of the schema is seen in a diff.
// The golden dumps are rewritten with: UPDATE_GOLDEN=1 npx jest --selectProjects migrations
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import {
  type Database,
  migrate,
  openDatabase,
  pendingMigrations,
  requireUpToDate,
  rollBackMigrations,
  TABLE_RIGHTS,
} from '../../src/db';
import { silentLogger } from '../../src/logging';
import { describeOnEachDialect, freshDatabase, parsedUrl, unmigratedDatabaseUrl } from '../support/db';
import { dumpSchema, tableNames } from './schema-dump';

async function migrationNames(database: Database): Promise<unknown[]> {
  const rows = await database.read((session) => session('schema_migrations').select('name').orderBy('name'));
  return rows.map((row: { name: unknown }) => row.name);
}

describeOnEachDialect('migrations', (dialect) => {
  let database: Database;
  beforeEach(async () => {
    database = (await freshDatabase(dialect)).open();
  });

  test('create the schema of the golden dump', async () => {
    const golden = join(__dirname, `schema.${dialect}.sql`);
    const dump = await dumpSchema(database);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, dump);
    expect(dump).toBe(readFileSync(golden, 'utf8'));
  });

  test('create only tables with declared rights of the runtime user, and every table that has them', async () => {
    const declared = Object.keys(TABLE_RIGHTS).filter((name) => !name.startsWith('schema_migrations'));
    expect((await tableNames(database)).sort()).toEqual(declared.sort());
  });

  test('roll back to an empty database and recreate the same schema', async () => {
    const before = await dumpSchema(database);
    await rollBackMigrations(database, silentLogger);
    expect(await tableNames(database)).toEqual([]);
    await migrate(database, silentLogger);
    expect(await dumpSchema(database)).toBe(before);
  });

  test('continue over the tables of an interrupted run', async () => {
    const before = await dumpSchema(database);
    await database.transact((session) => session('schema_migrations').delete());
    expect(await pendingMigrations(database, silentLogger)).not.toEqual([]);
    await migrate(database, silentLogger);
    expect(await dumpSchema(database)).toBe(before);
  });

  test('are recorded without file extensions, so that compiled ones are the same', async () => {
    const rows = await database.read((session) => session('schema_migrations').select('name'));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row['name']).toMatch(/^\d{14}_[a-z0-9_]+$/);
    expect(await pendingMigrations(database, silentLogger)).toEqual([]);
    expect(await migrate(database, silentLogger)).toEqual([]);
  });

  test('are run by one of several concurrent processes, while the others wait', async () => {
    const url = parsedUrl(await unmigratedDatabaseUrl(dialect));
    const databases = Array.from({ length: 4 }, () => openDatabase(url, silentLogger));
    const ran = await Promise.all(databases.map((each) => migrate(each, silentLogger)));
    expect(ran.filter((names) => names.length > 0)).toEqual([await migrationNames(database)]);
    for (const each of databases) await each.close();
  });

  test('are listed without a change or a lock', async () => {
    const empty = openDatabase(parsedUrl(await unmigratedDatabaseUrl(dialect)), silentLogger);
    expect(await pendingMigrations(empty, silentLogger)).toEqual(await migrationNames(database));
    expect(await empty.pool.schema.hasTable('schema_migrations')).toBe(false);
    await empty.close();
  });

  test('are required before the server starts', async () => {
    await expect(requireUpToDate(database, silentLogger)).resolves.toBeUndefined();
    const empty = openDatabase(parsedUrl(await unmigratedDatabaseUrl(dialect)), silentLogger);
    await expect(requireUpToDate(empty, silentLogger)).rejects.toMatchObject({ code: 'misconfigured' });
    await empty.close();
  });

  if (dialect === 'mariadb') {
    test('set the engine and character set of every table, because the server’s defaults differ', async () => {
      const defaults = await database.read((session) => session.raw('select @@character_set_server as charset'));
      // A server from TEST_DATABASE_URL may have any default; the private one has latin1.
      if (process.env['TEST_DATABASE_URL'] === undefined) expect(defaults).toEqual([{ charset: 'latin1' }]);
      const tables = await database.read((session) =>
        session.raw(
          `select distinct engine, table_collation as collation from information_schema.tables
           where table_schema = database() and table_name not like 'schema\\_migrations%'`,
        ),
      );
      expect(tables).toEqual([{ engine: 'InnoDB', collation: 'utf8mb4_bin' }]);
      const columns = await database.read((session) =>
        session.raw(
          `select distinct collation_name as collation from information_schema.columns
           where table_schema = database() and collation_name is not null and table_name not like 'schema\\_migrations%'`,
        ),
      );
      expect(columns).toEqual([{ collation: 'utf8mb4_bin' }]);
    });
  }
});
