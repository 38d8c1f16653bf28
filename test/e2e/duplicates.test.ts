import { expect, test } from '@jest/globals';
import { describeOnEachDatabase, describeOnMariaDb, freshDatabase } from '../support/db';
import { FAULT_LENGTH } from '../support/faults';
import { audit } from './support/audit';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { type Confirm, confirmsFor, Journal, sendConfirms } from './support/journal';
import { countRows } from './support/tables';

// Goal: one transactionId is credited once, for any number of senders, resends and processes.
// Method: the same confirms concurrently, from many callers, over several server processes on one database.

const AGENTS = ['A-1', 'a-1', '0042', '42', 'Kiosque Sfax'];
const LIMIT_MS = 60_000 * FAULT_LENGTH;
/** On a machine that is busy a call may come to its deadline; its caller repeats it, as the gateway does. */
const PERSIST_MS = 30_000;
const ROUNDS = Array.from({ length: FAULT_LENGTH }, (_, round) => round + 1);

const times = (confirm: Confirm, count: number): Confirm[] => Array.from({ length: count }, () => confirm);

/** An installation whose agents have dues, served by so many processes; callers take turns at them. */
async function serving({ url }: { readonly url: string }, processes: number) {
  const millime = new Installation(url);
  const opening = await millime.seedAgents(AGENTS, 500_000);
  const token = await millime.token();
  const servers = await Promise.all(Array.from({ length: processes }, () => millime.serve({ role: 'http' })));
  const baseUrl = (client: number): string => servers[client % servers.length]!.baseUrl;
  return { millime, opening, token, baseUrl };
}

describeOnMariaDb('the same confirm over four server processes', () => {
  const same = tallyFault({ fault: 'F8', what: '200 identical confirms at once', database: 'mariadb' });
  const contested = tallyFault({ fault: 'F9', what: 'one id, other contents, at once', database: 'mariadb' });

  test(
    'F8: answers 0 to one of 200 concurrent identical confirms and 3 to the others',
    async () => {
      const { millime, opening, token, baseUrl } = await serving(await freshDatabase('mariadb'), 4);
      const all = new Journal();
      for (const round of ROUNDS) {
        const journal = new Journal();
        const confirm: Confirm = { transactionId: `SAME-${round}`, agentId: 'A-1', amount: 25_000 };

        await sendConfirms({
          confirms: times(confirm, 200),
          clients: 200,
          baseUrl,
          token,
          journal,
          persistMs: PERSIST_MS,
        });

        await same.add(millime, journal);
        expect([journal.count('0'), journal.count('3'), journal.unexpected]).toEqual([1, 199, []]);
        expect(await countRows(millime.url, 'ledger_transactions', `reference = 'service:SAME-${round}'`)).toBe(1);
        expect(await countRows(millime.url, 'agent_confirmations')).toBe(round);
        all.attempts.push(...journal.attempts);
      }
      expect(await audit(millime, all, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'F9: stores the first of concurrent conflicting confirms, answers 3 to the others and opens a break for each',
    async () => {
      const { millime, opening, token, baseUrl } = await serving(await freshDatabase('mariadb'), 2);
      const all = new Journal();
      for (const round of ROUNDS) {
        const journal = new Journal();
        const transactionId = `CONTESTED-${round}`;
        const confirms = AGENTS.flatMap((agentId, index) => [
          { transactionId, agentId, amount: 1_000 + index },
          { transactionId, agentId, amount: 2_000 + index },
        ]);

        await sendConfirms({ confirms, clients: confirms.length, baseUrl, token, journal, persistMs: PERSIST_MS });

        await contested.add(millime, journal);
        expect([journal.count('0'), journal.count('3')]).toEqual([1, confirms.length - 1]);
        const breaks = await countRows(millime.url, 'recon_breaks', "class = 'conflicting_duplicate'");
        expect(breaks).toBe((confirms.length - 1) * round);
        all.attempts.push(...journal.attempts);
      }
      expect(await audit(millime, all, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );
});

describeOnEachDatabase('many clients', (harness) => {
  const repeated = tallyFault({ fault: 'F8', what: '20 ids, 20 times each, two processes', database: harness.dialect });
  const hot = tallyFault({ fault: 'F10', what: '64 callers, one agent', database: harness.dialect });

  test(
    'F10: credits each of 20 ids once, sent 20 times each to two processes for one agent',
    async () => {
      const { millime, opening, token, baseUrl } = await serving(await harness.fresh(), 2);
      const journal = new Journal();
      const confirms = confirmsFor(['A-1'], 20, 'HOT').flatMap((confirm) => times(confirm, 20));

      await sendConfirms({ confirms, clients: 40, baseUrl, token, journal, persistMs: PERSIST_MS });

      await repeated.add(millime, journal);
      expect([journal.count('0'), journal.count('3')]).toEqual([20, 380]);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'F10: answers 0 to 64 clients who pay for one agent over two processes, however often their transactions collide',
    async () => {
      const { millime, opening, token, baseUrl } = await serving(await harness.fresh(), 2);
      const journal = new Journal();
      const confirms = confirmsFor(['A-1'], 160 * FAULT_LENGTH, 'ONE');

      await sendConfirms({ confirms, clients: 64, baseUrl, token, journal, persistMs: PERSIST_MS });

      await hot.add(millime, journal);
      hot.note(`p99 ${Math.round(journal.answerMs(0.99))} ms`);
      expect(journal.count('0')).toBe(confirms.length);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );
});
