// Goal: a window that met an unavailable database runs again when the database is back, within a bound, once.
// Method: a job that uses a server which does not exist; a pause ends when the test dates it into the past.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Database, databaseNow, openDatabase, type Row, rowsOf } from '../../../src/db';
import { AppError, businessCalendar } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import type { Job } from '../../../src/scheduler';
import { runDueWindows, type SchedulerDeps, type Stopping } from '../../../src/scheduler/testing';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { fixedClock, type RecordingLogger, recordingLogger } from '../../support/fakes';

const STARTED = Date.parse('2026-03-02T12:00:00+01:00');
const NOW = '2026-03-03T12:00:00+01:00';
const WINDOW = Date.parse('2026-03-03T06:30:00+01:00');
const LEASE_MS = 30 * 60_000;
const REPEATS_MAX = 20;

describeOnEachDatabase('A window that met an unavailable database', (harness) => {
  const clock = fixedClock(NOW);
  let logger: RecordingLogger;
  let absent: Database;
  let other: Database;
  let ran: number[];

  beforeAll(() => {
    absent = openDatabase(parsedUrl('mysql://root@127.0.0.1:1/none'), silentLogger);
    other = openDatabase(parsedUrl(harness.url), silentLogger);
  });
  afterAll(() => Promise.all([absent.close(), other.close()]));
  beforeEach(() => {
    logger = recordingLogger();
    clock.set(NOW);
    ran = [];
  });

  const never = new AbortController().signal;
  const stopping: Stopping = { stopped: never, leave: never, aborted: never };
  const depsOn = (database: Database): SchedulerDeps => ({
    database,
    clock,
    calendar: businessCalendar('Africa/Tunis'),
    logger,
    clockJumps: true,
  });
  /** Meets an unavailable database in its first `failing` runs. */
  const job = (failing: number, fault: () => Promise<unknown> = () => unavailable()): Job => ({
    name: 'reconcile',
    cron: '30 6 * * *',
    leaseMs: LEASE_MS,
    async run(window) {
      ran.push(window);
      if (ran.length <= failing) await fault();
    },
  });
  const unavailable = (): Promise<unknown> => absent.read((session) => session.raw('select 1 as one'));
  const runDue = (due: Job, database = harness.database): Promise<boolean> =>
    runDueWindows(depsOn(database), due, STARTED, stopping);
  const runs = (): Promise<Row[]> =>
    harness.database.read((session) => rowsOf(session('job_runs').select('*').orderBy('window_at')));
  const pauseMs = async (): Promise<number> => {
    const now = await harness.database.read((session) => databaseNow(session));
    return Number((await runs())[0]?.['lease_until']) - now;
  };
  const endPause = (): Promise<unknown> =>
    harness.database.transact(async (session) =>
      session('job_runs')
        .where('status', 'running')
        .update('lease_until', (await databaseNow(session)) - 1_000),
    );

  test('F29: runs again after a pause, and then has its effect once', async () => {
    const due = job(1);
    await runDue(due);
    expect(await runs()).toMatchObject([{ window_at: WINDOW, status: 'running' }]);
    expect(logger.events('jobs.postponed')).toEqual([expect.objectContaining({ level: 'warn' })]);
    expect(logger.events('jobs.failed')).toEqual([]);
    expect(await pauseMs()).toBeLessThan(LEASE_MS / 2); // it does not wait for its lease
    await endPause();
    await runDue(due);
    await runDue(due);
    expect(ran).toEqual([WINDOW, WINDOW]);
    expect(await runs()).toMatchObject([{ window_at: WINDOW, status: 'done', error: '' }]);
  });

  test('F29: runs again in one of two processes that check concurrently', async () => {
    const due = job(1);
    await runDue(due);
    await endPause();
    await Promise.all([runDue(due), runDue(due, other), runDue(due), runDue(due, other)]);
    expect(ran).toEqual([WINDOW, WINDOW]);
    expect(await runs()).toMatchObject([{ status: 'done' }]);
  });

  test('F29: is not started during its pause', async () => {
    await runDue(job(1));
    await harness.database.transact(async (session) =>
      session('job_runs').update('lease_until', (await databaseNow(session)) + 60_000),
    );
    await runDue(job(0));
    expect(ran).toEqual([WINDOW]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['an error of the job', () => Promise.reject(new Error('a bug'))],
    ['an unavailable gateway', () => Promise.reject(new AppError('unavailable', 'the gateway cannot answer'))],
    ['a statement that the database refused', () => other.read((session) => session.raw('select nothing'))],
  ])('F29: ends as failed after %s, and does not run again', async (_what, fault) => {
    await runDue(job(1, fault));
    await runDue(job(1, fault));
    expect(ran).toEqual([WINDOW]);
    expect(await runs()).toMatchObject([{ status: 'failed' }]);
    expect(logger.events('jobs.postponed')).toEqual([]);
  });

  test('F29: runs again if the unavailable database caused the error of the job', async () => {
    const wrapped = (): Promise<unknown> =>
      unavailable().catch((error: unknown) => Promise.reject(new Error('the step failed', { cause: error })));
    await runDue(job(1, wrapped));
    expect(await runs()).toMatchObject([{ status: 'running' }]);
  });

  test('F29: ends as failed when the next window of its job is due, which then runs', async () => {
    const due = job(2);
    await runDue(due);
    await endPause();
    clock.set('2026-03-04T12:00:00+01:00');
    await runDue(due);
    expect(ran).toEqual([WINDOW, WINDOW, WINDOW + 24 * 60 * 60_000]);
    expect((await runs()).map((row) => row['status'])).toEqual(['failed', 'done']);
  });

  test(`F29: ends as failed after it ran again ${REPEATS_MAX} times, with growing pauses`, async () => {
    const due = job(Number.POSITIVE_INFINITY);
    for (let check = 0; check < REPEATS_MAX + 5; check += 1) {
      await runDue(due);
      await endPause();
    }
    expect(ran).toHaveLength(1 + REPEATS_MAX);
    expect(await runs()).toMatchObject([{ status: 'failed' }]);
    const pauses = logger.events('jobs.postponed').map(({ fields }) => fields['pauseMs']);
    expect(pauses.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(Math.max(...pauses.map(Number))).toBe(300_000);
    expect(logger.events('jobs.failed')).toHaveLength(1);
  });

  test('F29: is returned when the database is back, if it could not be returned before', async () => {
    let isDown = false;
    const failing: Database = {
      ...harness.database,
      transact: (work, options) => (isDown ? absent : harness.database).transact(work, options),
      read: (work, options) => (isDown ? absent : harness.database).read(work, options),
    };
    const due = job(1, () => {
      isDown = true;
      return unavailable();
    });
    const known = {};
    const check = (): Promise<boolean> => runDueWindows(depsOn(failing), due, STARTED, stopping, known);
    await expect(check()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(check()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await pauseMs()).toBeGreaterThan(LEASE_MS / 2);
    isDown = false;
    await check();
    expect(await pauseMs()).toBeLessThan(LEASE_MS / 2);
    await endPause();
    await check();
    expect(ran).toEqual([WINDOW, WINDOW]);
    expect(await runs()).toMatchObject([{ status: 'done' }]);
  });
});
