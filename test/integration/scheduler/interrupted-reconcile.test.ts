// Goal: an interrupted reconcile loses nothing and posts nothing twice; the next one completes it.
// Method: the real job on both databases, stopped after a number of its transactions; then another scheduler.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Database, type Row, rowsOf } from '../../../src/db';
import { jobActor } from '../../../src/identity';
import { AppError, businessDate } from '../../../src/kernel';
import { createReconciliation } from '../../../src/reconciliation';
import type { Job } from '../../../src/scheduler';
import { runDueWindows, type SchedulerDeps } from '../../../src/scheduler/testing';
import { describeOnEachDatabase } from '../../support/db';
import { recordingLogger } from '../../support/fakes';
import { sweepBySums } from '../../support/sweep-by-sums';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

const START = '2026-03-02T08:00:00+01:00';
const THROUGH = businessDate('2026-03-06');
/** One confirm and one payout on each day from Monday to Thursday. */
const DAYS = ['02', '03', '04', '05'];

/** What was learned of the fees is stored before the first payout. */
const SCHEDULE = 1;

describeOnEachDatabase('A scheduled reconciliation', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, START);
    await rooms.importAgents('A1');
    for (const [index, day] of DAYS.entries()) {
      const call = { transactionId: `T${day}`, agentId: 'A1', amount: 10_000 + index };
      await rooms.confirm(call, `2026-03-${day}T09:00:00+01:00`);
    }
    await rooms.importStatement(DAYS.map((day, index) => [`0${Number(day) + 1}/03/2026`, PAYOUT_TEXT, 10_000 + index]));
    rooms.clock.set('2026-03-07T09:00:00+01:00');
  });

  afterEach(async () => expect(await rooms.reporting.verifyBooks()).toEqual([]));

  const rowsIn = (table: string): Promise<readonly Row[]> =>
    harness.database.read((session) => rowsOf(session(table).select('*')));

  /** The job, and the stop that asks it to leave once `transactions` of it are stored. */
  function process(transactions: number): { run(): Promise<boolean>; logger: ReturnType<typeof recordingLogger> } {
    const [stopped, leave, aborted] = [new AbortController(), new AbortController(), new AbortController()];
    let stored = 0;
    const counting: Database = {
      ...harness.database,
      transact: async (work, options) => {
        const result = await harness.database.transact(work, options);
        stored += 1;
        if (stored === transactions) {
          stopped.abort();
          leave.abort(new AppError('interrupted', 'the process stops'));
        }
        return result;
      },
    };
    const logger = recordingLogger();
    const { clock, calendar, workingDays } = rooms;
    const reconciliation = createReconciliation({
      ...{ database: counting, clock, calendar, workingDays, logger },
      infer: sweepBySums(),
      itemsPerTransaction: 1,
    });
    const job: Job = {
      name: 'reconcile',
      cron: '30 6 * * *',
      leaseMs: 60_000,
      async run(_window, signal) {
        await reconciliation.run({ through: THROUGH, actor: jobActor('reconcile'), dryRun: false, signal });
      },
    };
    const deps: SchedulerDeps = { database: harness.database, clock, calendar, logger, clockJumps: true };
    const startedAt = Date.parse('2026-03-07T06:00:00+01:00');
    const stopping = { stopped: stopped.signal, leave: leave.signal, aborted: aborted.signal };
    return { run: () => runDueWindows(deps, job, startedAt, stopping), logger };
  }

  test.each([1, 2, 3, 4])(
    'is completed by the next process when it was interrupted after %d payouts, each payout once',
    async (payouts) => {
      const first = process(SCHEDULE + payouts);
      await first.run();
      const { length: kept } = await rowsIn('payout_matches');
      expect(kept).toBeGreaterThanOrEqual(payouts);
      // What the other writer of a server was at is stored as well, and no more.
      expect(kept).toBeLessThanOrEqual(harness.database.dialect === 'mariadb' ? payouts + 1 : payouts);
      expect(await rowsIn('recon_runs')).toEqual([]);
      expect(await rowsIn('job_runs')).toMatchObject([{ status: 'running', lease_until: 0 }]);
      expect(first.logger.events('jobs.given_back')).toHaveLength(1);
      expect(first.logger.events('jobs.failed')).toEqual([]);

      await process(Infinity).run();
      expect(await rowsIn('payout_matches')).toHaveLength(DAYS.length);
      expect(await rowsIn('recon_runs')).toMatchObject([{ verdict: 'reconciled', recorded_by: 'job:reconcile' }]);
      expect(await rowsIn('job_runs')).toMatchObject([{ status: 'done', error: '' }]);
      expect(await rooms.breaks.list({ includeResolved: true })).toEqual([]);
    },
  );

  test('counts its results when it ends despite the request to leave', async () => {
    const late = process(SCHEDULE + DAYS.length + 1);
    await late.run();
    expect(await rowsIn('recon_runs')).toMatchObject([{ verdict: 'reconciled' }]);
    expect(await rowsIn('job_runs')).toMatchObject([{ status: 'done' }]);
    expect(late.logger.events('jobs.given_back')).toEqual([]);
  });
});
