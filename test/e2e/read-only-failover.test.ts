// Goal: a server that became read-only costs answers and no money, and no connection to it stays in use after that.
// Method: two MariaDB servers, the second one a replica, and a user without SUPER, to whom read_only applies. The roles
// are changed under load, as an operator does, or one server is read-only for a while.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { describeWithOwnMariaDb } from '../support/db';
import { FAULT_LENGTH } from '../support/faults';
import { MariaDbServer } from '../support/mariadb-server';
import { audit } from './support/audit';
import { call, checkPath } from './support/call';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { until } from './support/until';

const CONFIRMS = 1_000 * Math.min(FAULT_LENGTH, 10);
const CLIENTS = 16;
const ANSWERED = 100;
const REFUSED = 100;
const IDLE_MS = 60_000;
const LIMIT_MS = 120_000;
const AGENTS = Array.from({ length: 20 }, (_, index) => `AG-${index + 1}`);
const REPLICATED = ['--log-bin=log', '--log-slave-updates', '--gtid-strict-mode'];

interface Server {
  readonly mariadb: MariaDbServer;
  readonly admin: Connection;
}

async function startServer(id: number): Promise<Server> {
  const mariadb = await MariaDbServer.create({ flags: [...REPLICATED, `--server-id=${id}`] });
  await mariadb.start();
  return { mariadb, admin: await createConnection({ host: '127.0.0.1', port: mariadb.port, user: 'root' }) };
}

async function valueOf({ admin }: Server, sql: string): Promise<string> {
  const [rows] = await admin.query<RowDataPacket[]>({ sql, rowsAsArray: true });
  return String(rows[0]?.[0]);
}

describeWithOwnMariaDb('a database server that becomes read-only', () => {
  const paused = tallyFault({ fault: 'F17', what: 'the server is read-only for a while', database: 'mariadb' });
  const switched = tallyFault({ fault: 'F17', what: 'the roles of two servers change', database: 'mariadb' });
  let first: Server;
  let second: Server;

  beforeAll(async () => {
    [first, second] = await Promise.all([startServer(1), startServer(2)]);
    await second.admin.query('set global read_only = 1');
    await second.admin.query(
      `change master to master_host = '127.0.0.1', master_port = ${first.mariadb.port}, master_user = 'root',
       master_use_gtid = slave_pos`,
    );
    await second.admin.query('start slave');
    await first.admin.query("create user app@'%' identified by 'app'");
  });
  afterAll(async () => {
    for (const { mariadb, admin } of [first, second]) {
      await admin.end();
      await mariadb.remove();
    }
  });

  /** A new database of the first server, and Millime with a user whom read_only stops. */
  async function anInstallation(database: string, servers: readonly Server[]): Promise<Installation> {
    await first.admin.query(`create database ${database}`);
    await first.admin.query(`grant select, insert, update, delete on ${database}.* to app@'%'`);
    expect((await new Installation(first.mariadb.url(database)).cli('migrate')).code).toBe(0);
    const hosts = servers.map(({ mariadb }) => `127.0.0.1:${mariadb.port}`).join(',');
    return new Installation(`mysql://app:app@${hosts}/${database}`);
  }

  const connectionsTo = async ({ admin }: Server): Promise<number[]> => {
    const [rows] = await admin.query<RowDataPacket[]>(
      "select id from information_schema.processlist where user = 'app'",
    );
    return rows.map((row) => Number(row['id']));
  };

  async function untilReplicated(): Promise<void> {
    const position = await valueOf(first, 'select @@gtid_binlog_pos');
    await until('the replica has everything', async () => {
      return (await valueOf(second, 'select @@gtid_slave_pos')) === position;
    });
  }

  test(
    'F17: answers 503 while it is, reads, and writes over new connections afterwards',
    async () => {
      const millime = await anInstallation('paused', [first]);
      const opening = await millime.seedAgents(AGENTS, 100_000_000);
      const token = await millime.token();
      const service = await millime.serve({ role: 'http' });
      const confirms = confirmsFor(AGENTS, CONFIRMS, 'T');
      const journal = new Journal();
      const load = { confirms, clients: CLIENTS, baseUrl: () => service.baseUrl, token, journal };

      const sending = sendConfirms({ ...load, persistMs: LIMIT_MS });
      await until(`${ANSWERED} answers`, () => journal.attempts.length >= ANSWERED);
      const before = await connectionsTo(first);
      await first.admin.query('set global read_only = 1');
      try {
        await until(`${REFUSED} refusals`, () => journal.count('503') >= REFUSED);
        const check = await call(service.baseUrl, { method: 'GET', path: checkPath('AG-1'), token });
        expect([200, 503]).toContain(check.status);
        // One that carries no load is closed when it has been idle for half a minute.
        await until(
          'no connection of the writable time is left',
          async () => !(await connectionsTo(first)).some((id) => before.includes(id)),
          IDLE_MS,
        );
      } finally {
        await first.admin.query('set global read_only = 0');
      }
      await sending;

      await paused.add(millime, journal);
      expect(journal.unexpected).toEqual([]);
      expect(journal.count('none')).toBe(0);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      expect(service.output).not.toMatch(/unhandledRejection|uncaughtException/i);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );

  test(
    'F17: loses no acknowledged confirm when its replica takes over the writes, and is left',
    async () => {
      const millime = await anInstallation('switched', [first, second]);
      const opening = await millime.seedAgents(AGENTS, 100_000_000);
      const token = await millime.token();
      await untilReplicated();
      const service = await millime.serve({ role: 'http' });
      const confirms = confirmsFor(AGENTS, CONFIRMS, 'T');
      const journal = new Journal();
      const load = { confirms, clients: CLIENTS, baseUrl: () => service.baseUrl, token, journal };

      const sending = sendConfirms({ ...load, persistMs: LIMIT_MS });
      await until(`${ANSWERED} answers`, () => journal.count('0') >= ANSWERED);
      await first.admin.query('set global read_only = 1');
      await untilReplicated();
      await second.admin.query('stop slave');
      await second.admin.query('set global read_only = 0');
      await sending;

      const after = new Installation(second.mariadb.url('switched'));
      await switched.add(after, journal);
      // The one that stays probes whether the host is well again.
      expect((await connectionsTo(first)).length).toBeLessThanOrEqual(1);
      expect(journal.unexpected).toEqual([]);
      expect(journal.count('none')).toBe(0);
      expect(await audit(after, journal, { opening, settled: true })).toEqual([]);
      expect(service.output).not.toMatch(/unhandledRejection|uncaughtException/i);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );
});
