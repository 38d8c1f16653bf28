import { expect, test } from '@jest/globals';
import type { CollectingDeps } from '../../../src/attempts';
import { businessDate } from '../../../src/kernel';
import type { FeeSchedule, FeeScheduleKey, ListedRun, ListedSeal, RunKey, SealKey } from '../../../src/reconciliation';
import { createDayClosing } from '../../../src/reconciliation';
import {
  type ChargeKey,
  type ChargeMirror,
  createSubscriptions,
  type SubscriptionKey,
  type SubscriptionMirror,
} from '../../../src/subscriptions';
import { describeOnEachDatabase } from '../../support/db';
import { openRooms } from '../ledger/rooms';
import { expectFewRowsRead, insertMany, walk } from './paging';

const id = (index: number): string => `01LISTED${String(index).padStart(18, '0')}`;
const numberOf = (text: string): number => Number(text.slice(8));
const rising = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const falling = (count: number): number[] => rising(count).reverse();
const COUNT = 3_000;

const subscriptions = rising(COUNT).map((index) => ({
  ...{ tracking_id: id(index), reference: `R-${index % 100}`, amount_millimes: 1_000, terms: '{}', is_test: 0 },
  ...{ request_state: index < 3 ? 'refused' : 'made', requested_at: index, status: index < 5 ? 'active' : null },
  ...{ cycles_completed: 0, cancel_at_period_end: 0, looks: 0, failed_looks: 0, recorded_by: 'test' },
}));
/** Two charges share each creation time; the first three have none. */
const charges = rising(COUNT).map((index) => ({
  ...{ payment_id: id(index), tracking_id: id(0), status: 'SUCCESS', method: 'CARD', billing_reason: 'cycle' },
  ...{ amount_millimes: 1_000, first_seen_at: 1, last_look_at: 1 },
  created_at: index < 3 ? null : 1_000 + Math.floor(index / 2),
}));

describeOnEachDatabase('the lists of subscriptions and charges', (harness) => {
  test('have pages, newest first', async () => {
    const room = createSubscriptions({ database: harness.database } as CollectingDeps);
    await harness.database.transact(async (session) => {
      await insertMany(session, 'subscriptions', subscriptions);
      await insertMany(session, 'subscription_charges', charges);
    });
    const all = async (filter: object): Promise<number[]> =>
      (
        await walk<SubscriptionMirror, SubscriptionKey>(200, (after, limit) => room.list({ ...filter, after, limit }))
      ).map(({ trackingId }) => numberOf(trackingId));
    expect(await all({})).toEqual(falling(COUNT));
    expect(await all({ status: 'active', requestState: 'made' })).toEqual([4, 3]);
    expect(await all({ reference: 'R-7', requestState: 'made' })).toHaveLength(COUNT / 100);
    await expectFewRowsRead(harness, () => room.list({ reference: 'R-7', limit: 3 }), 60);
    expect((await expectFewRowsRead(harness, () => room.list({ status: 'active', limit: 3 }))).rows).toEqual([]);

    const ofOne = await walk<ChargeMirror, ChargeKey>(7, (after, limit) => room.charges(id(0), { after, limit }));
    expect(ofOne.map(({ paymentId }) => numberOf(paymentId))).toEqual(falling(COUNT));
    const after = [2_000, id(2_001)] as const;
    const page = await expectFewRowsRead(harness, () => room.charges(id(0), { after, limit: 2 }), 60);
    expect(page.rows.map(({ paymentId }) => numberOf(paymentId))).toEqual([2_000, 1_999]);
  });
});

describeOnEachDatabase('the lists of runs, fee schedules and day seals', (harness) => {
  test('have pages, newest first', async () => {
    const rooms = openRooms(harness.database, '2026-05-04T09:00:00+01:00');
    const by = { recorded_at: 1, recorded_by: 'test' };
    await harness.database.transact(async (session) => {
      const run = { through: '2026-03-02', digest: 'd'.repeat(64), verdict: 'ok', summary: '{"items":1,"answers":[]}' };
      await insertMany(
        session,
        'recon_runs',
        rising(500).map((index) => ({ id: id(index), ...run, ...by })),
      );
      const schedule = { run_id: '', rules: '[]', credits: '[]', ...by };
      await insertMany(
        session,
        'payout_fee_schedules',
        rising(50).map((index) => ({ id: id(index), ...schedule })),
      );
      const seal = { kind: 'closed', digest: 'd'.repeat(64), content: '{}', ...by };
      const days = rising(28).map((index) => `2026-02-${String(index + 1).padStart(2, '0')}`);
      await insertMany(
        session,
        'day_seals',
        days.map((business_date, index) => ({ number: index + 1, business_date, close_id: id(index), ...seal })),
      );
    });
    const { reconciliation } = rooms;
    const runs = await walk<ListedRun, RunKey>(90, (after, limit) => reconciliation.runs({ after, limit }));
    expect(runs.map((run) => numberOf(run.id))).toEqual(falling(500));
    await expectFewRowsRead(harness, () => reconciliation.runs({ after: [id(250)], limit: 3 }), 60);
    expect(await reconciliation.findRun(id(7))).toMatchObject({ id: id(7), summary: { items: 1 } });
    await expect(reconciliation.findRun('none')).rejects.toMatchObject({ code: 'not_found' });
    const schedules = await walk<FeeSchedule, FeeScheduleKey>(9, (after, limit) =>
      reconciliation.feeSchedules({ after, limit }),
    );
    expect(schedules.map((schedule) => numberOf(schedule.id))).toEqual(falling(50));

    const closing = createDayClosing({ database: harness.database } as Parameters<typeof createDayClosing>[0]);
    const days = { from: businessDate('2026-02-10'), to: businessDate('2026-02-20') };
    const seals = await walk<ListedSeal, SealKey>(4, (after, limit) => closing.list({ ...days, after, limit }));
    expect(seals.map(({ number }) => number)).toEqual([20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10]);
    expect(seals.every(({ stands }) => stands)).toBe(true);
  });
});
