import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FAULT_LENGTH, sized } from '../../support/faults';
import { describeOnGalera, GaleraCluster } from '../../support/galera-cluster';
import { audit } from '../support/audit';
import { tallyFault } from '../support/fault-tally';
import { Installation } from '../support/installation';
import { confirmsFor, Journal, sendConfirms } from '../support/journal';

// Goal: ten agents whose confirms come to three processes that write on three different nodes, as for some seconds after
// a failover, are answered: fewer than one confirm in a thousand gets 503.
// Method: each process has another node first in its DATABASE_URL, and none of them fails.

const CONFIRMS = sized({ short: 3_000, full: 10_000 * FAULT_LENGTH });
const CLIENTS = 24;
const LIMIT_MS = 120_000 + 30_000 * FAULT_LENGTH;
const AGENTS = Array.from({ length: 10 }, (_, index) => `AG-${index + 1}`);

describeOnGalera('hot agents with writers on three nodes', () => {
  const tally = tallyFault({ fault: 'F10', what: 'ten agents, writers on three nodes', database: 'mariadb' });
  let cluster: GaleraCluster;

  beforeAll(async () => {
    cluster = await GaleraCluster.start();
    await cluster.nodes[0]?.query('create database millime');
  }, LIMIT_MS);

  afterAll(() => cluster.remove(), LIMIT_MS);

  test(
    'F10: fewer than one confirm in a thousand is answered 503, and none is lost or doubled',
    async () => {
      const millime = new Installation(cluster.url('millime'));
      expect(await millime.cli('migrate')).toMatchObject({ code: 0 });
      const opening = await millime.seedAgents(AGENTS, 100_000_000_000);
      const token = await millime.token();
      const services = await Promise.all(
        cluster.nodes.map((_, first) =>
          millime.serve({ role: 'http', env: { DATABASE_URL: cluster.url('millime', first) } }),
        ),
      );
      const journal = new Journal();
      const startedAt = performance.now();
      await sendConfirms({
        confirms: confirmsFor(AGENTS, CONFIRMS, 'T'),
        clients: CLIENTS,
        baseUrl: (client) => services[client % services.length]?.baseUrl ?? '',
        token,
        journal,
      });
      const perSecond = Math.round((1_000 * CONFIRMS) / (performance.now() - startedAt));
      await cluster.synced();
      tally.count('answered 503', journal.count('503'));
      tally.note(`${perSecond}/s, p99 ${Math.round(journal.answerMs(0.99))} ms`);
      await tally.add(millime, journal);
      expect(journal.unexpected).toEqual([]);
      for (const { address } of cluster.nodes) {
        const there = new Installation(`mysql://root@${address}/millime`);
        expect(await audit(there, journal, { opening, settled: false })).toEqual([]);
      }
      expect(journal.count('503') + journal.count('none')).toBeLessThan(CONFIRMS / 1_000);
    },
    LIMIT_MS,
  );
});
