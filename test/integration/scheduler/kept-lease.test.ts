// Goal: a run keeps its window while its process lives, and writes nothing once another process has begun it.
// Method: leases of seconds on both databases; the test writes their loss into the table, and every wait is for a row
// or a signal.
import { expect, test } from '@jest/globals';
import { type Database, databaseNow, type Row, rowsOf } from '../../../src/db';
import { AppError, businessCalendar } from '../../../src/kernel';
import { type Job, startScheduler, type Worker } from '../../../src/scheduler';
import { keepLease, openJobClaimStore, runDueWindows, type SchedulerDeps } from '../../../src/scheduler/testing';
import { until } from '../../e2e/support/until';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock, recordingLogger } from '../../support/fakes';

const STARTED = Date.parse('2026-03-02T08:00:00+01:00');
const WINDOW = STARTED + 60_000;
/** Its renewals come every 100 ms. Nothing ends by itself here: who takes a window over is told to. */
const LEASE_MS = 300;
const LONG_LEASE_MS = 600_000;
const LIMIT_MS = 60_000;

describeOnEachDatabase('A long run of a job', (harness) => {
  const never = new AbortController().signal;
  const stopping = { stopped: never, leave: never, aborted: never };
  const depsOf = (database = harness.database): SchedulerDeps & { logger: ReturnType<typeof recordingLogger> } => ({
    database,
    clock: fixedClock(WINDOW),
    calendar: businessCalendar('Africa/Tunis'),
    logger: recordingLogger(),
    clockJumps: true,
  });
  const job = (run: Job['run'], leaseMs = LEASE_MS, name = 'poll'): Job => ({ name, cron: '* * * * *', leaseMs, run });
  const runs = (): Promise<Row[]> => harness.database.read((session) => rowsOf(session('job_runs').select('*')));
  const leaseUntil = async (): Promise<number> => Number((await runs())[0]?.['lease_until']);
  /** As if another process had taken the window over, and had it for long. */
  const takeOver = (): Promise<unknown> =>
    harness.database.transact(async (session) => {
      const now = await databaseNow(session);
      await session('job_runs').update({ fencing: 9, lease_until: now + LONG_LEASE_MS });
    });
  const aborted = (signal: AbortSignal): Promise<unknown> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

  test(
    'renews its lease until it ends',
    async () => {
      const seen: number[] = [];
      const slow = job(async () => {
        for (let renewal = 0; renewal < 3; renewal += 1) {
          const before = await leaseUntil();
          seen.push(await until('a renewal', async () => (await leaseUntil()) > before && leaseUntil(), LIMIT_MS));
        }
      });
      await runDueWindows(depsOf(), slow, STARTED, stopping);
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      expect(new Set(seen).size).toBe(3);
      expect(await runs()).toMatchObject([{ status: 'done', fencing: 1 }]);
    },
    LIMIT_MS,
  );

  test(
    'is told immediately when another process has its window, and its end does not count',
    async () => {
      const deps = depsOf();
      let reason: unknown;
      const overtaken = job(async (_window, signal) => {
        const told = aborted(signal);
        await takeOver();
        reason = await told;
        throw reason;
      });
      await runDueWindows(deps, overtaken, STARTED, stopping);
      expect(reason).toMatchObject({ code: 'interrupted' });
      expect(deps.logger.events('jobs.lease_lost')).toHaveLength(1);
      expect(deps.logger.events('jobs.failed')).toEqual([]);
      expect(await runs()).toMatchObject([{ status: 'running', fencing: 9 }]);
    },
    LIMIT_MS,
  );

  test('cannot write under its lease once another process has begun the window', async () => {
    const written: string[] = [];
    const deaf = job(async (_window, _signal, lease) => {
      const write = (text: string): Promise<void> =>
        harness.database.transact(async (session) => {
          await lease.requireHeld(session);
          written.push(text);
        });
      await write('before');
      await takeOver();
      await expect(write('after')).rejects.toMatchObject({ code: 'interrupted' });
    }, LONG_LEASE_MS);
    await runDueWindows(depsOf(), deaf, STARTED, stopping);
    expect(written).toEqual(['before']);
    expect(await runs()).toMatchObject([{ status: 'running', fencing: 9 }]);
  });

  test(
    'treats its window as lost when the database is unavailable for a whole lease',
    async () => {
      const claim = await harness.database.transact((session) =>
        openJobClaimStore(session).claim('poll', WINDOW, { leaseMs: LEASE_MS }),
      );
      if (claim === undefined) throw new Error('nothing was claimed');
      let asked = 0;
      const away: Database = {
        ...harness.database,
        transact: async () => {
          asked += 1;
          throw new AppError('unavailable', 'no database');
        },
      };
      const kept = keepLease(away, claim, LEASE_MS);
      expect(await aborted(kept.lost)).toMatchObject({
        code: 'interrupted',
        message: expect.stringMatching(/could not be renewed/),
      });
      expect(asked).toBeGreaterThan(1);
    },
    LIMIT_MS,
  );

  test(
    'delays neither other jobs nor workers of its process',
    async () => {
      const clock = fixedClock(STARTED);
      let end: () => void = () => undefined;
      const slow = job(() => new Promise((resolve) => (end = resolve)), LONG_LEASE_MS, 'slow');
      const ran: number[] = [];
      const quick = job(async (window) => void ran.push(window), LONG_LEASE_MS, 'quick');
      const work = [2, 1, 0];
      const worker: Worker = { name: 'worker', run: async () => work.shift() ?? 0 };
      const scheduler = startScheduler({ ...depsOf(), clock, clockJumps: true }, [slow, quick], [worker]);
      try {
        for (let count = 1; count <= 3; count += 1) {
          clock.set(STARTED + count * 60_000);
          await until(`window ${count}`, () => ran.length === count, LIMIT_MS);
        }
        await until('the worker', () => work.length === 0, LIMIT_MS);
        const slowRuns = (await runs()).filter((row) => row['name'] === 'slow');
        expect(slowRuns).toMatchObject([{ window_at: WINDOW, status: 'running' }]);
      } finally {
        end();
        await scheduler.stop();
      }
    },
    LIMIT_MS,
  );

  test(
    'leaves a failing worker running, and the failure is logged once',
    async () => {
      const deps = depsOf();
      let calls = 0;
      const worker: Worker = {
        name: 'worker',
        run: async () => {
          calls += 1;
          if (calls < 4) throw new Error('a bug');
          return 0;
        },
      };
      const scheduler = startScheduler(deps, [], [worker]);
      try {
        await until('five calls', () => calls >= 5, LIMIT_MS);
      } finally {
        await scheduler.stop();
      }
      expect(deps.logger.events('workers.failed')).toMatchObject([{ level: 'error', fields: { worker: 'worker' } }]);
    },
    LIMIT_MS,
  );
});
