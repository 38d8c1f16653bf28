import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../../src/kernel';
import { GaleraCluster, missingForGalera } from '../../../test/support/galera-cluster';
import { type BenchServer, benchServer } from '../bench-server';
import { type Call, type Case, measureRounds, requireWrk, sharedLoadOf, warmUp } from './measure';
import { markdownTable, type Pair, pairTable } from './service-tables';
import { createSite, type Site } from './site';
import { startMillime, type Target, withTargets } from './targets';
import { secondsOfNewIndex } from './whole-books';

const PROCESSES = [1, 2, 3] as const;
const CONNECTIONS = 192;
const CALLS: readonly Call[] = ['confirm', 'check'];

const CHANGE_SECONDS = 20;

export interface ScalingArguments {
  readonly agents: number;
  readonly seconds: number;
  readonly rounds: number;
  /** Of these sizes the first one is that of both books. */
  readonly postings: readonly number[];
}

/**
 * Measures how confirms and checks grow with processes and with nodes: one server and a cluster of three nodes, with one
 * to three processes, which all write on the first node or each on its own. All in turns in one run, so that the ratios
 * hold on a machine that changes. Then measures what a change of a large table does to confirms.
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
    const size = { agents: options.agents, postings: options.postings[0] ?? 0 };
    tell(`filling two databases with ${counted(size.agents, 'agent')} and ${counted(size.postings, 'posting')} each`);
    const single = await createSite({ folder, name: 'single', server, ...size });
    const spread = await createSite({ folder, name: 'cluster', server: nodes, ...size });
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

interface Layout {
  readonly name: string;
  readonly on: readonly Target[];
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
    const layouts: Layout[] = [
      ...PROCESSES.map((count) => ({
        name: `one server, ${counted(count, 'process', 'processes')}`,
        on: some('single', count),
      })),
      ...PROCESSES.map((count) => ({
        name: `three nodes, ${counted(count, 'process', 'processes')}, writes on one`,
        on: some('first', count),
      })),
      { name: `three nodes, ${counted(3, 'process', 'processes')}, writes on each`, on: some('own', 3) },
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
    const [one, , , first] = layouts as [Layout, Layout, Layout, Layout];
    tables.push(`### A new index under confirms\n\n${await changeTable([one, first], tell)}`);
    return [`## ${counted(CONNECTIONS, 'connection')}, ${machine}`, ...tables].join('\n\n');
  });
}

/** Returns what confirms get while an index is created, in a measurement that starts with it. */
async function changeTable(layouts: readonly Layout[], tell: (text: string) => void): Promise<string> {
  const rows: string[][] = [];
  for (const { name, on } of layouts) {
    tell(`a new index: ${name}`);
    const [target] = on as [Target];
    const load = sharedLoadOf(name, on, 'confirm', { connections: CONNECTIONS });
    const [measured, seconds] = await Promise.all([load.measure(CHANGE_SECONDS), secondsOfNewIndex(target.site)]);
    const { perSecond, p50Ms = 0, p99Ms = 0, failures } = measured;
    const figures = [perSecond, p50Ms, p99Ms, failures].map((value) => String(Math.round(value)));
    rows.push([name, seconds.toFixed(1), ...figures]);
  }
  return markdownTable(['', 'seconds of the change', 'confirms/s', 'p50 ms', 'p99 ms', 'failures'], rows);
}
