import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../../src/kernel';
import { type ProcessState, processState } from '../../../test/support/process-state';
import type { BenchServer } from '../bench-server';
import { runChild } from './children';
import { type BusyTime, readBusyTime } from './cpu-profile';
import { type Call, type Case, loadOf, measureRounds, sharedLoadOf, warmUp } from './measure';
import type { ServicePart } from './service-arguments';
import { markdownTable, memoryTable, type Pair, pairTable, profileTable, statementTable } from './service-tables';
import { createSite, type Site } from './site';
import { countStatements } from './statements-sent';
import { startMillime, startPlainApp, TYPESCRIPT, withTargets } from './targets';
import { SIZE_HEAD, sizeOf, timeWholeBooks, WHOLE_BOOKS_HEAD } from './whole-books';

const CONNECTIONS = [1, 16, 64, 256];
const CONNECTIONS_USUAL = 64;
const CALLS: readonly Call[] = ['confirm', 'check'];
const WRITE_ROWS = join(__dirname, 'write-rows.ts');
const MS_PER_SECOND = 1_000;
/** About as many confirms as agents. */
const PAGES_SECONDS = 30;

export interface QuestionContext {
  readonly site: Site;
  /** The server of further databases; undefined for SQLite. */
  readonly server: BenchServer | undefined;
  readonly folder: string;
  readonly rounds: number;
  readonly seconds: number;
  /** The sizes of books, smallest first, without 0. */
  readonly postings: readonly number[];
  readonly tell: (text: string) => void;
}

/** A table under its heading. */
export interface Answer {
  readonly heading: string;
  readonly table: string;
}

type Question = (context: QuestionContext) => Promise<readonly Answer[]>;

/** The measurements, each with servers of its own. */
export const QUESTIONS: Readonly<Record<ServicePart, Question>> = {
  calls: measureCalls,
  processes: measureProcesses,
  logging: measureLogging,
  books: measureBooks,
  statements: measureStatements,
  profile: measureProfile,
};

async function measureCalls(context: QuestionContext): Promise<readonly Answer[]> {
  const { site, tell } = context;
  const starters = {
    millime: () => startMillime(site),
    plain: () => startPlainApp(site, { withDatabase: true }),
    bare: () => startPlainApp(site, { withDatabase: false }),
  };
  return withTargets(starters, async ({ millime, plain, bare }) => {
    const states = new Map<string, ProcessState>([['before the load', processState(millime.pid)]]);
    const pair = (call: Call, connections: number, isHot = false): Pair => {
      const name = `${counted(connections, 'connection')}${isHot ? ', one agent' : ''}`;
      const base = call === 'confirm' ? plain : bare;
      const [subject, other] = [`Millime, ${call}, ${name}`, `plain app, ${call}, ${name}`];
      const options = { connections, isHot };
      return { name, subject: loadOf(subject, millime, call, options), base: loadOf(other, base, call, options) };
    };
    const usual = { confirm: pair('confirm', CONNECTIONS_USUAL), check: pair('check', CONNECTIONS_USUAL) };
    const pairs = (call: Call): Pair[] =>
      CONNECTIONS.map((each) => (each === CONNECTIONS_USUAL ? usual[call] : pair(call, each)));
    const [confirms, checks] = [[...pairs('confirm'), pair('confirm', CONNECTIONS_USUAL, true)], pairs('check')];
    const withoutDatabase = loadOf('plain app without a database', bare, 'confirm', { connections: CONNECTIONS_USUAL });
    const limits = [withoutDatabase, rowsAlone(site)].map((base): Pair => ({
      name: base.name,
      subject: usual.confirm.subject,
      base,
    }));
    await warmUp([...casesOf(Object.values(usual)), withoutDatabase], tell);
    states.set('after the warm-up', processState(millime.pid));
    const measured = await measureRounds(casesOf([...confirms, ...limits, ...checks]), context, tell);
    states.set('at the end', processState(millime.pid));
    const limitHeading = `Confirm: limits, ${counted(CONNECTIONS_USUAL, 'connection')}`;
    return [
      { heading: 'Confirm', table: pairTable(['Millime', 'plain app'], confirms, measured) },
      { heading: limitHeading, table: pairTable(['Millime', 'limit'], limits, measured) },
      { heading: 'Check', table: pairTable(['Millime', 'bare route'], checks, measured) },
      { heading: 'Memory and open handles of Millime', table: memoryTable(states) },
    ];
  });
}

/** Returns the case that writes the rows of confirms without a service. */
function rowsAlone({ folder, database, agents }: Site): Case {
  return {
    name: 'the rows alone, 64 confirms a transaction',
    measure: async (seconds) => {
      const output = await runChild(process.execPath, [...TYPESCRIPT, WRITE_ROWS], {
        folder,
        env: {
          CEILING_DATABASE_URL: database.url,
          CEILING_AGENTS: String(agents),
          CEILING_SECONDS: String(seconds),
        },
      });
      const { confirms, tookMs } = JSON.parse(output) as { confirms: number; tookMs: number };
      return { perSecond: (confirms * MS_PER_SECOND) / tookMs, p50Ms: undefined, p99Ms: undefined, failures: 0 };
    },
  };
}

