import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../../src/kernel';
import { GaleraCluster, missingForGalera } from '../../../test/support/galera-cluster';
import { type BenchServer, benchServer } from '../bench-server';
import { type Call, type Case, measureRounds, requireWrk, sharedLoadOf, warmUp } from './measure';
import { type Pair, pairTable } from './service-tables';
import { createSite, type Site } from './site';
import { startMillime, type Target, withTargets } from './targets';

const PROCESSES = [1, 2, 3] as const;
const CONNECTIONS = 192;
const CALLS: readonly Call[] = ['confirm', 'check'];

export interface ScalingArguments {
  readonly agents: number;
  readonly seconds: number;
  readonly rounds: number;
}

/**
 * Measures how confirms and checks grow with processes and with nodes: one server and a cluster of three nodes, with one
 * to three processes, which all write on the first node or each on its own. All in turns in one run, so that the ratios
 * hold on a machine that changes.
 *
 * @throws Error when wrk, MariaDB or Galera is not installed, or a server does not answer.
 */
export async function benchScaling(options: ScalingArguments, tell: (text: string) => void): Promise<string> {
  requireWrk();
  const missing = missingForGalera();
  if (missing !== undefined) throw new Error(missing);
  // The tests keep their databases in memory. Here a commit must wait for a disk.
  process.env['TMPDIR'] = tmpdir();
  const folder = mkdtempSync(join(tmpdir(), 'millime-bench-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder); // after an interrupt nothing below runs
  const [server, cluster] = await Promise.all([benchServer(undefined), GaleraCluster.start()]);
  try {
    const nodes: BenchServer = { folder: undefined, url: (name) => cluster.url(name), remove: () => cluster.remove() };
    tell(`creating two databases with ${counted(options.agents, 'agent')} each`);
    const single = await createSite({ folder, name: 'single', server, agents: options.agents, postings: 0 });
    const spread = await createSite({ folder, name: 'cluster', server: nodes, agents: options.agents, postings: 0 });
    try {
      return await measure(single, spread, cluster, options, tell);
    } finally {
      for (const { database } of [single, spread]) database.close();
    }
  } finally {
    removeFolder();
    await Promise.all([server.remove(), cluster.remove()]);
  }
}

async function measure(
  single: Site,
  spread: Site,
  cluster: GaleraCluster,
  options: ScalingArguments,
  tell: (text: string) => void,
): Promise<string> {
  const onNode = (first: number): Site => ({
    ...spread,
    env: { ...spread.env, DATABASE_URL: cluster.url('millime_bench_cluster', first) },
  });
  const starters = Object.fromEntries(
    PROCESSES.flatMap((_, index) => [
      [`single ${index}`, () => startMillime(single)],
      [`first ${index}`, () => startMillime(spread)],
      [`own ${index}`, () => startMillime(onNode(index))],
    ]),
  );
  return withTargets(starters, async (targets) => {
    const some = (place: string, count: number): Target[] =>
      PROCESSES.slice(0, count).map((_, index) => targets[`${place} ${index}`] as Target);
    const layouts = [
      ...PROCESSES.map((count) => ({ name: `one server, ${counted(count, 'process')}`, on: some('single', count) })),
      ...PROCESSES.map((count) => ({
        name: `three nodes, ${counted(count, 'process')}, writes on one`,
        on: some('first', count),
      })),
      { name: `three nodes, ${counted(3, 'process')}, writes on each`, on: some('own', 3) },
    ];
    const tables: string[] = [];
    for (const call of CALLS) {
      const cases = layouts.map(({ name, on }) => sharedLoadOf(name, on, call, { connections: CONNECTIONS }));
      const [base] = cases as [Case];
      await warmUp(cases, tell);
      const measured = await measureRounds(cases, options, tell);
      const pairs = cases.map((subject): Pair => ({ name: subject.name, subject, base }));
      tables.push(`### ${call}\n\n${pairTable(['layout', 'one process on one server'], pairs, measured)}`);
    }
    const machine = `Node ${process.versions.node}, ${availableParallelism()} cores for everything, data on a disk`;
    return [`## ${counted(CONNECTIONS, 'connection')}, ${machine}`, ...tables].join('\n\n');
  });
}
