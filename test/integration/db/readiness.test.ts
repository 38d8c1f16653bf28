// Goal: a process that cannot serve reports it in one word, and one that can serve always reports ready.
// Method: the same request before, during and after each fault; a separate MariaDB where its settings change.
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Connection, createConnection } from 'mysql2/promise';
import { createReadiness, type Database, migrate, openDatabase } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { describeOnEachDatabase, describeWithOwnMariaDb, parsedUrl } from '../../support/db';
import { fixedClock, recordingLogger } from '../../support/fakes';
import { MariaDbServer } from '../../support/mariadb-server';

const ANSWER_MS = 3_000;

/** Asks as somebody who has never asked: nothing that was found earlier counts. */
const ask = (database: Database): Promise<string> => createReadiness(database, silentLogger)();

describeOnEachDatabase('readiness', (harness) => {
  test('is true for a usable database, and two hundred concurrent requests cost one check', async () => {
    const { database } = harness;
    const statements: string[] = [];
    const count = ({ sql }: { sql: string }): void => void statements.push(sql);
    const readiness = createReadiness(database, silentLogger);
    database.pool.on('query', count);
    try {
      const answers = await Promise.all(Array.from({ length: 200 }, () => readiness()));
      expect(new Set(answers)).toEqual(new Set(['ready']));
    } finally {
      database.pool.off('query', count);
    }
    expect(statements).toHaveLength(harness.dialect === 'sqlite' ? 2 : 3);
    expect(statements.filter((sql) => !/^(select|show) /i.test(sql))).toEqual([]);
  });

  test('reports migrations while one is missing, and accepts a database that is ahead', async () => {
    const database = (await harness.fresh()).open();
    const list = 'schema_migrations';
    const last = { name: '20261121090800_create_job_runs', batch: 1, migration_time: '2026-11-21 09:08:00' };
    await database.transact((session) => session(list).where('name', last.name).delete());
    expect(await ask(database)).toBe('migrations');
    await database.transact((session) => session(list).insert([last, { ...last, name: '20991231000000_of_tomorrow' }]));
    expect(await ask(database)).toBe('ready');
  });

  test('reports the database while a table is missing', async () => {
    const database = (await harness.fresh()).open();
    await database.pool.schema.renameTable('ledger_balances', 'elsewhere');
    expect(await ask(database)).toBe('database');
    await database.pool.schema.renameTable('elsewhere', 'ledger_balances');
    expect(await ask(database)).toBe('ready');
  });

  test('is logged when it changes, not at every check', async () => {
    const database = (await harness.fresh()).open();
    const logger = recordingLogger();
    const clock = fixedClock(0);
    const readiness = createReadiness(database, logger, clock);
    const look = (): Promise<string> => {
      clock.advance(501);
      return readiness();
    };
    expect(await readiness()).toBe('ready');
    await database.pool.schema.renameTable('ledger_balances', 'elsewhere');
    expect([await look(), await look()]).toEqual(['database', 'database']);
    await database.pool.schema.renameTable('elsewhere', 'ledger_balances');
    expect([await look(), await look()]).toEqual(['ready', 'ready']);
    expect(logger.entries.map(({ fields }) => fields['event'])).toEqual(['db.not_ready', 'db.ready']);
  });

  test('is true during a long write transaction of another process', async () => {
    const database = (await harness.fresh()).open();
    const other = openDatabase(parsedUrl(harness.url), silentLogger);
    try {
      await other.transact(async (session) => {
        await session('ledger_balances').insert({ account: 'import', balance_millimes: 1 });
        expect(await ask(harness.database)).toBe('ready');
        expect(await ask(database)).toBe('ready');
      });
    } finally {
      await other.close();
    }
  });

  if (harness.dialect === 'sqlite') {
    test('is true while a transaction of this process holds the only connection beyond the check’s deadline', async () => {
      let answer = '';
      await harness.database.transact(async (session) => {
        await session('ledger_balances').insert({ account: 'import', balance_millimes: 1 });
        // From outside the transaction, as a probe comes.
        answer = await new Promise<string>((resolve) => outside.push(() => resolve(ask(harness.database))));
      });
      expect(answer).toBe('ready');
    });

    test.each([
      ['deleted', (file: string) => rmSync(file)],
      ['replaced', (file: string) => renameSync(`${file}.copy`, file)],
      ['robbed of its write-ahead log', (file: string) => renameSync(`${file}-wal`, `${file}-wal.away`)],
    ])('stores and answers nothing after its file was %s, because it would be lost', async (_what, disturb) => {
      const { url, open } = await harness.fresh();
      const file = url.slice('sqlite:'.length);
      const database = open();
      const add = (account: string): Promise<unknown> =>
        database.transact((session) => session('ledger_balances').insert({ account, balance_millimes: 1 }));
      const accounts = (): Promise<unknown[]> =>
        database.read((session) => session('ledger_balances').select('account'));
      await add('before');
      copyFileSync(file, `${file}.copy`);

      disturb(file);
      await expect(add('after')).rejects.toMatchObject({ code: 'storage_broken' });
      await expect(accounts()).rejects.toMatchObject({ code: 'storage_broken' });
    });

    test('loses nothing it acknowledged if its file is removed during a transaction', async () => {
      const { url, open } = await harness.fresh();
      const file = url.slice('sqlite:'.length);
      const database = open();
      const work = database.transact(async (session) => {
        await session('ledger_balances').insert({ account: 'late', balance_millimes: 1 });
        renameSync(file, `${file}.away`);
      });
      await expect(work).rejects.toMatchObject({ code: 'storage_broken' });
      renameSync(`${file}.away`, file);
      expect(await database.read((session) => session('ledger_balances').select('account'))).toEqual([]);
    });

    test('reports the database when its file is deleted or replaced', async () => {
      const { url, open } = await harness.fresh();
      const file = url.slice('sqlite:'.length);
      const database = open();
      expect(await ask(database)).toBe('ready');
      copyFileSync(file, `${file}.copy`);

      renameSync(file, `${file}.away`);
      expect(await ask(database)).toBe('database');
      renameSync(`${file}.away`, file);
      expect(await ask(database)).toBe('ready');

      renameSync(`${file}.copy`, file);
      expect(await ask(database)).toBe('database');
      rmSync(file);
      expect(await ask(database)).toBe('database');
    });
  }
});

