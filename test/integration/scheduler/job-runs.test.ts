// Goal: each window of a job runs once over all processes, even if a process dies during it.
// Method: several schedulers' connections on one database; a lease ends when the test dates it into the past.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, databaseNow, openDatabase, type Row, rowsOf } from '../../../src/db';
import { businessCalendar } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { type Job, jobStates, jobWatermarks, lastGoodWindow, startScheduler } from '../../../src/scheduler';
import {
  type JobClaim,
  openJobClaimStore,
  runDueWindows,
  type SchedulerDeps,
  type Stopping,
} from '../../../src/scheduler/testing';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { fixedClock, recordingLogger } from '../../support/fakes';

const STARTED = Date.parse('2026-03-02T00:00:00+01:00');
const NOW = '2026-03-03T12:00:00+01:00';
const WINDOWS = [Date.parse('2026-03-02T06:30:00+01:00'), Date.parse('2026-03-03T06:30:00+01:00')];
const [FIRST = 0, SECOND = 0] = WINDOWS;
const LEASE_MS = 60_000;

const openHere = (url: string): Database => openDatabase(parsedUrl(url), silentLogger);

describeOnEachDatabase('A scheduled job', (harness) => {
  const logger = recordingLogger();
  const clock = fixedClock(NOW);
  const others: Database[] = [];

  beforeAll(() => void others.push(openHere(harness.url), openHere(harness.url)));
  afterAll(() => Promise.all(others.map((database) => database.close())));

  const depsOn = (database: Database): SchedulerDeps => ({
    database,
    clock,
    calendar: businessCalendar('Africa/Tunis'),
    logger,
    clockJumps: true,
  });
  const job = (run: Job['run'], name = 'reconcile'): Job => ({
    name,
    cron: '30 6 * * *',
    leaseMs: LEASE_MS,
    run,
  });
  const runDue = (database: Database, due: Job): Promise<boolean> =>
    runDueWindows(depsOn(database), due, STARTED, stopping().signals);
  /** A process that is told to stop when the test says so, step by step. */
  const stopping = (): {
    stopped: AbortController;
    leave: AbortController;
    aborted: AbortController;
    signals: Stopping;
  } => {
    const [stopped, leave, aborted] = [new AbortController(), new AbortController(), new AbortController()];
    return {
      stopped,
      leave,
      aborted,
      signals: { stopped: stopped.signal, leave: leave.signal, aborted: aborted.signal },
    };
  };

  const claim = (window: number, name = 'reconcile'): Promise<JobClaim | undefined> =>
    harness.database.transact((session) => openJobClaimStore(session).claim(name, window, { leaseMs: LEASE_MS }));
  const finish = (claimed: JobClaim | undefined, status: 'done' | 'failed' = 'done'): Promise<boolean> => {
    if (claimed === undefined) throw new Error('nothing was claimed');
    return harness.database.transact((session) => openJobClaimStore(session).finish(claimed, status, ''));
  };
  const runs = (): Promise<Row[]> =>
    harness.database.read((session) => rowsOf(session('job_runs').select('*').orderBy(['name', 'window_at'])));
  /** As if the lease of every run that is going on had ended a second ago. */
  const endLeases = (): Promise<unknown> =>
    harness.database.transact(async (session) =>
      session('job_runs').update('lease_until', (await databaseNow(session)) - 1_000),
    );

  test('runs each due window once, the oldest first', async () => {
    const ran: number[] = [];
    const noting = job(async (window) => void ran.push(window));
    await runDue(harness.database, noting);
    expect(ran).toEqual(WINDOWS);
    await runDue(harness.database, noting);
    expect(ran).toEqual(WINDOWS);
    expect(await runs()).toMatchObject(
      WINDOWS.map((window) => ({ name: 'reconcile', window_at: window, status: 'done', fencing: 1, error: '' })),
    );
    expect(await jobWatermarks(harness.database)).toEqual(new Map([['reconcile', SECOND]]));
  });

  test('reports its last end, its error, its open window and the age of what is due', async () => {
    const deps = depsOn(harness.database);
    const [reconcile, never] = [job(() => Promise.resolve()), job(() => Promise.resolve(), 'never')];
    const failed = await claim(FIRST);
    await harness.database.transact(
      async (session) => failed && openJobClaimStore(session).finish(failed, 'failed', 'bank closed'),
    );
    await claim(SECOND);
    await finish(await claim(FIRST, 'former'));
    expect(await jobStates(deps, [reconcile, never])).toEqual([
      {
        name: 'reconcile',
        cron: '30 6 * * *',
        ended: { window: FIRST, outcome: 'failed', error: 'bank closed', finishedAt: expect.any(Number) },
        running: SECOND,
        lagMs: clock.now() - SECOND,
      },
      { name: 'never', cron: '30 6 * * *', ended: undefined, running: undefined, lagMs: undefined },
      {
        name: 'former',
        cron: undefined,
        ended: { window: FIRST, outcome: 'done', error: undefined, finishedAt: expect.any(Number) },
        running: undefined,
        lagMs: undefined,
      },
    ]);
    await harness.database.transact((session) => session('job_runs').where('status', 'running').delete());
    await finish(await claim(SECOND));
    expect(await jobStates(deps, [reconcile])).toMatchObject([{ lagMs: 0 }, { name: 'former' }]);
  });

  test('reports its last successful window, or the first started window before any success', async () => {
    const lastGood = (): Promise<number | undefined> => lastGoodWindow(harness.database, 'reconcile');
    expect(await lastGood()).toBeUndefined();
    await finish(await claim(FIRST), 'failed');
    await finish(await claim(FIRST + 1), 'failed');
    await finish(await claim(FIRST + 2, 'other'));
    expect(await lastGood()).toBe(FIRST);
    await finish(await claim(FIRST + 3));
    await finish(await claim(FIRST + 4), 'failed');
    await claim(FIRST + 5);
    expect(await lastGood()).toBe(FIRST + 3);
  });

  test('runs each window once when several processes check concurrently', async () => {
    const ran: number[] = [];
    const noting = job(async (window) => void ran.push(window));
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([harness.database, ...others].map((database) => runDue(database, noting)));
    }
    expect(ran).toEqual(WINDOWS);
    expect(await runs()).toHaveLength(2);
  });

  test("F12: keeps a window for one process until its lease ends by the database's clock", async () => {
    const held = await claim(FIRST);
    expect(held).toEqual({ name: 'reconcile', window: FIRST, fencing: 1 });
    clock.set('2027-01-01T00:00:00Z'); // our own clock has no say in it
    expect(await claim(FIRST)).toBeUndefined();
    clock.set(NOW);
    await endLeases();
    expect(await claim(FIRST)).toEqual({ name: 'reconcile', window: FIRST, fencing: 2 });
    expect(await claim(FIRST)).toBeUndefined();
  });

  test('repeats the window of a process that died before it runs the next one', async () => {
    const ran: number[] = [];
    const noting = job(async (window) => void ran.push(window));
    await claim(FIRST);
    await runDue(harness.database, noting);
    expect(ran).toEqual([]);
    await endLeases();
    await runDue(harness.database, noting);
    expect(ran).toEqual(WINDOWS);
  });

  test('completes unfinished windows in a process that started later, even if no window ever ended', async () => {
    await claim(FIRST);
    await endLeases();
    const ran: number[] = [];
    const noting = job(async (window) => void ran.push(window));
    await runDueWindows(depsOn(harness.database), noting, SECOND + 1, stopping().signals);
    expect(ran).toEqual(WINDOWS);
  });

  test('accepts the end of a run only from its present holder', async () => {
    const stale = await claim(FIRST);
    await endLeases();
    const present = await claim(FIRST);
    expect(await finish(stale, 'failed')).toBe(false);
    expect(await runs()).toMatchObject([{ status: 'running', fencing: 2, finished_at: null }]);
    expect(await finish(present)).toBe(true);
    expect(await finish(present)).toBe(false);
    expect(await runs()).toMatchObject([{ status: 'done', fencing: 2 }]);
  });

  test('never repeats an ended window, however old it is', async () => {
    await finish(await claim(FIRST));
    await endLeases();
    expect(await claim(FIRST)).toBeUndefined();
  });

  test('lets one of many concurrent processes claim a new or abandoned window', async () => {
    const wanting = (): Promise<PromiseSettledResult<JobClaim | undefined>[]> =>
      Promise.allSettled(Array.from({ length: 10 }, () => claim(FIRST)));
    const winners = (all: readonly PromiseSettledResult<JobClaim | undefined>[]): JobClaim[] =>
      all.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
    const firsts = await wanting();
    expect(winners(firsts)).toEqual([{ name: 'reconcile', window: FIRST, fencing: 1 }]);
    for (const each of firsts) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'duplicate_key' });
    }
    await endLeases();
    expect(winners(await wanting())).toEqual([{ name: 'reconcile', window: FIRST, fencing: 2 }]);
  });

  test('logs a run that ended after another process took over its lease', async () => {
    const overtaken = job(async (window) => {
      await endLeases();
      await claim(window);
    });
    await runDue(harness.database, overtaken);
    expect(logger.events('jobs.lease_lost')).toContainEqual(expect.objectContaining({ level: 'warn' }));
    expect(await runs()).toMatchObject([{ window_at: FIRST, status: 'running', fencing: 2 }]);
  });

  test('records the error of a failed run and runs the next window', async () => {
    const ran: number[] = [];
    const failing = job(async (window) => {
      ran.push(window);
      if (window === FIRST) throw new Error(`no bank today ${'x'.repeat(2_000)}`);
    });
    await runDue(harness.database, failing);
    expect(ran).toEqual(WINDOWS);
    const [first, second] = await runs();
    expect(first).toMatchObject({ status: 'failed', error: expect.stringMatching(/^no bank today x+$/) });
    expect(String(first?.['error'])).toHaveLength(900);
    expect(second).toMatchObject({ status: 'done', error: '' });
    expect(logger.events('jobs.failed')).toContainEqual(expect.objectContaining({ level: 'error' }));
  });

  test('begins no further window once the process stops', async () => {
    const ran: number[] = [];
    const stop = stopping();
    const noting = job(async (window) => {
      ran.push(window);
      stop.stopped.abort();
    });
    await runDueWindows(depsOn(harness.database), noting, STARTED, stop.signals);
    expect(ran).toEqual([FIRST]);
    expect(await runs()).toMatchObject([{ window_at: FIRST, status: 'done' }]);
  });

  test('returns its window when it is asked to leave, and another process runs it immediately', async () => {
    const stop = stopping();
    const leaving = job(async (_window, signal) => {
      stop.leave.abort(new Error('the process stops'));
      signal.throwIfAborted();
    });
    await runDueWindows(depsOn(harness.database), leaving, STARTED, stop.signals);
    expect(await runs()).toMatchObject([{ window_at: FIRST, status: 'running', fencing: 2, error: '' }]);

    const ran: number[] = [];
    await Promise.all(
      others.map((database) =>
        runDue(
          database,
          job(async (window) => void ran.push(window)),
        ),
      ),
    );
    expect(ran).toEqual(WINDOWS);
    expect(await runs()).toMatchObject([
      { status: 'done', fencing: 3 },
      { status: 'done', fencing: 1 },
    ]);
  });

  test('loses its window when it ignores the request to leave, and its end no longer counts', async () => {
    const stop = stopping();
    let end: () => void = () => undefined;
    const deaf = job(async () => {
      stop.aborted.abort();
      await new Promise<void>((resolve) => (end = resolve));
    });
    await runDueWindows(depsOn(harness.database), deaf, STARTED, stop.signals);
    expect(logger.events('jobs.given_back')).toContainEqual(expect.objectContaining({ level: 'warn' }));

    const next = await claim(FIRST);
    expect(next).toEqual({ name: 'reconcile', window: FIRST, fencing: 3 });
    end();
    expect(await finish({ name: 'reconcile', window: FIRST, fencing: 1 })).toBe(false);
    expect(await runs()).toMatchObject([{ status: 'running', fencing: 3 }]);
    expect(await finish(next)).toBe(true);
  });

  test('counts as done when it ends after the request to leave, and does not run again', async () => {
    const stop = stopping();
    const busy = job(async () => {
      stop.stopped.abort();
      stop.leave.abort(new Error('the process stops'));
    });
    await runDueWindows(depsOn(harness.database), busy, STARTED, stop.signals);
    expect(await runs()).toMatchObject([{ window_at: FIRST, status: 'done' }]);
  });

  test('refuses the return of a window by a process that lost its lease', async () => {
    const stale = await claim(FIRST);
    await endLeases();
    const present = await claim(FIRST);
    if (stale === undefined) throw new Error('nothing was claimed');
    expect(await harness.database.transact((session) => openJobClaimStore(session).giveBack(stale))).toBe(false);
    expect(await claim(FIRST)).toBeUndefined();
    expect(await finish(present)).toBe(true);
    if (present === undefined) throw new Error('nothing was claimed');
    expect(await harness.database.transact((session) => openJobClaimStore(session).giveBack(present))).toBe(false);
  });

  test("starts when the scheduler's clock jumps, and the scheduler waits for it when it stops", async () => {
    const local = fixedClock('2026-03-02T06:00:00+01:00');
    let announce: (window: number) => void = () => {};
    const begun = new Promise<number>((resolve) => (announce = resolve));
    let ended = false;
    const slow = job(async (window) => {
      announce(window);
      await harness.database.read((session) => session.raw('select 1 as one'));
      ended = true;
    });
    const scheduler = startScheduler({ ...depsOn(harness.database), clock: local, clockJumps: true }, [slow]);
    try {
      local.set('2026-03-02T07:00:00+01:00');
      expect(await begun).toBe(FIRST);
    } finally {
      await scheduler.stop();
    }
    expect(ended).toBe(true);
    expect(await jobWatermarks(harness.database)).toEqual(new Map([['reconcile', FIRST]]));
  });
});
