// Goal: of three replicas that migrate an empty database at once one works and the others wait; when it is killed in the
// middle, the next one goes on, and the schema is the one that an undisturbed run makes.
// Method: real processes; the first to reach a given statement is killed right before it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase, pendingMigrations } from '../../src/db';
import { silentLogger } from '../../src/logging';
import { until } from '../e2e/support/until';
import {
  describeOnEachDialect,
  describeOnMariaDb,
  freshDatabase,
  parsedUrl,
  rawConnection,
  unmigratedDatabaseUrl,
} from '../support/db';
import { recordFault } from '../support/faults';
import { testRun } from '../support/test-run';
import { databaseUpTo } from './database-up-to';
import { MigratingProcess } from './migrating-process';
import { dumpSchema } from './schema-dump';

const REPLICAS = 3;
const LIMIT_MS = 120_000;

const databases: Database[] = [];
afterEach(() => Promise.all(databases.splice(0).map((database) => database.close())));

function opened(url: string): Database {
  const database = openDatabase(parsedUrl(url), silentLogger);
  databases.push(database);
  return database;
}

describeOnEachDialect('F26: a migration by three replicas', (dialect) => {
  const processes: MigratingProcess[] = [];
  const markerFile = join(testRun.folder, `killed-migration-${process.pid}-${dialect}`);

  afterEach(async () => {
    for (const each of processes) each.kill();
    await Promise.all(processes.splice(0).map(({ ended }) => ended));
    rmSync(markerFile, { force: true });
  });

  test.each([
    ['create table', 4],
    ['insert into', 1],
    ['insert into', 5],
  ] as const)(
    'is completed by another replica if one is killed before its "%s" number %d',
    async (statement, count) => {
      const databaseUrl = await unmigratedDatabaseUrl(dialect);
      const database = opened(databaseUrl);
      const all = await pendingMigrations(database, silentLogger);
      const task = { databaseUrl, markerFile, statement, count };
      for (let replica = 0; replica < REPLICAS; replica += 1) processes.push(new MigratingProcess(task));
      for (const each of processes) expect(await each.line()).toBe('ready');
      for (const each of processes) each.go();

      const endings = await Promise.all(processes.map(({ ended }) => ended));
      expect(endings.sort()).toEqual([0, 0, 'SIGKILL']);
      const printed = await Promise.all(processes.map((each) => each.line()));
      const ran = printed.flatMap((line) => (line === undefined ? [] : [JSON.parse(line) as string[]]));
      // On SQLite all of it is one transaction; a server keeps what the dead one had listed.
      const kept = all.length - Math.max(...ran.map((names) => names.length));
      expect(ran.sort((a, b) => a.length - b.length)).toEqual([[], all.slice(kept)]);
      if (dialect === 'sqlite') expect(kept).toBe(0);
      expect(await pendingMigrations(database, silentLogger)).toEqual([]);
      expect(await dumpSchema(database)).toBe(await dumpSchema((await freshDatabase(dialect)).open()));
      recordFault({
        fault: 'F26',
        what: `a migrating replica is killed before "${statement}" ${count}`,
        database: dialect,
        rounds: 1,
        acknowledged: all.length,
        lost: 0,
        doubled: 0,
        longestMs: 0,
      });
    },
    LIMIT_MS,
  );
});

describeOnMariaDb('F26: a migration that takes longer than its limit', () => {
  test('says so and is completed by the next one, though the server executes its last change late', async () => {
    const url = await unmigratedDatabaseUrl('mariadb');
    const database = await databaseUpTo('20261126100000_agent_search_words', url);
    databases.push(database);
    const reader = await rawConnection(url);
    await reader.query('start transaction');
    await reader.query('select 1 from confirm_refusals'); // a change of this table waits for the reader

    await expect(migrate(database, silentLogger, 1_500)).rejects.toMatchObject({
      problem: { code: 'misconfigured', field: '--limit-minutes' },
    });

    expect(await pendingMigrations(database, silentLogger)).not.toEqual([]);
    await reader.end();
    await migrate(database, silentLogger);
    expect(await pendingMigrations(database, silentLogger)).toEqual([]);
    expect(await dumpSchema(database)).toBe(await dumpSchema((await freshDatabase('mariadb')).open()));
  });
});

describeOnMariaDb('F26: a migration lock', () => {
  test('that a killed knex left behind blocks no one', async () => {
    const url = await unmigratedDatabaseUrl('mariadb');
    const database = opened(url);
    await migrate(database, silentLogger);
    const admin = await rawConnection(url);
    await admin.query('update schema_migrations_lock set is_locked = 1');
    await admin.query('delete from schema_migrations order by id desc limit 1');
    await admin.end();
    const pending = await pendingMigrations(database, silentLogger);
    expect(pending).toHaveLength(1);
    expect(await migrate(database, silentLogger)).toEqual(pending);
  });

  test(
    'of a working process makes others wait',
    async () => {
      const url = await unmigratedDatabaseUrl('mariadb');
      const database = opened(url);
      const all = await migrate(database, silentLogger);
      const holder = await rawConnection(url);
      await holder.query('start transaction');
      await holder.query('select is_locked from schema_migrations_lock for update');
      let ended = false;
      const waiting = migrate(database, silentLogger).finally(() => (ended = true));
      const watcher = await rawConnection(url);
      await until(
        'the server lists it as waiting',
        async () => {
          const [rows] = await watcher.query(
            "select 1 from information_schema.processlist where db = database() and info like '%for update%' and id <> connection_id()",
          );
          return (rows as unknown[]).length > 0;
        },
        LIMIT_MS,
      );
      expect(ended).toBe(false);
      holder.destroy(); // as the server sees a process that was killed
      expect(await waiting).toEqual([]);
      expect(all).not.toEqual([]);
      await watcher.end();
    },
    LIMIT_MS,
  );
});
