// Goal: what a run stores of unpaid items is what a computation of all of them finds, also after an interruption, a
// person's match and concurrent runs.
import { beforeEach, expect, test } from '@jest/globals';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

const THROUGH = '2026-03-05';

describeOnEachDatabase('the unpaid items of a run', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    await rooms.importAgents('A1', 'A2');
    for (const [index, day] of ['02', '02', '03', '04', '05'].entries()) {
      const call = { transactionId: `T${index}`, agentId: index % 2 === 0 ? 'A1' : 'A2', amount: 1_000 + index };
      await rooms.confirm(call, `2026-03-${day}T1${index}:00:00+01:00`);
    }
    rooms.clock.set('2026-03-06T09:00:00+01:00');
    await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 2_001]]);
  });

  const facts = (items: readonly { readonly itemId: string }[]) =>
    (items as Awaited<ReturnType<Rooms['reconciliation']['waiting']>>['rows']).map((item) => ({
      ...{ id: item.itemId, agentId: item.agentId, at: item.availableAt, usuallyOn: item.usuallyOn, dueOn: item.dueOn },
      ...{ isLate: item.isLate, sum: item.sum, net: item.net },
    }));
  const stored = async () => facts((await rooms.reconciliation.waiting({ limit: 100 })).rows);
  const computed = async () => facts((await rooms.reconciliation.unpaidList({ selection: {}, limit: 100 })).rows);

  test('are those that a computation of all items finds', async () => {
    expect((await rooms.reconciliation.waiting({ limit: 100 })).asOf).toBeUndefined();
    await rooms.reconcile(THROUGH);
    const items = await stored();
    expect(items).toEqual(await computed());
    expect(items.map(({ id, agentId }) => [id, agentId])).toEqual([
      ['service:T2', 'A1'],
      ['service:T3', 'A2'],
      ['service:T4', 'A1'],
    ]);
    const { asOf } = await rooms.reconciliation.waiting({ limit: 100 });
    expect(asOf).toMatchObject({ through: THROUGH });
    const due = await rooms.reconciliation.dueItems(['service:T0', 'service:T2', 'service:T9']);
    expect(due).toMatchObject([{ itemId: 'service:T2', dueOn: items[0]?.dueOn, usuallyOn: items[0]?.usuallyOn }]);
  });

  test('lack those that a person matches, until that is taken back and a run has ended', async () => {
    await rooms.reconcile(THROUGH);
    await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 1_002]]);
    const [line] = (await rooms.reporting.credits({ limit: 1 })).rows;
    const lineId = line?.lineId ?? '';
    const why = { reason: 'counted', actor: TESTER, dryRun: false };
    await rooms.reconciliation.match({ lineId, items: ['service:T2'], ...why });
    expect((await stored()).map(({ id }) => id)).toEqual(['service:T3', 'service:T4']);
    await rooms.reconciliation.unmatch({ lineId, ...why });
    await rooms.reconcile(THROUGH);
    expect(await stored()).toEqual(await computed());
  });

  test('are completed by the next run after an interruption', async () => {
    await rooms.reconcile('2026-03-04');
    const { database } = harness;
    const { transact } = database;
    let isLeft = false;
    // The run is recorded, then its process ends.
    Object.assign(database, {
      transact: async (...given: Parameters<typeof transact>) => {
        if (isLeft) throw new Error('the process ended');
        const before = (await rooms.reconciliation.runs({ limit: 10 })).rows.length;
        const result = await transact(...given);
        isLeft = (await rooms.reconciliation.runs({ limit: 10 })).rows.length > before;
        return result;
      },
    });
    try {
      await expect(rooms.reconcile(THROUGH)).rejects.toThrow('the process ended');
    } finally {
      Object.assign(database, { transact });
    }
    expect((await rooms.reconciliation.waiting({ limit: 100 })).asOf).toMatchObject({ through: '2026-03-04' });
    await rooms.reconcile(THROUGH);
    expect((await rooms.reconciliation.waiting({ limit: 100 })).asOf).toMatchObject({ through: THROUGH });
    expect(await stored()).toEqual(await computed());
  });

  test('are those of the last of several runs at once', async () => {
    await Promise.all([rooms.reconcile(THROUGH), rooms.reconcile('2026-03-04'), rooms.reconcile(THROUGH)]);
    await rooms.reconcile(THROUGH);
    expect(await stored()).toEqual(await computed());
  });
});
