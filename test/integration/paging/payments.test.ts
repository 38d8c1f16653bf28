// Goal: pages of the payments of all channels and of the unpaid items have every row once, and read few rows however
// many payments, payouts and open breaks there are.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import type { WaitingKey } from '../../../src/reconciliation';
import type { PaymentKey, PaymentQuery, PlacedPayment } from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { openRooms, type Rooms } from '../ledger/rooms';
import { expectFewRowsRead, insertMany, walk } from './paging';

const COUNT = 3_000;
const id = (index: number): string => `01LISTED${String(index).padStart(18, '0')}`;
const numbers = Array.from({ length: COUNT }, (_, index) => index);
/** Three rows of each source share each instant. */
const timeOf = (index: number): number => 1_000_000 + Math.floor(index / 3);
const agentOf = (index: number): string => (index % 1_000 === 0 ? 'A1' : 'A2');
const collected = { terms: '{}', is_test: 0, looks: 0, failed_looks: 0, recorded_by: 'test', amount_millimes: 1_000 };

const attempts = numbers.map((index) => ({
  ...collected,
  ...{ tracking_id: id(index), kind: index === 7 ? 'qr' : 'standard', our_share_millimes: 1_000, method: 'card' },
  ...{ agent_id: agentOf(index), reference: `R-${index}`, requested_at: timeOf(index), item_id: `payment:p-${index}` },
  ...{ request_state: index === 5 ? 'unknown' : 'made', status: index === 9 ? 'FAILED' : 'SUCCESS' },
}));
const items = numbers.map((index) => ({
  ...{ item_id: `payment:p-${index}`, channel: 'card', amount_millimes: 1_000, occurred_at: timeOf(index) },
  ...{ recorded_at: 1, ledger_transaction_id: id(index) },
}));
const confirms = numbers.map((index) => ({
  ...{ transaction_id: `TX-${index}`, agent_id: agentOf(index), amount_millimes: index === 11 ? 77 : 1_000 },
  ...{ fingerprint: 'f', attempt_id: id(index), balance_before_millimes: 0, followed_unavailable: 0, token_sub: 'g' },
  ...{ token_jti: 'j', received_at: timeOf(index), recorded_at: 1, ledger_transaction_id: id(index) },
}));
const subscriptions = [0, 1].map((index) => ({
  ...collected,
  ...{ tracking_id: id(index), agent_id: agentOf(index), request_state: 'made', requested_at: 1 },
  ...{ cycles_completed: 0, cancel_at_period_end: 0 },
}));
const charges = numbers.map((index) => ({
  ...{ payment_id: `c-${index}`, tracking_id: id(index === 13 ? 0 : 1), status: 'SUCCESS', method: 'CARD' },
  ...{ billing_reason: 'cycle', amount_millimes: 1_000, last_look_at: 1 },
  // The first of these times that is known orders the charges.
  ...{ paid_at: index % 3 === 0 ? timeOf(index) : null, created_at: index % 3 === 1 ? timeOf(index) : null },
  first_seen_at: timeOf(index),
}));
const purchases = numbers.map((index) => ({
  ...{ transaction_unique_id: `q-${index}`, tracking_id: id(7), amount_millimes: 1_000, channel: 'wallet' },
  ...{ paid_at: timeOf(index), first_seen_at: 1 },
}));
/** Open breaks about other payments, and one about the newest. */
const breaks = numbers.map((index) => ({
  ...{ id: id(index), fingerprint: `f-${index}`, class: 'missing_in_bank', status: 'open', since: '2026-03-02' },
  ...{ amount_millimes: 1_000, direction: 'books_have_more', opened_at: 1, updated_at: 1 },
  subject: JSON.stringify({ itemIds: [`payment:x-${index}`], lineIds: [], facts: {} }),
}));
const breakItems = numbers.map((index) => ({
  item_id: index === 0 ? `payment:p-${COUNT - 1}` : `payment:x-${index}`,
  break_id: id(index),
}));
const payouts = numbers.map((index) => ({
  ...{ id: id(index), line_id: id(index), run_id: id(0), kind: 'inferred', model: 'sweep-all', stream: 'all' },
  ...{ evidence: 'inferred_by_cut', gross_millimes: 1, fee_millimes: 0, tva_millimes: 0, remainder_millimes: 0 },
  ...{ rest_channel: 'agent', claimed_error: '0', cut_after: index, cut_until: index + 1 },
  ...{ ledger_transaction_id: id(index), recorded_at: index, recorded_by: 'run' },
}));

