// Goal: a host of a cluster that cannot write is left by reads and writes alike, within the call that meets it.
// Method: two servers of MariaDB's protocol that answer as Galera members do (fake-node.ts), and the real pool.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase, type Session } from '../../../src/db';
import { until } from '../../e2e/support/until';
import { parsedUrl } from '../../support/db';
import { FakeNode } from '../../support/fake-node';
import { type RecordingLogger, recordingLogger } from '../../support/fakes';

describe('Connections to a cluster', () => {
  let first: FakeNode;
  let second: FakeNode;
  let database: Database;
  let logger: RecordingLogger;

  const open = (...nodes: readonly FakeNode[]): Database =>
    openDatabase(parsedUrl(`mysql://u:p@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/db`), logger);
  const nameOf = async (session: Session): Promise<unknown> => (await session.raw('select name'))[0]?.['name'];
  const served = (): Promise<unknown[]> => Promise.all([database.read(nameOf), database.transact(nameOf)]);

  beforeEach(async () => {
    logger = recordingLogger();
    first = await FakeNode.start('first');
    second = await FakeNode.start('second');
    database = open(first, second);
  });
  afterEach(async () => {
    await database.close();
    await Promise.all([first.close(), second.close()]);
  });

  test('F28: go to the preferred host while it is well', async () => {
    expect(await served()).toEqual(['first', 'first']);
    expect(second.statements.filter((sql) => !/^show/i.test(sql))).toEqual([]);
  });

  test('F28: go elsewhere from the start if the preferred host accepts connections and has no quorum', async () => {
    first.state = 'non_primary';
    expect(await served()).toEqual(['second', 'second']);
  });

  test.each([
    ['a SELECT whose wait for the cluster ended', 'read', /^select/i, 1205],
    ['a SELECT on a host that is not prepared', 'read', /^select/i, 1047],
    ['a BEGIN on a host that is not prepared', 'transact', /^start/i, 1047],
    ['a SELECT in a transaction whose wait ended', 'transact', /^select/i, 1205],
  ] as const)('F28: serve %s at the next host, in the same call', async (_what, kind, statement, errno) => {
    expect(await served()).toEqual(['first', 'first']);
    const connections = first.connections;
    first.answer = (sql) => (statement.test(sql) ? { errno } : undefined);
    first.state = 'non_primary';
    expect(await database[kind](nameOf)).toBe('second');
    expect(await served()).toEqual(['second', 'second']);
    expect(first.connections).toBe(connections);
    expect(logger.events('db.host_changed')).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ to: `127.0.0.1:${second.port}` }) }),
    );
  });

  test('F17, F28: serve a write at the next host if the server became read-only', async () => {
    expect(await served()).toEqual(['first', 'first']);
    first.state = 'read_only';
    first.answer = (sql) => (/^insert/i.test(sql) ? { errno: 1290 } : undefined);
    const add = async (session: Session): Promise<unknown> => {
      await session.raw('insert into t values (1)');
      return nameOf(session);
    };
    expect(await database.transact(add)).toBe('second');
  });

  test('F28: end a statement that hangs on a host whose cluster is lost, and serve it at the next host', async () => {
    expect(await served()).toEqual(['first', 'first']);
    first.answer = (sql) => {
      if (!/^select/i.test(sql)) return undefined;
      first.state = 'non_primary';
      return 'hang';
    };
    expect(await Promise.all([database.read(nameOf), database.transact(nameOf)])).toEqual(['second', 'second']);
  });

  test('F28: leave the host whose row lock was waited for too long in place', async () => {
    expect(await served()).toEqual(['first', 'first']);
    let waits = 0;
    first.answer = (sql) => (/^select/i.test(sql) && (waits += 1) === 1 ? { errno: 1205 } : undefined);
    expect(await database.transact(nameOf)).toBe('first');
    expect(await served()).toEqual(['first', 'first']);
  });

  test('F28: fail immediately while no host has quorum, and recover without a new start', async () => {
    expect(await served()).toEqual(['first', 'first']);
    first.state = 'non_primary';
    second.state = 'non_primary';
    await expect(database.read(nameOf)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(database.transact(nameOf)).rejects.toMatchObject({ code: 'unavailable' });
    first.state = 'well';
    second.state = 'well';
    const name = await until('a host serves again', () => database.read(nameOf).catch(() => undefined));
    expect(['first', 'second']).toContain(name);
  });

  test.each([1047, 1180])('F28: report a COMMIT that is answered with %d as outcome_unknown', async (errno) => {
    first.answer = (sql) => (/^commit/i.test(sql) ? { errno } : undefined);
    let runs = 0;
    const work = (session: Session): Promise<unknown> => {
      runs += 1;
      return nameOf(session);
    };
    await expect(database.transact(work)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(runs).toBe(1);
  });

  test('F28: find the outcome of a COMMIT that its host did not answer at the next host', async () => {
    first.answer = (sql) => {
      if (!/^commit/i.test(sql)) return undefined;
      first.state = 'non_primary';
      return 'hang';
    };
    const asked: unknown[] = [];
    const work = async (session: Session): Promise<unknown> => {
      asked.push(await nameOf(session));
      return asked.at(-1);
    };
    expect(await database.transact(work, { retryUnknownOutcome: true })).toBe('second');
    expect(asked).toEqual(['first', 'second']);
  });
});

describe('Connections to one host', () => {
  let node: FakeNode;
  let database: Database;
  const nameOf = async (session: Session): Promise<unknown> => (await session.raw('select name'))[0]?.['name'];

  beforeEach(async () => {
    node = await FakeNode.start('only');
    database = openDatabase(parsedUrl(`mysql://u:p@127.0.0.1:${node.port}/db`), recordingLogger());
  });
  afterEach(async () => {
    await database.close();
    await node.close();
  });

  test('F28: probe nothing', async () => {
    node.state = 'plain';
    for (let call = 0; call < 5; call += 1) await Promise.all([database.read(nameOf), database.transact(nameOf)]);
    expect(node.statements.filter((sql) => /^show/i.test(sql))).toEqual([]);
  });

  test('F28: keep a connection whose row lock was waited for too long', async () => {
    node.state = 'plain';
    let waits = 0;
    node.answer = (sql) => (/^select name/i.test(sql) && (waits += 1) === 1 ? { errno: 1205 } : undefined);
    expect(await database.transact(nameOf)).toBe('only');
    expect(node.connections).toBe(1);
  });

  test.each(['read', 'transact'] as const)('F28: are replaced after a %s on a member without quorum', async (kind) => {
    node.state = 'non_primary';
    await expect(database[kind](nameOf)).rejects.toMatchObject({ code: 'unavailable' });
    node.state = 'well';
    expect(await database[kind](nameOf)).toBe('only');
    expect(node.connections).toBe(2);
  });
});
