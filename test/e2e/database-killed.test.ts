import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { describeWithOwnMariaDb } from '../support/db';
import { FAULT_LENGTH, FAULT_SEED } from '../support/faults';
import { MariaDbServer } from '../support/mariadb-server';
import { randomFrom } from '../support/random';
import { audit } from './support/audit';
import { call, checkPath } from './support/call';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { confirmsFor, Journal, replyOf, sendConfirms } from './support/journal';
import { until } from './support/until';

// Goal: a dead database costs answers, never money, and the service recovers automatically with it.
// Method: a separate MariaDB server, killed or stopped under server processes that stay up all the time.

const ROUNDS = FAULT_LENGTH;
const CONFIRMS = FAULT_LENGTH === 1 ? 600 : 2_000;
const CLIENTS = 64;
const LIMIT_MS = 300_000;
const AGENTS = Array.from({ length: 20 }, (_, index) => `AG-${index + 1}`);

describeWithOwnMariaDb('a database server that is killed', () => {
  const tally = tallyFault({ fault: 'F2', what: 'kill -9 of the database', database: 'mariadb' });
  let mariadb: MariaDbServer;

  beforeAll(async () => {
    mariadb = await MariaDbServer.create();
    await mariadb.start();
  });

  afterAll(() => mariadb.remove());

  async function anInstallation(database: string): Promise<Installation> {
    const connection = await createConnection({ host: '127.0.0.1', port: mariadb.port, user: 'root' });
    await connection.query(`create database ${database}`);
    await connection.end();
    const millime = new Installation(mariadb.url(database));
    expect((await millime.cli('migrate')).code).toBe(0);
    return millime;
  }

  test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'F2: keeps every acknowledged 0 through kill -9 and restart, each once (round %d)',
    async (round) => {
      const millime = await anInstallation(`killed_${round}`);
      const opening = await millime.seedAgents(AGENTS, 10_000_000);
      const token = await millime.token();
      const services = await Promise.all([1, 2, 3, 4].map(() => millime.serve({ role: 'http' })));
      const baseUrl = (client: number): string => services[client % services.length]!.baseUrl;
      const confirms = confirmsFor(AGENTS, CONFIRMS, 'T');
      const journal = new Journal();
      const killAfter = CONFIRMS * 0.1 + randomFrom(FAULT_SEED, round).below(CONFIRMS * 0.6);

      const load = sendConfirms({
        confirms,
        clients: CLIENTS,
        baseUrl,
        token,
        journal,
        persistMs: 60_000,
      });
      await until(`${killAfter} answers`, () => journal.attempts.length >= killAfter, LIMIT_MS);
      await mariadb.kill9();
      await until('an answer of 503', () => journal.count('503') > 0);
      await mariadb.start();
      await load;

      await tally.add(millime, journal);
      expect(journal.unexpected).toEqual([]);
      expect(journal.count('none')).toBe(0);
      const found = await audit(millime, journal, { opening, settled: true });
      expect({ killAfter, found }).toEqual({ killAfter, found: [] });

      const answeredBefore = journal.count('3');
      await sendConfirms({ confirms, clients: CLIENTS, baseUrl, token, journal });
      expect(journal.count('3') - answeredBefore).toBe(CONFIRMS);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      for (const service of services) {
        expect(service.output).not.toMatch(/unhandledRejection|uncaughtException/i);
        expect(await service.stop()).toEqual({ code: 0, signal: null });
      }
    },
    LIMIT_MS,
  );

  test(
    'F2: answers 503 while the database is stopped, 403 to an invalid token, and codes after its restart',
    async () => {
      const millime = await anInstallation('stopped');
      const opening = await millime.seedAgents(AGENTS, 10_000_000);
      const token = await millime.token();
      const service = await millime.serve({ role: 'http' });
      const journal = new Journal();
      const confirms = confirmsFor(AGENTS, 40, 'T');
      const load = { clients: 8, baseUrl: () => service.baseUrl, token, journal };
      const check = (withToken: string) =>
        call(service.baseUrl, { method: 'GET', path: checkPath('AG-1'), token: withToken });
      const ready = () => call(service.baseUrl, { method: 'GET', path: '/readyz' });
      await sendConfirms({ ...load, confirms: confirms.slice(0, 20) });
      expect(journal.count('0')).toBe(20);
      expect((await ready()).status).toBe(200);

      await mariadb.stop();
      await sendConfirms({ ...load, confirms });
      expect(journal.attempts.slice(20).map(({ reply }) => reply)).toEqual(confirms.map(() => '503'));
      const checks = await Promise.all(Array.from({ length: 20 }, () => check(token)));
      expect(checks.map(({ status }) => status)).toEqual(checks.map(() => 503));
      expect(checks.map(({ headers }) => headers['retry-after'])).toEqual(checks.map(() => '5'));
      expect(checks.map(({ body }) => body)).toEqual(checks.map(() => ({ error: 'unavailable' })));
      expect((await check(`${token.slice(0, -6)}AAAAAA`)).status).toBe(403);
      await until('it says that it is not ready', async () => (await ready()).status === 503);
      expect((await call(service.baseUrl, { method: 'GET', path: '/healthz' })).status).toBe(200);

      await mariadb.start();
      await until('a check is answered', async () => (await check(token)).status === 200);
      await until('it is ready', async () => (await ready()).status === 200);
      await sendConfirms({ ...load, confirms });
      expect(journal.attempts.slice(60).map(({ reply }) => reply)).not.toContain('503');
      expect([journal.count('0'), journal.count('3')]).toEqual([40, 20]);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      const again = await call(service.baseUrl, {
        method: 'POST',
        path: '/service/confirm',
        token,
        body: { transactionId: 'T-1', agentId: 'AG-1', amount: 1_000 },
      });
      expect(replyOf(again)).toBe('3');
    },
    LIMIT_MS,
  );
});