const rowsOfSources = { payments: attempts, agent_confirmations: confirms, qr_transactions: purchases } as const;

describeOnEachDatabase('the pages of payments', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    await harness.database.transact(async (session) => {
      for (const [table, rows] of Object.entries(rowsOfSources)) await insertMany(session, table, rows);
      await insertMany(session, 'gateway_items', items);
      await insertMany(session, 'subscriptions', subscriptions);
      await insertMany(session, 'subscription_charges', charges);
      await insertMany(session, 'recon_breaks', breaks);
      await insertMany(session, 'recon_break_items', breakItems);
      await insertMany(session, 'payout_matches', payouts);
    });
  });

  const page = (query: PaymentQuery) =>
    rooms.reporting.payments(query, (itemIds) => rooms.reconciliation.dueItems(itemIds));
  const all = (query: Omit<PaymentQuery, 'limit' | 'after'>): Promise<PlacedPayment[]> =>
    walk<PlacedPayment, PaymentKey>(200, (after, limit) => page({ ...query, after, limit }));
  const idsOf = (rows: readonly PlacedPayment[]): string[] => rows.map((row) => row.id);

  test('have each payment of each channel once, newest first', async () => {
    const found = await all({});
    expect(new Set(found.map((row) => `${row.source} ${row.id}`)).size).toBe(4 * COUNT);
    expect(found).toHaveLength(4 * COUNT);
    const times = found.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(found[0]).toMatchObject({ id: id(COUNT - 1), state: 'break', money: { breaks: [{ id: id(0) }] } });
  });

  test('find the few payments of an agent, a reference, a state, a status, a channel and an amount', async () => {
    const ofAgent = await all({ agentId: 'A1' });
    expect(idsOf(ofAgent)).toEqual([id(2_000), 'TX-2000', id(1_000), 'TX-1000', 'c-13', id(0), 'TX-0']);
    expect(idsOf(await all({ reference: 'R-6' }))).toEqual([id(6)]);
    expect(await all({ reference: 'R-7' })).toHaveLength(1 + COUNT);
    expect(idsOf(await all({ requestState: 'unknown' }))).toEqual([id(5)]);
    expect(idsOf(await all({ status: 'FAILED' }))).toEqual([id(9)]);
    expect(idsOf(await all({ amount: millimes(77) }))).toEqual(['TX-11']);
    expect(idsOf(await all({ state: 'break' }))).toEqual([id(COUNT - 1)]);
    expect(await all({ channel: 'qr' })).toHaveLength(1 + COUNT);
  });

  test.each<[string, Omit<PaymentQuery, 'limit'>, number]>([
    ['the newest', {}, 2_500],
    ['one agent', { agentId: 'A1' }, 2_500],
    ['one reference', { reference: 'R-6' }, 1_500],
    ['a rare state', { requestState: 'unknown' }, 1_500],
    ['a rare status', { status: 'FAILED' }, 10_000],
    ['a rare amount', { amount: millimes(77) }, 12_000],
    ['a rare state of the money', { state: 'returned' }, 32_000],
    ['an old place', { after: [timeOf(9), 'charge', 'c-9'] }, 2_500],
    ['an old place of an agent', { agentId: 'A1', after: [timeOf(9), 'charge', 'c-9'] }, 2_500],
  ])('read few rows of %s', async (_what, query, most) => {
    await expectFewRowsRead(harness, () => page({ ...query, limit: 20 }), most);
  });

  test('read few rows of one payment', async () => {
    const found = await expectFewRowsRead(harness, () => rooms.reporting.payment(id(COUNT - 1)), 200);
    expect(found.money?.breaks).toEqual([{ id: id(0), breakClass: 'missing_in_bank' }]);
    await expectFewRowsRead(harness, () => rooms.reconciliation.dueItems([`payment:p-${COUNT - 1}`]), 2_500);
  });
});

