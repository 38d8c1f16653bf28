import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeOnGalera } from '../../support/describe-on-galera';
import { FAULT_LENGTH, FAULT_SEED, sized } from '../../support/faults';
import { GaleraCluster, type GaleraNode } from '../../support/galera-cluster';
import { type Random, randomFrom } from '../../support/random';
import type { ServerProcess } from '../../support/server-process';
import { audit } from '../support/audit';
import { ANSWER_LIMIT_MS } from '../support/call';
import { canariesIn } from '../support/canary';
import { tallyFault } from '../support/fault-tally';
import { Installation } from '../support/installation';
import { Journal, keepConfirming } from '../support/journal';
import { selectRows } from '../support/tables';

// Goal: whatever happens to the nodes of a cluster and to the processes on it, nothing that was answered `0` is lost or
// doubled on any node, the nodes are equal in the end, and every answer comes within its deadline.
// Method: runs of faults drawn from a seed, one after the other on one cluster, each with a database and three processes
// of its own under confirm load. The first run is short and has the faults that cost a cluster its quorum; the others
// draw from all. The oracle is the journal of the callers against the books of each node.

const RUNS = sized({ short: 1, full: 1 + FAULT_LENGTH });
const FAULTS_PER_RUN = 10;
const PROCESSES = 3;
const CLIENTS = 96;
/** How long a fault lasts, and how long the cluster is well before the next one. */
const FAULT_MS = { least: 500, most: 6_000 };
const WELL_MS = 1_000;
const LIMIT_MS = 600_000;
const CANARIES = { agent: 'canaryAgent-4711', phone: '+216 20 0' };
const AGENTS = Array.from({ length: 300 }, (_, index) => `${CANARIES.agent}-${index + 1}`);

type NodeFault = 'killed' | 'stopped' | 'isolated' | 'emptied';

/** What one fault does: to which nodes (by position) what, and whether a process is killed meanwhile. */
interface PlannedFault {
  readonly nodes: readonly { readonly position: number; readonly fault: NodeFault }[];
  readonly killsProcess: boolean;
  readonly lastsMs: number;
}

const one = (position: number, fault: NodeFault): PlannedFault['nodes'] => [{ position, fault }];
const all = (fault: NodeFault): PlannedFault['nodes'] => [0, 1, 2].map((position) => ({ position, fault }));

const SHORT_RUN: readonly PlannedFault[] = [
  { nodes: [...one(1, 'isolated'), ...one(2, 'killed')], killsProcess: false, lastsMs: 2_000 },
  { nodes: [...one(0, 'killed'), ...one(1, 'killed')], killsProcess: false, lastsMs: 1_000 },
  { nodes: all('killed'), killsProcess: false, lastsMs: 1_000 },
  { nodes: one(1, 'emptied'), killsProcess: true, lastsMs: 500 },
];

function drawFault(random: Random): PlannedFault {
  const first = random.below(3);
  const second = (first + 1 + random.below(2)) % 3;
  const kind = (): NodeFault => random.oneOf(['killed', 'stopped', 'isolated']);
  const nodes = random.oneOf([
    () => one(first, 'killed'),
    () => one(first, 'stopped'),
    () => one(first, 'isolated'),
    () => one(first, 'emptied'),
    () => [...one(first, kind()), ...one(second, kind())],
    () => [...one(first, 'killed'), ...one(second, 'killed')],
    () => all('killed'),
  ])();
  return {
    nodes,
    killsProcess: random.onceIn(4),
    lastsMs: FAULT_MS.least + random.below(FAULT_MS.most - FAULT_MS.least),
  };
}

function planOf(run: number): readonly PlannedFault[] {
  if (run === 1) return SHORT_RUN;
  const random = randomFrom(FAULT_SEED, run);
  return Array.from({ length: FAULTS_PER_RUN }, () => drawFault(random));
}

