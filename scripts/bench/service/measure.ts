import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { median } from '../../../test/support/median';
import { runChild } from './children';
import { numberOf } from './service-database';
import type { Target } from './targets';

const WRK = 'wrk';
const SCRIPT = join(__dirname, 'load.lua');
const WARM_UP_SECONDS = 2;
const ANSWER_LIMIT_SECONDS = 5;
/** wrk has ended long before, or hangs. */
const END_LIMIT_MS = 30_000;
const MICROS_PER_MS = 1_000;
const MICROS_PER_SECOND = 1_000_000;

export type Call = 'check' | 'confirm';

/** The figures of one measurement, or their medians. */
export interface Measured {
  readonly perSecond: number;
  /** Undefined where no single answer is measured. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  /** Answers other than 200, broken connections, late answers, and confirms that were answered and not stored. */
  readonly failures: number;
}

export interface Case {
  readonly name: string;
  measure(seconds: number): Promise<Measured>;
}

export interface LoadOptions {
  readonly connections: number;
  /** Whether every confirm is for one agent. */
  readonly isHot?: boolean;
}

/** @throws Error when the load generator is not installed. */
export function requireWrk(): void {
  if (spawnSync(WRK, ['--version'], { stdio: 'ignore' }).error !== undefined) {
    throw new Error('wrk is not installed: install the Debian package wrk');
  }
}

/** Returns the case that sends calls to a target from one wrk process. */
export function loadOf(name: string, target: Target, call: Call, options: LoadOptions): Case {
  return { name, measure: (seconds) => sendLoad(target, call, { ...options, seconds }) };
}

/** Returns the case that sends calls to several targets concurrently, each with its part of the connections. */
export function sharedLoadOf(
  name: string,
  targets: readonly Target[],
  call: Call,
  { connections, ...options }: LoadOptions,
): Case {
  const each = { ...options, connections: Math.ceil(connections / targets.length) };
  return {
    name,
    measure: async (seconds) => {
      const parts = await Promise.all(targets.map((target) => sendLoad(target, call, { ...each, seconds })));
      return {
        perSecond: sum(parts.map(({ perSecond }) => perSecond)),
        p50Ms: Math.max(...parts.map(({ p50Ms }) => p50Ms)),
        p99Ms: Math.max(...parts.map(({ p99Ms }) => p99Ms)),
        failures: sum(parts.map(({ failures }) => failures)),
      };
    },
  };
}

/** Runs each case briefly, so that code is compiled and connections are open before the first measurement. */
export async function warmUp(cases: readonly Case[], tell: (text: string) => void): Promise<void> {
  for (const each of cases) {
    tell(`warming up: ${each.name}`);
    await each.measure(WARM_UP_SECONDS);
  }
}

/** Measures all cases in turns, so that a slow machine affects all of them. Returns the medians, and all failures. */
export async function measureRounds(
  cases: readonly Case[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  tell: (text: string) => void,
): Promise<ReadonlyMap<Case, Measured>> {
  const found = new Map<Case, Measured[]>(cases.map((each) => [each, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [each, figures] of found) {
      const measured = await each.measure(seconds);
      figures.push(measured);
      tell(`round ${round} of ${rounds}: ${each.name}: ${Math.round(measured.perSecond)}/s`);
    }
  }
  return new Map([...found].map(([each, figures]) => [each, mediansOf(figures)]));
}

function mediansOf(figures: readonly Measured[]): Measured {
  const medianOf = (values: readonly (number | undefined)[]): number | undefined => {
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? undefined : median(known);
  };
  return {
    perSecond: median(figures.map(({ perSecond }) => perSecond)),
    p50Ms: medianOf(figures.map(({ p50Ms }) => p50Ms)),
    p99Ms: medianOf(figures.map(({ p99Ms }) => p99Ms)),
    failures: sum(figures.map(({ failures }) => failures)),
  };
}

/** The line of JSON that `load.lua` prints. */
interface Counts {
  readonly answers: number;
  readonly refused: number;
  readonly broken: number;
  readonly timeouts: number;
  readonly micros: number;
  readonly p50: number;
  readonly p99: number;
}

async function sendLoad(
  target: Target,
  call: Call,
  { connections, seconds, isHot = false }: LoadOptions & { readonly seconds: number },
) {
  const { site, url } = target;
  const salt = randomBytes(6).toString('hex');
  const limits = ['--duration', `${seconds}s`, '--timeout', `${ANSWER_LIMIT_SECONDS}s`];
  const output = await runChild(
    WRK,
    ['--threads', '1', '--connections', String(connections), ...limits, '--script', SCRIPT, url],
    {
      folder: site.folder,
      env: {
        BENCH_CALL: call,
        BENCH_TOKEN: site.token,
        BENCH_AGENTS: String(site.agents),
        BENCH_SALT: salt,
        ...(isHot ? { BENCH_HOT: '1' } : {}),
      },
      limitMs: seconds * 1_000 + END_LIMIT_MS,
    },
  );
  const counts = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Counts;
  const missing = call === 'check' ? 0 : await missingConfirms(target, salt, counts, connections);
  return {
    perSecond: (counts.answers * MICROS_PER_SECOND) / counts.micros,
    p50Ms: counts.p50 / MICROS_PER_MS,
    p99Ms: counts.p99 / MICROS_PER_MS,
    failures: counts.refused + counts.broken + counts.timeouts + missing,
  };
}

/**
 * Returns how far the stored rows are from the answers with 200. An answer with another code stores no row. The calls in
 * flight at the end may have a row without an answer.
 */
async function missingConfirms(
  { site, confirms }: Target,
  salt: string,
  { answers, refused }: Counts,
  connections: number,
): Promise<number> {
  if (confirms === undefined) return 0;
  const stored = await numberOf(
    site.database,
    `select count(*) from ${confirms} where transaction_id >= '${salt}-' and transaction_id < '${salt}.'`,
  );
  const accepted = answers - refused;
  return Math.max(0, accepted - stored, stored - accepted - connections);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