const waiting = numbers.map((index) => ({
  ...{ item_id: `payment:p-${String(index).padStart(5, '0')}`, channel: index % 2 === 0 ? 'card' : 'wallet' },
  ...{ agent_id: index % 1_000 === 1 ? 'A1' : null, amount_millimes: 100, succeeded_at: timeOf(index) },
  ...{ available_at: timeOf(index), usually_on: '2026-03-04', due_on: index < 10 ? '2026-03-05' : '2026-03-09' },
  is_late: index < 10 ? 1 : 0,
}));

describeOnEachDatabase('the pages of unpaid items', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-06T08:00:00+01:00');
    await harness.database.transact(async (session) => {
      await insertMany(session, 'recon_waiting_items', waiting);
      // A person matched the third item since the run.
      await session('payout_claimed_items').insert({ item_id: waiting[2]?.item_id, match_id: id(0) });
      const run = { position: 1, run_id: id(1), through: '2026-03-05', known_at: 5 };
      await session('recon_waiting_runs').insert(run);
    });
  });

  type Query = Omit<Parameters<Rooms['reconciliation']['waiting']>[0], 'limit' | 'after'>;
  type Item = Awaited<ReturnType<Rooms['reconciliation']['waiting']>>['rows'][number];
  const all = (query: Query = {}): Promise<Item[]> =>
    walk<Item, WaitingKey>(300, (after, limit) => rooms.reconciliation.waiting({ ...query, after, limit }));

  test('have each item that is still unpaid once, with sums that go on over pages', async () => {
    const found = await all();
    expect(found.map(({ itemId }) => itemId)).toEqual(
      waiting.flatMap(({ item_id }, index) => (index === 2 ? [] : [item_id])),
    );
    expect(found.map(({ sum }) => Number(sum))).toEqual(found.map((_, index) => 100 * (index + 1)));
    expect((await rooms.reconciliation.waiting({ limit: 1 })).asOf).toEqual({
      ...{ runId: id(1), through: '2026-03-05', knownAt: 5 },
    });
  });

  test('have the items of channels, an agent, a state and a due day', async () => {
    expect(await all({ channels: ['card', 'wallet'] })).toHaveLength(COUNT - 1);
    expect((await all({ channels: ['wallet'] })).at(-1)).toMatchObject({ channel: 'wallet', sum: 150_000n });
    expect(await all({ agentId: 'A1' })).toHaveLength(3);
    expect(await all({ agentId: 'A1', channels: ['card'] })).toHaveLength(0);
    expect(await all({ state: 'late' })).toHaveLength(9);
    expect((await all({ dueBy: '2026-03-08' as Query['dueBy'] })).at(-1)?.sum).toBe(900n);
  });

  describe.each<[string, Query, number]>([
    ['all items', {}, 200],
    ['channels', { channels: ['card', 'wallet'] }, 300],
    ['an agent', { agentId: 'A1' }, 200],
    ['a rare state', { state: 'late' }, 8_000],
  ])('of %s', (_what, query, most) => {
    test('read few rows, also in the middle of the list', async () => {
      const place = waiting[1_500];
      const after = [place?.available_at ?? 0, place?.item_id ?? '', '0', '0'] as const;
      await expectFewRowsRead(harness, () => rooms.reconciliation.waiting({ ...query, limit: 20 }), most);
      await expectFewRowsRead(harness, () => rooms.reconciliation.waiting({ ...query, after, limit: 20 }), most);
    });
  });
});
