import { expect, test } from '@jest/globals';
import { describeOnEachDatabase, describeOnMariaDb, freshDatabase } from '../support/db';
import { audit } from './support/audit';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms, type Confirm } from './support/journal';
import { countRows } from './support/tables';

// Goal: one transactionId is credited once, whoever sends it how often and where.
// Method: the same confirms at once, from many callers, over several server processes on one database.

const AGENTS = ['A-1', 'a-1', '0042', '42', 'Kiosque Sfax'];
const LIMIT_MS = 60_000;

const times = (confirm: Confirm, count: number): Confirm[] => Array.from({ length: count }, () => confirm);

describeOnMariaDb('the same confirm over four server processes', () => {
  test(
    'F8: of 200 identical confirms at once one is answered 0 and 199 are answered 3',
    async () => {
      const millime = new Installation((await freshDatabase('mariadb')).url);
      const opening = await millime.seedAgents(AGENTS, 500_000);
      const token = await millime.token();
      const servers = await Promise.all([1, 2, 3, 4].map(() => millime.serve({ role: 'http' })));
      const baseUrl = (client: number): string => servers[client % servers.length]!.baseUrl;
      const journal = new Journal();
      const confirm: Confirm = { transactionId: 'SAME', agentId: 'A-1', amount: 125_000 };

      await sendConfirms({ confirms: times(confirm, 200), clients: 200, baseUrl, token, journal });

      expect([journal.count('0'), journal.count('3'), journal.attempts.length]).toEqual([1, 199, 200]);
      expect(await countRows(millime.url, 'ledger_transactions', "reference = 'service:SAME'")).toBe(1);
      expect(await countRows(millime.url, 'agent_confirmations')).toBe(1);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'F9: of conflicting confirms at once the first stays, the others are answered 3 and each is a break',
    async () => {
      const millime = new Installation((await freshDatabase('mariadb')).url);
      const opening = await millime.seedAgents(AGENTS, 500_000);
      const token = await millime.token();
      const servers = await Promise.all([1, 2].map(() => millime.serve({ role: 'http' })));
      const baseUrl = (client: number): string => servers[client % servers.length]!.baseUrl;
      const journal = new Journal();
      const confirms = AGENTS.flatMap((agentId, index) => [
        { transactionId: 'CONTESTED', agentId, amount: 1_000 + index },
        { transactionId: 'CONTESTED', agentId, amount: 2_000 + index },
      ]);

      await sendConfirms({ confirms, clients: confirms.length, baseUrl, token, journal });

      expect([journal.count('0'), journal.count('3')]).toEqual([1, confirms.length - 1]);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      expect(await countRows(millime.url, 'recon_breaks', "class = 'conflicting_duplicate'")).toBe(confirms.length - 1);
    },
    LIMIT_MS,
  );
});

describeOnEachDatabase('many callers', (harness) => {
  test(
    'F10: of 20 ids, sent 20 times each to two processes for one agent, each is credited once',
    async () => {
      const millime = new Installation(harness.url);
      const opening = await millime.seedAgents(AGENTS, 500_000);
      const token = await millime.token();
      const servers = await Promise.all([1, 2].map(() => millime.serve({ role: 'http' })));
      const baseUrl = (client: number): string => servers[client % servers.length]!.baseUrl;
      const journal = new Journal();
      const confirms = confirmsFor(['A-1'], 20, 'HOT').flatMap((confirm) => times(confirm, 20));

      await sendConfirms({ confirms, clients: 40, baseUrl, token, journal });

      expect([journal.count('0'), journal.count('3')]).toEqual([20, 380]);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );
});
