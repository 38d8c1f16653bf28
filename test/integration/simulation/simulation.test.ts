// Goal: the books are correct after each history, in any order of actions by people, the gateway, the bank and two
// processes, with wrong clocks and under any fault of the database and the network; and a caller without an answer gets
// the true one when they repeat the request.
// Method: thousands of short histories of seeded operations through the real use cases, with a small model and the
// simulated gateway beside them. One that fails is shrunk, and printed with the command that repeats it. FAULT_LENGTH
// sets their number, FAULT_SEED their seed; FAULT_HISTORY runs one alone, FAULT_PLAN one as it was printed.
import { afterAll, describe, expect, test } from '@jest/globals';
import { describeOnEachDatabase } from '../../support/db';
import { FAULT_LENGTH, FAULT_SEED, recordFault, sized } from '../../support/faults';
import { gatewayForAll } from './gateway';
import type { HistoryPlan } from './history';
import {
  emptyTally,
  failureText,
  type FoundFailure,
  onDatabase,
  onFreshFile,
  repeat,
  type RunPlan,
  simulate,
  type Tally,
} from './simulate';

const HISTORIES = sized({ short: { sqlite: 150, mariadb: 2 }, full: { sqlite: 2_000, mariadb: 10 } });
/** As many are one test, so that a long run shows how far it is. */
const PER_TEST = { sqlite: 50, mariadb: 1 };
const LENGTH = { stepsMin: 4, stepsMax: 12 };
const HISTORY = process.env['FAULT_HISTORY'];
const PLAN = process.env['FAULT_PLAN'];
const LIMIT_MS = 600_000;
const REPEATED = 5;
const ULID = /01[0-9A-HJKMNP-TV-Z]{24}/g;

const { host } = gatewayForAll();

describeOnEachDatabase('the money paths under simulated faults', (harness) => {
  const { dialect } = harness;
  const tally = emptyTally();
  const [total, perTest] =
    HISTORY === undefined && PLAN === undefined ? [HISTORIES[dialect] * FAULT_LENGTH, PER_TEST[dialect]] : [1, 1];
  const starts = Array.from({ length: total / perTest }, (_, index) => Number(HISTORY ?? 0) + index * perTest);
  const run: RunPlan =
    dialect === 'sqlite'
      ? (plan, found) => onFreshFile(host())(plan, found)
      : (plan, found) => onDatabase(harness.url, plan, found, host());

  test.each(starts)(
    `stay true in histories from %s of seed ${FAULT_SEED}`,
    async (from) => {
      // A database of a server is emptied between two tests, so its histories are not shrunk.
      const options = { seed: FAULT_SEED, from, count: perTest, length: LENGTH, shrinks: dialect === 'sqlite' };
      expectNoFailure(
        PLAN === undefined ? await simulate(run, options, tally) : await repeat(run, JSON.parse(PLAN) as HistoryPlan),
      );
    },
    LIMIT_MS,
  );

  afterAll(() => {
    const { struck: _struck, steps: _steps, collected: _collected, ...row } = tally;
    recordFault({ fault: 'fuzz', what: 'simulated histories', database: dialect, ...row });
    if (HISTORY === undefined && PLAN === undefined && dialect === 'sqlite') expectEverything(tally);
  });
});

describe('a history', () => {
  test('does the same each time', async () => {
    const logs: string[][] = [[], []];
    for (const log of logs) {
      const run: RunPlan = async (plan, tally) => {
        log.push(...(await onFreshFile(host())(plan, tally)));
        return log;
      };
      expectNoFailure(await simulate(run, { seed: FAULT_SEED, from: 0, count: REPEATED, length: LENGTH }));
    }
    const [first = [], second = []] = logs.map((log) => log.map((line) => line.replaceAll(ULID, 'an id')));
    expect(first.length).toBeGreaterThan(REPEATED * LENGTH.stepsMin);
    expect(second).toEqual(first);
  });

  test('that fails is shrunk to the steps that matter, and repeated by its plan', async () => {
    let runs = 0;
    const planted: RunPlan = async ({ steps }) => {
      runs += 1;
      const [due, confirm] = ['importDues', 'confirmNew'].map((name) =>
        steps.findIndex(({ operation, database }) => operation === name && database.length > 0),
      );
      if (due !== undefined && confirm !== undefined && due >= 0 && due < confirm) throw new Error('planted');
      return [];
    };
    const failure = await simulate(planted, {
      seed: FAULT_SEED,
      from: 0,
      count: 10_000,
      length: { stepsMin: 1, stepsMax: 12 },
    });
    if (failure === undefined) throw new Error('chance draws both operations with faults');
    const { plan } = failure;
    expect(plan.steps.map(({ operation }) => operation)).toEqual(['importDues', 'confirmNew']);
    expect(plan.steps.map(({ database, network, wait }) => [database.length, network, wait])).toEqual([
      [1, [], 0],
      [1, [], 0],
    ]);
    const text = failureText(failure);
    expect(text).toContain(`FAULT_SEED=${FAULT_SEED} FAULT_HISTORY=${failure.number} npx jest`);
    const [, printed = ''] = /FAULT_PLAN='(.*)' npx jest/.exec(text) ?? [];
    runs = 0;
    const again = await repeat(planted, JSON.parse(printed) as HistoryPlan);
    expect([again?.error, runs]).toEqual([new Error('planted'), 1]);
  });
});

function expectNoFailure(failure: FoundFailure | undefined): void {
  if (failure !== undefined) throw new Error(failureText(failure), { cause: failure.error });
}

/** Faults that no longer strike, or money that no longer moves, would make each history pass. */
function expectEverything({ struck, acknowledged, collected, lost, doubled }: Tally): void {
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
  expect(acknowledged).toBeGreaterThan(0);
  expect(collected).toBeGreaterThan(0);
  expect([...struck].sort()).toEqual(['acquire', 'begin', 'commit', 'rollback', 'statement']);
}
