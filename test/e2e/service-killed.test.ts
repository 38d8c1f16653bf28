import { expect, test } from '@jest/globals';
import { describeOnEachDatabase, describeOnMariaDb, freshDatabase } from '../support/db';
import { FAULT_LENGTH, FAULT_SEED, sized } from '../support/faults';
import { randomFrom } from '../support/random';
import { audit } from './support/audit';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { until } from './support/until';

// Goal: a `0` that the gateway has read survives the death of the service, and a resend is never credited again.
// Method: kill -9 at a moment that the seed chooses under load, a new process on the same database, and every id
// resent.

const ROUNDS = 2 * FAULT_LENGTH;
const CONFIRMS = sized({ short: 200, full: FAULT_LENGTH === 1 ? 400 : 2_000 });
const CLIENTS = [16, 64];
const ROUND_LIMIT_MS = 240_000;
const AGENTS = Array.from({ length: 20 }, (_, index) => `AG-${index + 1}`);

describeOnEachDatabase('a killed service', (harness) => {
  const tally = tallyFault({ fault: 'F1', what: 'kill -9 of the service', database: harness.dialect });

  test.each(Array.from({ length: ROUNDS }, (_, round) => [CLIENTS[round % CLIENTS.length] as number, round + 1]))(
    'F1: credits each transactionId once and loses no acknowledged 0, with %d callers (round %d)',
    async (clients, round) => {
      const millime = new Installation((await harness.fresh()).url);
      const opening = await millime.seedAgents(AGENTS, 10_000_000);
      const token = await millime.token();
      const confirms = confirmsFor(AGENTS, CONFIRMS, 'T');
      const journal = new Journal();
      const killAfter = Math.floor(CONFIRMS * 0.05) + randomFrom(FAULT_SEED, round).below(CONFIRMS * 0.85);

      const first = await millime.serve({ role: 'http' });
      const load = sendConfirms({ confirms, clients, baseUrl: () => first.baseUrl, token, journal });
      await until(`${killAfter} answers`, () => journal.attempts.length >= killAfter, ROUND_LIMIT_MS);
      expect(await first.kill9()).toEqual({ code: null, signal: 'SIGKILL' });
      await load;
      expect(journal.count('0')).toBeGreaterThan(0);
      expect(journal.count('none')).toBeGreaterThan(0);
      expect(journal.attempts).toHaveLength(journal.count('0', 'none'));
      const found = await audit(millime, journal, { opening, settled: false });
      expect({ killAfter, found }).toEqual({ killAfter, found: [] });

      const second = await millime.serve({ role: 'http' });
      await sendConfirms({ confirms, clients, baseUrl: () => second.baseUrl, token, journal });
      expect(journal.attempts).toHaveLength(2 * CONFIRMS);
      await tally.add(millime, journal);
      const foundInTheEnd = await audit(millime, journal, { opening, settled: true });
      expect({ killAfter, foundInTheEnd }).toEqual({ killAfter, foundInTheEnd: [] });
      expect(second.output).not.toMatch(/unhandledRejection|uncaughtException/i);
      expect(await second.stop()).toEqual({ code: 0, signal: null });
    },
    ROUND_LIMIT_MS,
  );
});

describeOnMariaDb('two of four killed services', () => {
  test(
    'F1: lose no acknowledged 0 of a batch, and credit each transactionId once',
    async () => {
      const millime = new Installation((await freshDatabase('mariadb')).url);
      const opening = await millime.seedAgents(AGENTS, 10_000_000);
      const token = await millime.token();
      const confirms = confirmsFor(AGENTS, 2 * CONFIRMS, 'T');
      const journal = new Journal();
      const servers = await Promise.all(Array.from({ length: 4 }, () => millime.serve({ role: 'http' })));
      const [first, second, ...others] = servers;
      const urls = servers.map(({ baseUrl }) => baseUrl);

      const load = sendConfirms({
        ...{ confirms, clients: 64, token, journal },
        baseUrl: (client) => urls[client % urls.length]!,
      });
      await until('a fifth of the answers', () => journal.attempts.length >= confirms.length / 5, ROUND_LIMIT_MS);
      await Promise.all([first?.kill9(), second?.kill9()]);
      await load;
      expect([journal.count('0') > 0, journal.count('none') > 0]).toEqual([true, true]);
      expect(journal.attempts).toHaveLength(journal.count('0', 'none'));
      expect(await audit(millime, journal, { opening, settled: false })).toEqual([]);

      await sendConfirms({
        ...{ confirms, clients: 64, token, journal },
        baseUrl: (client) => others[client % others.length]!.baseUrl,
      });
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      await Promise.all(others.map((server) => server.stop()));
    },
    ROUND_LIMIT_MS,
  );
});
