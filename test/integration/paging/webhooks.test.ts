import { beforeEach, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/logging';
import { createWebhooks, type InboxEntry, type InboxFilter, type InboxKey, type Webhooks } from '../../../src/webhooks';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { knownPayments } from '../webhooks/known-payments';
import { expectFewRowsRead, insertMany, walk } from './paging';

const START = Date.parse('2026-05-04T08:00:00Z');
const ENTRIES = 5_000;
const id = (index: number): string => `01INBOX${String(index).padStart(19, '0')}`;
const stateOf = (index: number): string => (index % 1_000 === 0 ? 'parked' : index % 1_000 === 1 ? 'received' : 'done');

/** Two entries share each instant; few are parked or received, and only the first ten are of subscriptions. */
const entries = Array.from({ length: ENTRIES }, (_, index) => ({
  id: id(index),
  dedupe_digest: String(index).padStart(64, '0'),
  family: index < 10 ? 'subscription' : 'payment_v2',
  proof: 'authentic',
  event: 'PAYMENT_SUCCESS',
  payment_id: index % 1_000 === 2 ? 'pay_1' : `pay_${index}`,
  content: Buffer.from('{}'),
  content_digest: 'c'.repeat(64),
  received_at: START + Math.floor(index / 2),
  last_received_at: START + index,
  times: 1,
  state: stateOf(index),
  available_at: START,
  lease_until: 0,
  fencing: 0,
  tries: 0,
}));

describeOnEachDatabase('the list of webhooks', (harness) => {
  let webhooks: Webhooks;
  beforeEach(async () => {
    const { database } = harness;
    const clock = fixedClock(START);
    const { payments, subscriptions } = knownPayments(database, clock);
    const facts = { logger: silentLogger, keys: undefined, hintToken: undefined, timeZone: 'Africa/Tunis' };
    webhooks = createWebhooks({ ...facts, database, clock, payments, subscriptions });
    await database.transact((session) => insertMany(session, 'webhook_inbox', entries));
  });

  const page = (query: Partial<InboxFilter> = {}) =>
    expectFewRowsRead(harness, () => webhooks.list({ limit: 3, ...query }));
  const indexes = (found: readonly InboxEntry[]): number[] => found.map(({ id: each }) => Number(each.slice(7)));
  const all = async (query: Partial<InboxFilter>): Promise<number[]> =>
    indexes(await walk<InboxEntry, InboxKey>(200, (after, limit) => webhooks.list({ ...query, after, limit })));

  test('returns each entry once, newest first, although two have one time', async () => {
    expect(await all({})).toEqual(entries.map((_, index) => ENTRIES - 1 - index));
    expect(indexes((await page()).rows)).toEqual([4_999, 4_998, 4_997]);
  });

  test('merges several states by time, and reads those of one state or payment only', async () => {
    expect(await all({ states: ['parked', 'received'] })).toEqual([
      ...[4_001, 4_000, 3_001, 3_000, 2_001, 2_000, 1_001, 1_000, 1, 0],
    ]);
    const few = { most: 60 };
    const first = await expectFewRowsRead(harness, () => webhooks.list({ states: ['parked'], limit: 2 }), few.most);
    expect(indexes(first.rows)).toEqual([4_000, 3_000]);
    const second = await page({ states: ['parked'], limit: 3, after: first.next });
    expect({ rows: indexes(second.rows), next: second.next }).toEqual({ rows: [2_000, 1_000, 0], next: undefined });
    const after = [START + 1_000, id(2_001)] as const;
    const deep = await expectFewRowsRead(harness, () => webhooks.list({ states: ['done'], after, limit: 2 }), 60);
    expect(indexes(deep.rows)).toEqual([1_999, 1_998]);
    const ofPayment = await expectFewRowsRead(harness, () => webhooks.list({ paymentId: 'pay_1', limit: 9 }), few.most);
    expect(indexes(ofPayment.rows)).toEqual([4_002, 3_002, 2_002, 1_002, 2, 1]);
    expect(await all({ paymentId: 'pay_1', states: ['received'] })).toEqual([1]);
  });

  test('ends a page after 2,000 entries of other families, and goes on from there', async () => {
    const first = await page({ family: 'subscription' });
    expect(first).toEqual({ rows: [], next: [START + 1_500, id(3_000)] });
    expect(await all({ family: 'subscription' })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });

  test('finds one entry by its id, and refuses an unknown id', async () => {
    expect(await webhooks.find(id(7))).toMatchObject({ id: id(7), family: 'subscription' });
    await expect(webhooks.find('none')).rejects.toMatchObject({ code: 'not_found' });
  });
});
