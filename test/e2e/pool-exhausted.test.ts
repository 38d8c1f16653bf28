// Goal: slow statements that occupy the connections cost callers an answer of 503, never a hang, and the service serves
// when they end. The pool itself: integration/db/mariadb.test.ts.
// Method: the test holds a lock that each confirm waits for, while far more callers than connections confirm and check,
// and lets go only when all of them were answered. On SQLite only writers can be held up, so checks are answered there.
import { expect, test } from '@jest/globals';
import { sqliteDriver } from '../../src/db';
import { describeOnEachDatabase, rawConnection } from '../support/db';
import { FAULT_LENGTH } from '../support/faults';
import { audit } from './support/audit';
import { call, checkPath } from './support/call';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { until } from './support/until';

const CLIENTS = 200;
const CONFIRMS = 2 * CLIENTS;
const LIMIT_MS = 120_000;
const AGENTS = Array.from({ length: 20 }, (_, index) => `AG-${index + 1}`);

/** Holds what every confirm needs, and on a server every check too, until the returned function is called. */
async function hold(url: string): Promise<() => Promise<unknown>> {
  if (url.startsWith('sqlite:')) {
    const writer = new (sqliteDriver())(url.slice('sqlite:'.length), { timeout: 5_000 });
    writer.exec('begin immediate');
    return async () => writer.close();
  }
  const connection = await rawConnection(url);
  await connection.query('lock tables agents write');
  return () => connection.end();
}

describeOnEachDatabase('a service whose connections are all occupied', (harness) => {
  const tally = tallyFault({ fault: 'F16', what: 'every connection is occupied', database: harness.dialect });

  test.each(Array.from({ length: FAULT_LENGTH }, (_, round) => round + 1))(
    'F16: answers 200 callers while the connections are held, and all with codes when they are free (round %d)',
    async () => {
      const millime = new Installation(harness.url);
      const opening = await millime.seedAgents(AGENTS, 10_000_000);
      const token = await millime.token();
      const service = await millime.serve({ role: 'http' });
      const confirms = confirmsFor(AGENTS, CONFIRMS, 'T');
      const journal = new Journal();
      const load = { confirms, clients: CLIENTS, baseUrl: () => service.baseUrl, token, journal };
      const check = (agentId: string) => call(service.baseUrl, { method: 'GET', path: checkPath(agentId), token });
      expect((await check('AG-1')).status).toBe(200);

      const release = await hold(harness.url);
      const sending = sendConfirms({ ...load, persistMs: LIMIT_MS });
      const checks = Promise.all(Array.from({ length: CLIENTS }, (_, n) => check(AGENTS[n % AGENTS.length] as string)));
      await until('as many confirms as callers are refused', () => journal.count('503') >= CLIENTS, LIMIT_MS);
      const statuses = (await checks).map(({ status }) => status);
      await release();
      await sending;

      await tally.add(millime, journal);
      expect(new Set(statuses)).toEqual(new Set([harness.dialect === 'mariadb' ? 503 : 200]));
      expect(journal.unexpected).toEqual([]);
      expect(journal.count('none')).toBe(0);
      expect((await check('AG-1')).status).toBe(200);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      expect(service.output).not.toMatch(/unhandledRejection|uncaughtException/i);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );
});
