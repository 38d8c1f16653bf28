import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeOnGalera } from '../../support/describe-on-galera';
import { FAULT_LENGTH, sized } from '../../support/faults';
import { GaleraCluster } from '../../support/galera-cluster';
import type { ServerProcess } from '../../support/server-process';
import { audit } from '../support/audit';
import { type FaultTally, tallyFault } from '../support/fault-tally';
import { Installation } from '../support/installation';
import { type Attempt, confirmsFor, Journal, sendConfirms } from '../support/journal';

// Goal: ten agents whose confirms come to three processes that write on three different nodes, as for some seconds after
// a failover, are answered: fewer than one confirm in a thousand gets 503.
// Method: each process has another node first in its DATABASE_URL, and none of them fails.

const CONFIRMS = sized({ short: 3_000, full: 10_000 * FAULT_LENGTH });
const CLIENTS = 24;
const DOUBLED = sized({ short: 20, full: 200 * FAULT_LENGTH });
const SENDERS = 48;
const LIMIT_MS = 120_000 + 30_000 * FAULT_LENGTH;
const AGENTS = Array.from({ length: 10 }, (_, index) => `AG-${index + 1}`);

describeOnGalera('hot agents with writers on three nodes', () => {
  const tally = tallyFault({ fault: 'F10', what: 'ten agents, writers on three nodes', database: 'mariadb' });
  const duplicates = tallyFault({ fault: 'F8', what: 'one id through three nodes at once', database: 'mariadb' });
  const earlier: Attempt[] = [];
  let cluster: GaleraCluster;

  let millime: Installation;
  let opening: Map<string, number>;
  let token: string;

  beforeAll(async () => {
    cluster = await GaleraCluster.start();
    await cluster.nodes[0]?.query('create database millime');
    millime = new Installation(cluster.url('millime'));
    expect(await millime.cli('migrate')).toMatchObject({ code: 0 });
    opening = await millime.seedAgents(AGENTS, 100_000_000_000);
    token = await millime.token();
  }, LIMIT_MS);

  afterAll(() => cluster.remove(), LIMIT_MS);

  const startServices = (): Promise<ServerProcess[]> =>
    Promise.all(
      cluster.nodes.map((_, first) =>
        millime.serve({ role: 'http', env: { DATABASE_URL: cluster.url('millime', first) } }),
      ),
    );
  const baseUrlOf =
    (services: readonly ServerProcess[]) =>
    (client: number): string =>
      services[client % services.length]?.baseUrl ?? '';

  /** The books of every node agree with what callers were answered since the last test. */
  async function requireAudit(of: FaultTally, journal: Journal): Promise<void> {
    await cluster.synced();
    await of.add(millime, journal);
    expect(journal.unexpected).toEqual([]);
    earlier.push(...journal.attempts);
    const all = new Journal();
    all.attempts.push(...earlier);
    for (const { address } of cluster.nodes) {
      const there = new Installation(`mysql://root@${address}/millime`);
      expect(await audit(there, all, { opening, settled: false })).toEqual([]);
    }
  }

  test(
    `F8: ${DOUBLED} confirms that ${SENDERS} callers send at once through three nodes get one 0 each, and 3 otherwise`,
    async () => {
      const services = await startServices();
      const journal = new Journal();
      for (const confirm of confirmsFor(AGENTS, DOUBLED, 'SAME')) {
        const confirms = Array.from({ length: SENDERS }, () => confirm);
        await sendConfirms({ confirms, clients: SENDERS, baseUrl: baseUrlOf(services), token, journal });
      }
      expect([journal.count('0'), journal.count('3')]).toEqual([DOUBLED, DOUBLED * (SENDERS - 1)]);
      await requireAudit(duplicates, journal);
    },
    LIMIT_MS,
  );

  test(
    'F10: fewer than one confirm in a thousand is answered 503, and none is lost or doubled',
    async () => {
      const services = await startServices();
      const journal = new Journal();
      const startedAt = performance.now();
      await sendConfirms({
        confirms: confirmsFor(AGENTS, CONFIRMS, 'T'),
        clients: CLIENTS,
        baseUrl: baseUrlOf(services),
        token,
        journal,
      });
      const perSecond = Math.round((1_000 * CONFIRMS) / (performance.now() - startedAt));
      tally.count('answered 503', journal.count('503'));
      tally.note(`${perSecond}/s, p99 ${Math.round(journal.answerMs(0.99))} ms`);
      await requireAudit(tally, journal);
      expect(journal.count('503') + journal.count('none')).toBeLessThan(CONFIRMS / 1_000);
    },
    LIMIT_MS,
  );
});
