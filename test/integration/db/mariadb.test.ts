// Goal: faults specific to a server have the right outcome, and the connection ends in the right state.
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { RowDataPacket } from 'mysql2/promise';
import { type Database, openDatabase, type Session } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { until } from '../../e2e/support/until';
import { describeOnMariaDb, freshDatabase, parsedUrl, rawConnection } from '../../support/db';
import { TcpProxy } from '../../support/tcp-proxy';
import { agentIds, agentRow } from './rows';

/** A busy machine opens a connection within it; the statements that it ends take far longer. */
const DEADLINE_MS = 1_500;

describeOnMariaDb('a database server', () => {
  let url: string;
  let database: Database;
  let proxy: TcpProxy;
  let proxied: Database;

  beforeAll(async () => {
    const fresh = await freshDatabase('mariadb');
    url = fresh.url;
    database = fresh.open();
    const parsed = parsedUrl(url);
    if (parsed.kind !== 'mariadb') throw new Error('not a server');
    proxy = await TcpProxy.start(parsed.hosts[0] ?? { host: '', port: 0 });
    proxied = openDatabase(parsedUrl(proxy.through(url)), silentLogger);
  });

  beforeEach(async () => {
    proxy.onCommit(() => 'pass');
    const raw = await rawConnection(url);
    await raw.query('set foreign_key_checks = 0');
    await raw.query('truncate table agents'); // a trigger refuses DELETE
    await raw.end();
  });

  afterAll(async () => {
    await proxied.close();
    await proxy.close();
  });

  const add = (session: Session, id: string) => session('agents').insert(agentRow(id));
  const connectionId = async (session: Session): Promise<number> =>
    Number((await session.raw('select connection_id() as id'))[0]?.['id']);

  test('gets strict sessions in UTC and READ COMMITTED, whatever its defaults', async () => {
    const [row] = await database.read((session) =>
      session.raw(
        'select @@session.sql_mode as mode, @@session.tx_isolation as isolation, @@session.time_zone as zone, ' +
          '@@session.collation_connection as collation, @@session.character_set_client as charset',
      ),
    );
    expect(row).toMatchObject({
      isolation: 'READ-COMMITTED',
      zone: '+00:00',
      collation: 'utf8mb4_bin',
      charset: 'utf8mb4',
    });
    expect(String(row?.['mode'])).toContain('STRICT_ALL_TABLES');
  });

  test('names the missing privilege, and neither user nor host', async () => {
    const name = parsedUrl(url).kind === 'mariadb' ? new URL(url).pathname.slice(1) : '';
    const admin = await rawConnection(url);
    await admin.query(`create user 'canary_user'@'%' identified by 'x'`);
    await admin.query(`grant select on \`${name}\`.* to 'canary_user'@'%'`);
    const restricted = openDatabase(parsedUrl(url.replace(/\/\/[^@]*@/, '//canary_user:x@')), silentLogger);
    try {
      const fault = await restricted.transact((session) => add(session, 'A1')).catch((error: unknown) => error);
      expect(fault).toMatchObject({ code: 'misconfigured' });
      expect(String(fault)).toMatch(/^AppError: DATABASE_URL: its user lacks the right to INSERT on agents /);
      expect(String(fault)).not.toContain('canary');
    } finally {
      await restricted.close();
      await admin.query(`drop user 'canary_user'@'%'`);
      await admin.end();
    }
  });

  test('repeats a transaction that a deadlock rolled back', async () => {
    await database.transact((session) => session('agents').insert([agentRow('A1'), agentRow('A2')]));
    let runs = 0;
    let waiting = 0;
    let open: () => void = () => undefined;
    const bothHoldOne = new Promise<void>((resolve) => (open = resolve));
    const inOrder = (ids: readonly [string, string], name: string) =>
      database.transact(async (session) => {
        runs += 1;
        await session('agents').where('agent_id', ids[0]).update({ full_name: name });
        if ((waiting += 1) === 2) open();
        await bothHoldOne;
        await session('agents').where('agent_id', ids[1]).update({ full_name: name });
      });
    await Promise.all([inOrder(['A1', 'A2'], 'first'), inOrder(['A2', 'A1'], 'second')]);
    expect(runs).toBe(3);
    const names = await database.read((session) => session('agents').select('full_name'));
    expect(new Set(names.map((row) => row['full_name'])).size).toBe(1); // the later one won both rows
  });

  test('aborts a statement at its deadline and never reuses its connection', async () => {
    let id = 0;
    const startedAt = performance.now();
    const attempt = database.transact(
      async (session) => {
        id = await connectionId(session);
        await add(session, 'A1');
        await session.raw('select sleep(10)');
      },
      { deadlineMs: DEADLINE_MS },
    );
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - startedAt).toBeLessThan(8_000);

    // A connection in the pool would be handed out among these, which take more at once than there are idle.
    const ids = await Promise.all(Array.from({ length: 10 }, () => database.transact(connectionId)));
    expect(id).toBeGreaterThan(0);
    expect(ids).not.toContain(id);
    expect(await database.read(agentIds)).toEqual([]);
    await database.transact((session) => add(session, 'A2'));
    expect(await database.read(agentIds)).toEqual(['A2']);
  });

  test('F16: refuses calls before the deadline while every connection is in use, and serves when they are free', async () => {
    const { max } = database.poolUse();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const occupy = async (session: Session): Promise<number> => {
      const id = await connectionId(session);
      await released;
      return id;
    };
    const busy = Array.from({ length: max }, () => database.read(occupy, { deadlineMs: 60_000 }));
    try {
      await until('every connection is in use', () => database.poolUse().used === max);
      const startedAt = performance.now();
      const more = Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0 ? database.read(connectionId) : database.transact(connectionId),
      );
      for (const end of await Promise.allSettled(more)) {
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
      }
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      expect(database.poolUse()).toMatchObject({ used: max, waiting: 0 });
    } finally {
      release();
    }
    expect(new Set(await Promise.all(busy)).size).toBe(max);
    expect(await database.transact(connectionId)).toBeGreaterThan(0);
  });

  test('aborts a read at its deadline without a retry and never reuses its connection', async () => {
    const ids: number[] = [];
    const startedAt = performance.now();
    const attempt = database.read(
      async (session) => {
        ids.push(await connectionId(session));
        await session.raw('select sleep(10)');
      },
      { deadlineMs: DEADLINE_MS },
    );
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(ids).toHaveLength(1);
    const later = await Promise.all(Array.from({ length: 10 }, () => database.read(connectionId)));
    expect(later).not.toContain(ids[0]);
  });

  test('leaves no transaction open on a connection after an error', async () => {
    const attempt = database.transact(async (session) => {
      await add(session, 'A1');
      throw new Error('stop');
    });
    await expect(attempt).rejects.toThrow('stop');
    const raw = await rawConnection(url);
    const [open] = await raw.query<RowDataPacket[]>(
      'select t.trx_id from information_schema.innodb_trx as t ' +
        'join information_schema.processlist as p on p.id = t.trx_mysql_thread_id where p.db = database()',
    );
    await raw.end();
    expect(open).toEqual([]);
  });

  test('repeats a transaction whose idle connection the server had closed', async () => {
    const id = await proxied.transact(connectionId);
    proxy.cutAll();
    await proxied.transact((session) => add(session, 'A1'));
    expect(await database.read(agentIds)).toEqual(['A1']);
    expect(await proxied.transact(connectionId)).not.toBe(id);
  });

  test('reports a COMMIT whose answer was lost as outcome_unknown, and does not run the work again', async () => {
    proxy.onCommit((commit) => (commit === 1 ? 'cut_after' : 'pass'));
    let runs = 0;
    const attempt = proxied.transact((session) => {
      runs += 1;
      return add(session, 'A1');
    });
    await expect(attempt).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(runs).toBe(1);
    expect(await database.read(agentIds)).toEqual(['A1']);
  });

  test.each([
    ['stored', 'cut_after', 'found'],
    ['not stored', 'cut_before', 'stored'],
  ] as const)('determines the outcome if asked, where the lost COMMIT was %s', async (_what, fate, expected) => {
    proxy.onCommit((commit) => (commit === 1 ? fate : 'pass'));
    let runs = 0;
    const outcome = await proxied.transact(
      async (session) => {
        runs += 1;
        if ((await agentIds(session)).includes('A1')) return 'found';
        await add(session, 'A1');
        return 'stored';
      },
      { retryUnknownOutcome: true },
    );
    expect(outcome).toBe(expected);
    expect(runs).toBe(2);
    expect(await database.read(agentIds)).toEqual(['A1']);
  });

  test('is unavailable within the deadline if nothing listens at its address', async () => {
    const nowhere = openDatabase(parsedUrl('mysql://root@127.0.0.1:1/none'), silentLogger);
    const startedAt = performance.now();
    await expect(nowhere.transact(agentIds)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(nowhere.read(agentIds)).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await nowhere.close();
  });

  test('is reached at the second host if the first does not answer', async () => {
    const behind = openDatabase(parsedUrl(url.replace('@', '@127.0.0.1:1,')), silentLogger);
    await behind.transact((session) => add(session, 'A1'));
    await behind.close();
    expect(await database.read(agentIds)).toEqual(['A1']);
  });

  test('serves more callers at once than it has connections', async () => {
    const callers = Array.from({ length: 60 }, (_, index) =>
      database.transact((session) => add(session, `A${String(index).padStart(2, '0')}`)),
    );
    await Promise.all(callers);
    expect(await database.read(agentIds)).toHaveLength(60);
  });

  test('is used with the password of the URL, which the printed pool hides', async () => {
    const password = 'canary:p@ss/wörd';
    const parsed = parsedUrl(url);
    if (parsed.kind !== 'mariadb') throw new Error('not a server');
    const user = 'millime_password_test';
    const admin = await rawConnection(url);
    await admin.query(`create or replace user ${user}@'%' identified by '${password}'`);
    await admin.query(`grant select on \`${parsed.database}\`.* to ${user}@'%'`);
    const hosts = parsed.hosts.map(({ host, port }) => `${host}:${port}`).join(',');
    const withPassword = parsedUrl(`mysql://${user}:${encodeURIComponent(password)}@${hosts}/${parsed.database}`);
    const reader = openDatabase(withPassword, silentLogger);
    try {
      expect(await reader.read((session) => session.raw('select current_user() as who'))).toEqual([
        { who: `${user}@%` },
      ]);
      expect(inspect(reader.pool.client, { depth: 6, showHidden: false })).not.toContain('canary');
      await expect(reader.transact((session) => session('agents').insert(agentRow('x')))).rejects.toMatchObject({
        code: 'misconfigured',
      });
    } finally {
      await reader.close();
      await admin.query(`drop user ${user}@'%'`);
      await admin.end();
    }
  });
});
