// Goal: a job of every minute fills no table and runs no window twice, and missed windows are made up within the limit.
// Method: the real windows on both databases; a long-stopped process is a claim that arrives too late.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, databaseNow, openDatabase, type Row, rowsOf } from '../../../src/db';
import { businessCalendar, formatInstant, MINUTE_MS } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { type Job, jobWatermarks } from '../../../src/scheduler';
import {
  type JobClaim,
  openJobClaimStore,
  runDueWindows,
  type SchedulerDeps,
  type Stopping,
} from '../../../src/scheduler/testing';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { fixedClock, recordingLogger } from '../../support/fakes';

const STARTED = Date.parse('2026-03-02T08:00:00+01:00');
const LEASE_MS = 60_000;
const KEPT_RUNS = 3;

const minute = (count: number): number => STARTED + count * MINUTE_MS;

describeOnEachDatabase('A job that keeps a limited number of runs', (harness) => {
  const clock = fixedClock(STARTED);
  const never = new AbortController().signal;
  const stopping: Stopping = { stopped: never, leave: never, aborted: never };
  let second: Database;

  beforeAll(() => {
    second = openDatabase(parsedUrl(harness.url), silentLogger);
  });
  afterAll(() => second.close());

  const job = (more: Partial<Job> & Pick<Job, 'run'>): Job => ({
    name: 'poll',
    cron: '* * * * *',
    leaseMs: LEASE_MS,
    ...more,
  });
  const depsOn = (
    database: Database,
    logger = recordingLogger(),
  ): SchedulerDeps & { readonly logger: typeof logger } => ({
    database,
    clock,
    calendar: businessCalendar('Africa/Tunis'),
    logger,
    clockJumps: true,
  });
  const runAt = async (now: number, due: Job, deps = depsOn(harness.database)): Promise<void> => {
    clock.set(now);
    await runDueWindows(deps, due, STARTED, stopping);
  };
  const claim = (window: number, keptRuns?: number, database = harness.database): Promise<JobClaim | undefined> =>
    database.transact((session) => openJobClaimStore(session).claim('poll', window, { leaseMs: LEASE_MS, keptRuns }));
  const runs = (): Promise<Row[]> =>
    harness.database.read((session) => rowsOf(session('job_runs').select('*').orderBy('window_at')));
  const endLeases = (): Promise<unknown> =>
    harness.database.transact(async (session) =>
      session('job_runs')
        .where({ status: 'running' })
        .update('lease_until', (await databaseNow(session)) - 1_000),
    );

  test('reuses the rows of its oldest ended runs, so that the agreed number remains', async () => {
    const ran: number[] = [];
    const noting = job({ keptRuns: KEPT_RUNS, run: async (window) => void ran.push(window) });
    for (let count = 1; count <= 10; count += 1) await runAt(minute(count), noting);
    expect(ran).toEqual(Array.from({ length: 10 }, (_, index) => minute(index + 1)));
    expect(await runs()).toMatchObject(
      [8, 9, 10].map((count) => ({ window_at: minute(count), status: 'done', fencing: 1, error: '' })),
    );
    expect(await jobWatermarks(harness.database)).toEqual(new Map([['poll', minute(10)]]));
  });

  test('clears the end and the error of the old run when it reuses a row', async () => {
    const failing = job({ keptRuns: 2, run: async () => Promise.reject(new Error('no gateway today')) });
    await runAt(minute(1), failing);
    await runAt(minute(2), failing);
    await claim(minute(3), 2);
    expect(await runs()).toMatchObject([
      { window_at: minute(2), status: 'failed', error: 'no gateway today' },
      { window_at: minute(3), status: 'running', error: '', finished_at: null },
    ]);
  });

  test('never repeats a window whose row was reused while its process was stopped', async () => {
    const noting = job({ keptRuns: KEPT_RUNS, run: async () => undefined });
    for (let count = 1; count <= 5; count += 1) await runAt(minute(count), noting);
    const before = await runs();
    await expect(claim(minute(1), KEPT_RUNS)).rejects.toMatchObject({ code: 'conflict' });
    await expect(claim(minute(1))).rejects.toMatchObject({ code: 'conflict' });
    expect(await runs()).toEqual(before);
  });

  test('begins no window while an older or newer window is running', async () => {
    await claim(minute(2));
    for (const count of [1, 3]) await expect(claim(minute(count))).rejects.toMatchObject({ code: 'conflict' });
    expect(await runs()).toMatchObject([{ window_at: minute(2), status: 'running' }]);
  });

  test('lets one of two processes begin when they start different windows concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = minute(2 * round + 1);
      const claims = await Promise.allSettled([claim(first), claim(first + MINUTE_MS, undefined, second)]);
      const won = claims.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
      expect(won).toHaveLength(1);
      for (const held of won) {
        await harness.database.transact((session) => openJobClaimStore(session).finish(held, 'done', ''));
      }
    }
  });

  test('runs each window once when several processes reuse rows concurrently', async () => {
    const ran: number[] = [];
    const noting = job({ keptRuns: 2, run: async (window) => void ran.push(window) });
    for (let count = 1; count <= 8; count += 1) {
      await Promise.all([runAt(minute(count), noting), runAt(minute(count), noting, depsOn(second))]);
    }
    expect(ran).toEqual(Array.from({ length: 8 }, (_, index) => minute(index + 1)));
    expect(await runs()).toHaveLength(2);
  });

  test('logs that it pauses when its last window lies far in the future', async () => {
    const ran: number[] = [];
    const noting = job({ catchUpMax: 1, run: async (window) => void ran.push(window) });
    await runAt(minute(600), noting);
    const deps = depsOn(harness.database);
    await runAt(minute(1), noting, deps);
    expect(ran).toEqual([minute(600)]);
    expect(deps.logger.events('jobs.ahead_of_clock')).toMatchObject([
      { level: 'warn', fields: { job: 'poll', until: formatInstant(minute(600)) } },
    ]);
  });

  test('runs the newest missed windows and logs the number of the others', async () => {
    const ran: number[] = [];
    const deps = depsOn(harness.database);
    const noting = job({ catchUpMax: 2, run: async (window) => void ran.push(window) });
    await runAt(minute(1), noting, deps);
    expect(deps.logger.events('jobs.passed_over')).toEqual([]);
    await runAt(minute(600), noting, deps);
    expect(ran).toEqual([minute(1), minute(599), minute(600)]);
    expect(deps.logger.events('jobs.passed_over')).toMatchObject([{ fields: { job: 'poll', passedOver: 597 } }]);
    await runAt(minute(600), noting, deps);
    expect(ran).toHaveLength(3);
  });

  test('completes an unfinished window first, however many windows were missed since', async () => {
    await claim(minute(1));
    const ran: number[] = [];
    const noting = job({ catchUpMax: 1, run: async (window) => void ran.push(window) });
    await runAt(minute(30), noting);
    expect(ran).toEqual([]);
    await endLeases();
    await runAt(minute(30), noting);
    expect(ran).toEqual([minute(1), minute(30)]);
  });

  test('runs the newest 40 missed windows by default', async () => {
    const ran: number[] = [];
    await runAt(minute(100), job({ run: async (window) => void ran.push(window) }));
    expect(ran).toHaveLength(40);
    expect(ran[0]).toBe(minute(61));
  });
});