async function measureProcesses(context: QuestionContext): Promise<readonly Answer[]> {
  const { site } = context;
  return withTargets(
    { first: () => startMillime(site), second: () => startMillime(site) },
    async ({ first, second }) => {
      const options = { connections: CONNECTIONS_USUAL };
      const pairs = CALLS.map((call) => ({
        name: call,
        subject: sharedLoadOf(`two processes, ${call}`, [first, second], call, options),
        base: loadOf(`one process, ${call}`, first, call, options),
      }));
      return [
        {
          heading: `Two processes on one database, ${counted(CONNECTIONS_USUAL, 'connection')}`,
          table: await measuredTable(context, ['two', 'one'], pairs),
        },
      ];
    },
  );
}

async function measureLogging(context: QuestionContext): Promise<readonly Answer[]> {
  const { site } = context;
  const starters = {
    info: () => startMillime(site, { logLevel: 'info' }),
    error: () => startMillime(site, { logLevel: 'error' }),
  };
  return withTargets(starters, async ({ info, error }) => {
    const options = { connections: CONNECTIONS_USUAL };
    const [subject, base] = [
      loadOf('LOG_LEVEL=info, confirm', info, 'confirm', options),
      loadOf('LOG_LEVEL=error, confirm', error, 'confirm', options),
    ];
    const table = await measuredTable(context, ['info', 'error'], [{ name: 'confirm', subject, base }]);
    return [{ heading: `Logging, ${counted(CONNECTIONS_USUAL, 'connection')}`, table }];
  });
}

async function measureBooks(context: QuestionContext): Promise<readonly Answer[]> {
  const { site, tell } = context;
  const sites: Site[] = [];
  const sizes: string[][] = [];
  const works: string[][] = [];
  try {
    for (const postings of context.postings) {
      const name = counted(postings, 'posting');
      tell(`filling books with ${name}`);
      const filled = await createSite({ ...context, agents: site.agents, postings, name: `filled${postings}` });
      sites.push(filled);
      sizes.push([name, ...(await sizeOf(filled.database))]);
      works.push([name, ...(await timeWholeBooks(filled, tell))]);
    }
    const compared = await compareBooks(context, sites);
    sizes.push(['confirms under load', ...(await sizeOf(site.database))]);
    return [
      ...compared,
      { heading: 'Size of the tables of a confirm', table: markdownTable(SIZE_HEAD, sizes) },
      { heading: 'Seconds of work on whole books', table: markdownTable(WHOLE_BOOKS_HEAD, works) },
    ];
  } finally {
    for (const { database } of sites) database.close();
  }
}

async function compareBooks(context: QuestionContext, sites: readonly Site[]): Promise<readonly Answer[]> {
  const { site, postings } = context;
  const all = [site, ...sites];
  const starters = Object.fromEntries(all.map((each, index) => [index, () => startMillime(each)]));
  return withTargets(starters, async (targets) => {
    const cases = Object.values(targets).map((target, index) =>
      CALLS.map((call) =>
        loadOf(`${call}, ${postings[index - 1] ?? 0} postings`, target, call, { connections: CONNECTIONS_USUAL }),
      ),
    );
    const [empty = [], ...filled] = cases;
    // In a running service the pages of most agents are in memory, and each agent has pages of its own.
    for (const [confirm] of filled) {
      context.tell(`reading the pages of agents: ${confirm?.name ?? ''}`);
      await confirm?.measure(PAGES_SECONDS);
    }
    const pairs = filled.flatMap((ofSize) =>
      ofSize.flatMap((subject, index): Pair[] => {
        const base = empty[index];
        return base === undefined ? [] : [{ name: subject.name, subject, base }];
      }),
    );
    const table = await measuredTable(context, ['filled', 'empty'], pairs);
    return [{ heading: `Books of some size, ${counted(CONNECTIONS_USUAL, 'connection')}`, table }];
  });
}

async function measureStatements({ site, server, tell }: QuestionContext): Promise<readonly Answer[]> {
  if (server === undefined) return [];
  tell('counting statements');
  return withTargets({ millime: () => startMillime(site) }, async ({ millime }) => [
    { heading: 'Statements that the server executes', table: statementTable(await countStatements(millime)) },
  ]);
}

async function measureProfile({ site, folder, seconds, tell }: QuestionContext): Promise<readonly Answer[]> {
  const columns = new Map<string, BusyTime>();
  for (const call of CALLS) {
    tell(`profiling: ${call}`);
    const profiles = mkdtempSync(join(folder, 'profile-'));
    const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
    const times = await withTargets({ millime: () => startMillime(site, { nodeOptions }) }, async ({ millime }) => {
      const load = loadOf(call, millime, call, { connections: CONNECTIONS_USUAL });
      await warmUp([load], tell);
      const startedAt = performance.now();
      await load.measure(seconds);
      return { startedAt, endedAt: performance.now() };
    });
    const stoppedAt = performance.now();
    columns.set(call, readBusyTime(profiles, stoppedAt - times.startedAt, stoppedAt - times.endedAt));
  }
  return [{ heading: `Busy time by part, ${counted(CONNECTIONS_USUAL, 'connection')}`, table: profileTable(columns) }];
}

async function measuredTable(
  context: QuestionContext,
  names: readonly [string, string],
  pairs: readonly Pair[],
): Promise<string> {
  const cases = casesOf(pairs);
  await warmUp(cases, context.tell);
  return pairTable(names, pairs, await measureRounds(cases, context, context.tell));
}

/** Returns each case once. */
function casesOf(pairs: readonly Pair[]): Case[] {
  return [...new Set(pairs.flatMap(({ subject, base }) => [subject, base]))];
}
