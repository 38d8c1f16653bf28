import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { type Database, openDatabase } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { freshDatabase, parsedUrl } from '../../support/db';
import type { GatewayHost } from './gateway';
import { histories, type HistoryLength, type HistoryPlan } from './history';
import { History } from './run-history';
import { type Failing, type Failure, shrink } from './shrink';

/** A shrink runs at most so many histories; what is left then is short, if not the shortest. */
const SHRINK_RUNS_MAX = 300;

/** What the histories of a run met. */
export interface Tally {
  rounds: number;
  steps: number;
  acknowledged: number;
  lost: number;
  doubled: number;
  longestMs: number;
  /** Payments and refunds of hosted checkouts in the books. */
  collected: number;
  /** The places at which a fault of the database struck. */
  readonly struck: Set<string>;
}

export function emptyTally(): Tally {
  return {
    ...{ rounds: 0, steps: 0, acknowledged: 0, lost: 0, doubled: 0, longestMs: 0, collected: 0 },
    struck: new Set(),
  };
}

/** Runs one history on an empty database, and adds what it met to the tally. Returns its log. */
export type RunPlan = (plan: HistoryPlan, tally: Tally) => Promise<readonly string[]>;

/** The error of a history, with its log. */
class FailedHistory extends Error {
  readonly log: readonly string[];
  constructor(log: readonly string[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.log = log;
  }
}

/** Runs plans on SQLite, each on a file of its own. */
export function onFreshFile(host: GatewayHost): RunPlan {
  return async (plan, tally) => {
    const { url } = await freshDatabase('sqlite');
    try {
      return await onDatabase(url, plan, tally, host);
    } finally {
      const file = url.slice('sqlite:'.length);
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    }
  };
}

/** Runs a plan with two processes on one empty database. */
export async function onDatabase(
  url: string,
  plan: HistoryPlan,
  tally: Tally,
  host: GatewayHost,
): Promise<readonly string[]> {
  const open = (): Database => openDatabase(parsedUrl(url), silentLogger);
  const databases = [open(), open()] as const;
  const history = new History({ databases, gateway: await host.begin(), address: host.addressFor(plan) });
  try {
    await history.run(plan);
    return history.log;
  } catch (error) {
    throw new FailedHistory(history.log, error);
  } finally {
    const { acknowledged, lost, doubled } = await history.damage();
    tally.rounds += 1;
    tally.steps += plan.steps.length;
    tally.acknowledged += acknowledged;
    tally.lost += lost;
    tally.doubled += doubled;
    tally.collected += history.model.collected.length;
    tally.longestMs = Math.max(tally.longestMs, history.longestMs);
    for (const place of history.struckPlaces) tally.struck.add(place);
    for (const database of databases) await database.close();
  }
}

export interface SimulationOptions {
  readonly seed: number;
  /** The number of the first history. */
  readonly from: number;
  readonly count: number;
  readonly length: HistoryLength;
  /** Without it the failure stays as it was found. */
  readonly shrinks?: boolean;
}

/** A history that failed, in the shortest form that was found. */
export interface FoundFailure extends Failure {
  readonly seed: number;
  readonly number: number;
}

/** Runs histories until one fails, and shrinks that one. */
export async function simulate(
  run: RunPlan,
  { seed, from, count, length, shrinks = true }: SimulationOptions,
  tally: Tally = emptyTally(),
): Promise<FoundFailure | undefined> {
  let number = from - 1;
  const property = fc.asyncProperty(histories(length), async (plan) => {
    number += 1;
    await run(plan, tally);
  });
  const { counterexample, errorInstance: error } = await fc.check(property, {
    ...{ seed, path: String(from), numRuns: count, endOnFailure: true },
  });
  const plan = counterexample?.[0];
  if (plan === undefined) return undefined;
  const found = shrinks ? await shrink({ plan, error }, failingOf(run), SHRINK_RUNS_MAX) : { plan, error };
  return { ...found, seed, number };
}

/** Runs one plan, such as the shortest form of an earlier failure. */
export async function repeat(run: RunPlan, plan: HistoryPlan): Promise<FoundFailure | undefined> {
  const error = await failingOf(run)(plan);
  return error === undefined ? undefined : { plan, error, seed: 0, number: 0 };
}

function failingOf(run: RunPlan): Failing {
  return async (plan) => {
    try {
      await run(plan, emptyTally());
      return undefined;
    } catch (error) {
      return error;
    }
  };
}

/** Tells what failed, in the shortest form that was found, and how to repeat it. */
export function failureText({ plan, error, seed, number }: FoundFailure): string {
  const again = 'npx jest test/integration/simulation/simulation';
  return [
    `history ${number} of seed ${seed} fails; its shortest form:`,
    ...(error instanceof FailedHistory ? error.log : []),
    '',
    String(error instanceof Error ? error.message : error),
    '',
    `the whole history: FAULT_SEED=${seed} FAULT_HISTORY=${number} ${again}`,
    `its shortest form: FAULT_PLAN='${JSON.stringify(plan)}' ${again}`,
  ].join('\n');
}
