import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { describeWithOwnMariaDb } from '../support/db';
import { FAULT_LENGTH, FAULT_SEED, sized } from '../support/faults';
import { MariaDbServer } from '../support/mariadb-server';
import { randomFrom } from '../support/random';
import { audit } from './support/audit';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { until } from './support/until';

// Goal: a hanging database costs answers, never money. Each caller gets 503 before the deadline, and statements that
// the database completes later are found and not duplicated.
// Method: a separate MariaDB server, stopped by SIGSTOP under load. Its connections stay open, and it resumes with
// unread INSERTs and COMMITs of connections that Millime has abandoned.

const ROUNDS = FAULT_LENGTH;
const CONFIRMS = sized({ short: 400, full: 1_000 });
const CLIENTS = 24;
/** Longer than a request may wait, so that some begin and end while nothing answers. */
const STOPPED_MS = 6_000;
const LIMIT_MS = 90_000;
const AGENTS = Array.from({ length: 20 }, (_, index) => `AG-${index + 1}`);

describeWithOwnMariaDb('a database server that hangs', () => {
  const tally = tallyFault({
    fault: 'F3',
    what: `the database hangs for ${STOPPED_MS / 1_000} s`,
    database: 'mariadb',
  });
  let mariadb: MariaDbServer;

  beforeAll(async () => {
    mariadb = await MariaDbServer.create();
    await mariadb.start();
  });

  afterAll(() => mariadb.remove());

  test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'F3: answers every call before the deadline, loses no 0 and stores nothing twice (round %d)',
    async (round) => {
      const connection = await createConnection({ host: '127.0.0.1', port: mariadb.port, user: 'root' });
      await connection.query(`create database hung_${round}`);
      await connection.end();
      const millime = new Installation(mariadb.url(`hung_${round}`));
      expect((await millime.cli('migrate')).code).toBe(0);
      const opening = await millime.seedAgents(AGENTS, 10_000_000);
      const token = await millime.token();
      const service = await millime.serve({ role: 'http' });
      const confirms = confirmsFor(AGENTS, CONFIRMS, 'T');
      const journal = new Journal();
      const load = { confirms, clients: CLIENTS, baseUrl: () => service.baseUrl, token, journal };
      const stopAfter = CONFIRMS * 0.1 + randomFrom(FAULT_SEED, round).below(CONFIRMS * 0.6);

      const sending = sendConfirms({ ...load, persistMs: 60_000 });
      await until(`${stopAfter} answers`, () => journal.attempts.length >= stopAfter, LIMIT_MS);
      const stoppedAt = performance.now();
      await mariadb.sigstop();
      await until('the hang is over', () => performance.now() - stoppedAt >= STOPPED_MS);
      expect(journal.count('503')).toBeGreaterThanOrEqual(CLIENTS);
      mariadb.sigcont();
      await sending;

      await tally.add(millime, journal);
      tally.count('landed late', landedLate(journal));
      expect(journal.unexpected).toEqual([]);
      expect(journal.count('none')).toBe(0);
      const found = await audit(millime, journal, { opening, settled: true });
      expect({ stopAfter, found }).toEqual({ stopAfter, found: [] });

      const answeredBefore = journal.count('3');
      await sendConfirms(load);
      expect(journal.count('3') - answeredBefore).toBe(CONFIRMS);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      expect(service.output).not.toMatch(/unhandledRejection|uncaughtException/i);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );
});

/** How many were stored by an attempt that was told 503: their resend, the first that got a code, was answered 3. */
function landedLate({ attempts }: Journal): number {
  const coded = new Map<string, string>();
  for (const { transactionId, reply } of attempts) {
    if (reply !== '503' && !coded.has(transactionId)) coded.set(transactionId, reply);
  }
  return [...coded.values()].filter((reply) => reply === '3').length;
}