/** What is called from outside every transaction: AsyncLocalStorage follows the caller, not the promise. */
const outside: (() => void)[] = [];
let caller: NodeJS.Timeout | undefined;
beforeAll(() => {
  caller = setInterval(() => {
    for (const call of outside.splice(0)) call();
  }, 5);
});
afterAll(() => clearInterval(caller));

describeWithOwnMariaDb('readiness on a private server', () => {
  let server: MariaDbServer;
  let admin: Connection;
  let database: Database;

  beforeAll(async () => {
    server = await MariaDbServer.create();
    await server.start();
    admin = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
    await admin.query('create database millime');
    const owner = openDatabase(parsedUrl(server.url('millime')), silentLogger);
    await migrate(owner, silentLogger);
    await owner.close();
    // Nobody with rights of his own over the server: what he may see decides.
    await admin.query("create user app@'%' identified by 'app'");
    await admin.query("grant select, insert, update on millime.* to app@'%'");
    database = openDatabase(parsedUrl(server.url('millime').replace('root@', 'app:app@')), silentLogger);
  });

  afterAll(async () => {
    await database.close();
    await admin.end();
    await server.remove();
  });

  test('F17: is false while the server is read-only, and true again afterwards', async () => {
    expect(await ask(database)).toBe('ready');
    await admin.query('set global read_only = 1');
    expect(await ask(database)).toBe('database');
    await admin.query('set global read_only = 0');
    expect(await ask(database)).toBe('ready');
  });

  test('is false within seconds while the server hangs, for every caller', async () => {
    const clock = fixedClock(0);
    const readiness = createReadiness(database, silentLogger, clock);
    expect(await readiness()).toBe('ready');
    await server.sigstop();
    try {
      clock.advance(501);
      const startedAt = performance.now();
      expect(await Promise.all([readiness(), readiness()])).toEqual(['database', 'database']);
      expect(performance.now() - startedAt).toBeLessThan(ANSWER_MS);
    } finally {
      server.sigcont();
    }
    expect(await ask(database)).toBe('ready');
  });

  test('does not delay a close, which destroys a busy connection', async () => {
    const closing = openDatabase(parsedUrl(server.url('millime')), silentLogger);
    let startWork: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (startWork = resolve));
    const work = closing
      .transact(
        async (session) => {
          await session('ledger_balances').insert({ account: 'cut', balance_millimes: 1 });
          startWork();
          await session.raw('select sleep(3)');
        },
        { deadlineMs: 2_500 },
      )
      .catch((error: unknown) => error);
    await started;
    const startedAt = performance.now();
    await closing.close();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(await work).toMatchObject({ code: 'unavailable' });
    const [rows] = await admin.query("select * from millime.ledger_balances where account = 'cut'");
    expect(rows).toEqual([]);
  });
});