describeOnGalera('a cluster in a campaign of faults', () => {
  const tally = tallyFault({ fault: 'F6', what: 'campaign on three nodes', database: 'mariadb' });
  let cluster: GaleraCluster;

  beforeAll(async () => {
    cluster = await GaleraCluster.start();
  }, LIMIT_MS);

  afterAll(() => cluster.remove(), LIMIT_MS);

  async function inflict(node: GaleraNode, fault: NodeFault): Promise<void> {
    if (fault === 'isolated') await node.isolate();
    else if (fault === 'stopped') await node.server.sigstop();
    else {
      await node.server.kill9();
      if (fault === 'emptied') await node.forgetData();
    }
    tally.count(`nodes ${fault}`, 1);
  }

  async function play({ nodes, killsProcess, lastsMs }: PlannedFault, services: Services): Promise<void> {
    // Isolated first: a node is told to by a statement, which needs a cluster that answers.
    const order: readonly NodeFault[] = ['isolated', 'stopped', 'killed', 'emptied'];
    const sorted = [...nodes].sort((a, b) => order.indexOf(a.fault) - order.indexOf(b.fault));
    for (const { position, fault } of sorted) await inflict(cluster.nodes[position] as GaleraNode, fault);
    if (killsProcess) {
      await services.killOldest();
      tally.count('processes killed', 1);
    }
    await pause(lastsMs); // how long a fault lasts is a part of it
    const { bootstrapped, recovered, restarted } = await cluster.heal();
    // Only now: a process does not start without a database.
    if (killsProcess) await services.start(1);
    tally.count('faults', 1);
    tally.count('bootstraps', Number(bootstrapped));
    tally.count('recoveries of all', Number(recovered));
    tally.count('nodes restarted', restarted);
  }

  /** The processes of a run. Callers go to those that live, as behind a balancer. */
  class Services {
    readonly #millime: Installation;
    #running: ServerProcess[] = [];
    readonly #ended: ServerProcess[] = [];
    #turn = 0;

    constructor(millime: Installation) {
      this.#millime = millime;
    }

    async start(count: number): Promise<void> {
      const started = Array.from({ length: count }, () => this.#millime.serve({ role: 'http' }));
      this.#running.push(...(await Promise.all(started)));
    }

    baseUrl(): string {
      this.#turn += 1;
      return this.#running[this.#turn % this.#running.length]?.baseUrl ?? '';
    }

    async killOldest(): Promise<void> {
      const [first] = this.#running.splice(0, 1);
      if (first === undefined) throw new Error('no process runs');
      await first.kill9();
      this.#ended.push(first);
    }

    async metrics(): Promise<string> {
      const texts = this.#running.map(({ baseUrl }) => fetch(`${baseUrl}/metrics`).then((answer) => answer.text()));
      return (await Promise.all(texts)).join('\n');
    }

    get output(): string {
      return [...this.#running, ...this.#ended].map(({ output }) => output).join('\n');
    }
  }

  async function requireEqualNodes(database: string): Promise<void> {
    const url = (node: GaleraNode): string => `mysql://root@${node.address}/${database}`;
    const tables = (await selectRows(url(cluster.nodes[0] as GaleraNode), 'show tables')).map((row) =>
      String(Object.values(row)[0]),
    );
    expect(tables.length).toBeGreaterThan(10);
    const sums = await Promise.all(
      cluster.nodes.map((node) => selectRows(url(node), `checksum table ${tables.join(', ')} extended`)),
    );
    for (const each of sums) expect(each).toEqual(sums[0]);
  }

  test.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
    `F4, F5, F6: run %i of seed ${FAULT_SEED} loses and doubles nothing, and its nodes are equal`,
    async (run) => {
      const database = `millime_${run}`;
      await cluster.nodes[0]?.query(`create database ${database}`);
      const millime = new Installation(cluster.url(database));
      expect(await millime.cli('migrate')).toMatchObject({ code: 0 });
      const opening = await millime.seedAgents(AGENTS, 100_000_000_000);
      const token = await millime.token();
      const services = new Services(millime);
      await services.start(PROCESSES);
      const journal = new Journal();
      const baseUrl = (): string => services.baseUrl();
      const running = keepConfirming({ agentIds: AGENTS, clients: CLIENTS, baseUrl, token, journal });
      for (const planned of planOf(run)) {
        await running.served();
        await pause(WELL_MS);
        await play(planned, services);
      }
      await running.served();
      await running.stop();
      await cluster.synced();

      await tally.add(millime, journal);
      expect(journal.unexpected).toEqual([]);
      expect(journal.slowestMs).toBeLessThan(ANSWER_LIMIT_MS);
      for (const { address } of cluster.nodes) {
        const there = new Installation(`mysql://root@${address}/${database}`);
        const found = await audit(there, journal, { opening, settled: true });
        expect({ address, found }).toEqual({ address, found: [] });
      }
      await requireEqualNodes(database);
      expect(services.output).not.toMatch(/unhandledRejection|uncaughtException/i);
      const searched = `${services.output}\n${await services.metrics()}\n${journal.unexpected.join('\n')}`;
      expect(canariesIn(searched, { ...CANARIES, token })).toEqual([]);
    },
    LIMIT_MS,
  );
});
