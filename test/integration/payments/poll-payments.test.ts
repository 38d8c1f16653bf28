// Goal: a poll checks due payments once each, within the budget, and counts no fault of the gateway against them.
// Method: the simulated gateway with manual time; its trace shows the requests.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Session } from '../../../src/db';
import { postItem } from '../../../src/gateway-items';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel';
import type { Payment } from '../../../src/payments';
import {
  openPaymentStore,
  type PaymentChange,
  pollPayments,
  scheduleHintedChecks,
} from '../../../src/payments/testing';
import { brokenInvariants } from '../../../src/reporting/testing';
import { describeOnEachDatabase } from '../../support/db';
import { aPayment } from '../../support/factories/a-payment';
import { customer, kept, madePayment } from './made-payment';
import { aCollectingScene, type CollectingScene } from './scene';

describeOnEachDatabase('a poll', (harness) => {
  let scene: CollectingScene;

  beforeEach(async () => {
    scene = await aCollectingScene(harness.database, { client: { budget: { verifiesPerMinute: 4 } } });
  });

  afterEach(async () => {
    await scene.close();
    expect(await harness.database.read(brokenInvariants)).toEqual([]);
  });

  async function madePayments(count: number) {
    const made = [];
    for (let index = 0; index < count; index += 1) made.push(await madePayment(scene));
    return made;
  }

  const change = (payment: Payment, to: PaymentChange) =>
    harness.database.transact((session) => openPaymentStore(session).change(payment, to));
  const checksOf = async (payments: readonly Payment[]) =>
    Promise.all(payments.map(async (payment) => (await kept(scene, payment)).payment.checks));
  const order = (fault: Readonly<Record<string, unknown>>, times = 1) =>
    scene.control('POST', '/faults', { operation: 'payments.verify', fault, times });

  test('checks nothing that is not due', async () => {
    await madePayments(2);
    expect(await pollPayments(scene.deps)).toEqual({ checked: 0, failed: 0, left: 0 });
  });

  test('stops when the budget is spent, and continues later with triggered and longest due payments first', async () => {
    const payments = await madePayments(7);
    const [first, , , , , , last] = payments;
    for (const payment of payments) await customer(scene, payment, 'pay');
    await scene.pass(31 * SECOND_MS);
    if (last !== undefined) await change(last, { triggeredAt: scene.clock.now() });
    if (first !== undefined) await change(first, { nextCheckAt: scene.clock.now() });
    const run = await pollPayments(scene.deps);
    expect(run).toMatchObject({ checked: 4, left: 2 });
    expect(await checksOf(payments)).toEqual([0, 1, 1, 1, 0, 0, 1]);
    await scene.pass(MINUTE_MS);
    expect(await pollPayments(scene.deps)).toEqual({ checked: 3, failed: 0, left: 0 });
    expect(await checksOf(payments)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  test('checks all payments after six hours of outage, without a burst and without a break', async () => {
    const payments = await madePayments(9);
    for (const payment of payments) await customer(scene, payment, 'pay');
    await scene.pass(30 * SECOND_MS);
    await order({ kind: 'reset_before' }, 1_000);
    for (let elapsedMs = 0; elapsedMs < 6 * HOUR_MS; elapsedMs += 10 * MINUTE_MS) {
      const run = await pollPayments(scene.deps);
      expect(run.checked).toBe(0);
      expect(run.failed).toBeLessThanOrEqual(2);
      await scene.pass(10 * MINUTE_MS);
    }
    await scene.control('DELETE', '/faults');
    const perRun = [];
    for (let run = 0; run < 30; run += 1) {
      perRun.push((await pollPayments(scene.deps)).checked);
      await scene.pass(5 * MINUTE_MS);
    }
    expect(Math.max(...perRun)).toBeLessThanOrEqual(4);
    expect(await checksOf(payments)).toEqual(payments.map(() => 1));
    for (const payment of payments) {
      expect(await kept(scene, payment)).toMatchObject({ payment: { status: 'SUCCESS', failedChecks: 0 }, breaks: [] });
    }
  });

  test('checks no other payment after a ban, and counts no failure against any', async () => {
    const payments = await madePayments(3);
    await scene.pass(30 * SECOND_MS);
    await order({ kind: 'too_many', retryAfterSecs: 600 });
    expect(await pollPayments(scene.deps)).toEqual({ checked: 0, failed: 1, left: 2 });
    const found = await Promise.all(payments.map((payment) => kept(scene, payment)));
    expect(found.map(({ payment }) => payment.failedChecks)).toEqual([0, 0, 0]);
    expect(found.map(({ payment }) => payment.nextCheckAt)).toContain(scene.clock.now() + 600 * SECOND_MS);
  });

  test('waits longer after each failed check of a payment, and resets after a success', async () => {
    const [payment] = await madePayments(1);
    if (payment === undefined) throw new Error('it was made');
    await scene.pass(30 * SECOND_MS);
    await order({ kind: 'garbage' }, 2);
    await pollPayments(scene.deps);
    expect((await kept(scene, payment)).payment).toMatchObject({
      failedChecks: 1,
      lastCheckError: 'unexpected_shape',
      nextCheckAt: scene.clock.now() + 30 * SECOND_MS,
      status: undefined,
    });
    await scene.pass(30 * SECOND_MS);
    await pollPayments(scene.deps);
    expect((await kept(scene, payment)).payment).toMatchObject({
      failedChecks: 2,
      nextCheckAt: scene.clock.now() + MINUTE_MS,
    });
    await scene.pass(MINUTE_MS);
    expect(await pollPayments(scene.deps)).toMatchObject({ checked: 1 });
    expect((await kept(scene, payment)).payment).toMatchObject({ failedChecks: 0, lastCheckError: undefined });
  });

  test('continues after a payment whose answer raises an internal error', async () => {
    const [bad, good] = await madePayments(2);
    if (bad === undefined || good === undefined) throw new Error('they were made');
    await scene.pass(30 * SECOND_MS);
    await change(bad, { gatewayId: ' ' });
    await pollPayments(scene.deps);
    expect(await checksOf([bad, good])).toEqual([0, 1]);
    expect((await kept(scene, bad)).payment.failedChecks).toBe(1);
  });

  test('stops checking payments that cannot be verified', async () => {
    const payment = await madePayment(scene, { requestState: 'unknown', nextCheckAt: scene.clock.now() });
    expect(await pollPayments(scene.deps)).toEqual({ checked: 0, failed: 0, left: 0 });
    expect((await kept(scene, payment)).payment.nextCheckAt).toBeUndefined();
  });

  test('starts no check when it is stopped', async () => {
    await madePayments(2);
    await scene.pass(30 * SECOND_MS);
    expect(await pollPayments(scene.deps, AbortSignal.abort())).toEqual({ checked: 0, failed: 0, left: 2 });
  });

  test('checks each payment once when two processes poll concurrently', async () => {
    const payments = await madePayments(3);
    await scene.pass(30 * SECOND_MS);
    await Promise.all([pollPayments(scene.deps), pollPayments(scene.deps)]);
    expect(await checksOf(payments)).toEqual([1, 1, 1]);
  });

  test('is off without a gateway credential', async () => {
    await expect(pollPayments({ ...scene.deps, gateway: undefined })).rejects.toMatchObject({ code: 'misconfigured' });
  });

  describe('a hint', () => {
    const LATER = 10 * HOUR_MS;

    test('plans status checks of the payments of its kind that may still change, and nothing else', async () => {
      const nextCheckAt = scene.clock.now() + LATER;
      const open = await madeAs({ nextCheckAt, status: 'PP' });
      const booked = await madeAs({ nextCheckAt, status: 'PS', itemId: 'payment:booked' });
      const failed = await madeAs({ nextCheckAt, status: 'PF' });
      const refunded = await madeAs({ nextCheckAt, status: 'PR', itemId: 'payment:refunded' });
      const unfollowed = await madeAs({ nextCheckAt: undefined });
      const other = await madePayment(scene, { nextCheckAt });
      const untouched = [failed, refunded, unfollowed, other];
      const before = await Promise.all(untouched.map((each) => kept(scene, each)));
      const now = scene.clock.now();
      expect(await scheduleHintedChecks(scene.deps, 'pos', now - 1)).toBe(2);
      expect(await Promise.all(untouched.map((each) => kept(scene, each)))).toEqual(before);
      for (const each of [open, booked]) {
        expect((await kept(scene, each)).payment).toEqual({ ...each, nextCheckAt: now, triggeredAt: now - 1 });
      }
    });

    test('plans the check of a recently checked payment at the end of the spacing, and delays no earlier check', async () => {
      const now = scene.clock.now();
      const lastCheckAt = now - 20 * SECOND_MS;
      const fresh = await madeAs({ nextCheckAt: now + LATER, lastCheckAt });
      const soon = await madeAs({ nextCheckAt: now + 5 * SECOND_MS, lastCheckAt });
      for (const receivedAt of [now, now - 1]) await scheduleHintedChecks(scene.deps, 'pos', receivedAt);
      const planned = await Promise.all([fresh, soon].map(async (each) => (await kept(scene, each)).payment));
      expect(planned.map(({ nextCheckAt }) => nextCheckAt)).toEqual([10, 5].map((secs) => now + secs * SECOND_MS));
      expect(planned.map(({ triggeredAt }) => triggeredAt)).toEqual([now, now]);
    });

    test('triggers checks of posted payments once an hour', async () => {
      const now = scene.clock.now();
      const booked = { nextCheckAt: now + LATER, status: 'PS' };
      await madeAs({ ...booked, itemId: 'payment:fresh', lastCheckAt: now - HOUR_MS + 1 });
      const rested = await madeAs({ ...booked, itemId: 'payment:rested', lastCheckAt: now - HOUR_MS });
      expect(await scheduleHintedChecks(scene.deps, 'pos', now)).toBe(1);
      expect((await kept(scene, rested)).payment.nextCheckAt).toBe(now);
    });

    test('ignores a status check that a wrong clock dated in the future', async () => {
      const now = scene.clock.now();
      const payment = await madeAs({ nextCheckAt: now + LATER, lastCheckAt: now + HOUR_MS, status: 'PP' });
      await scheduleHintedChecks(scene.deps, 'pos', now);
      expect((await kept(scene, payment)).payment.nextCheckAt).toBe(now);
    });

    test('plans 20 status checks of posted payments, the least recently checked first', async () => {
      const now = scene.clock.now();
      const ids = Array.from({ length: 30 }, (_, index) => `T${index}`);
      const made = ids.map((trackingId, index) =>
        aPayment({
          trackingId,
          kind: 'pos',
          gatewayId: trackingId,
          itemId: `payment:${trackingId}`,
          status: 'PS',
          lastCheckAt: now - HOUR_MS - index * SECOND_MS,
          nextCheckAt: now + LATER,
        }),
      );
      const open = await madeAs({ nextCheckAt: now + LATER, lastCheckAt: now - MINUTE_MS, status: 'PP' });
      await harness.database.transact(async (session) => {
        await openPaymentStore(session).add(made);
        for (const payment of made) await post(session, payment);
      });
      expect(await scheduleHintedChecks(scene.deps, 'pos', now)).toBe(21);
      const triggered = await harness.database.read((session) =>
        openPaymentStore(session).dueForCheck(now, ['pos'], 500),
      );
      const expected = [open.trackingId, ...ids.slice(10)];
      expect(triggered.map(({ trackingId }) => trackingId).toSorted()).toEqual(expected.toSorted());
    });

    async function madeAs(overrides: Partial<Omit<Payment, 'kind'>>): Promise<Payment> {
      const payment = await madePayment(scene, overrides);
      await harness.database.transact(async (session) => {
        await session('payments').where('tracking_id', payment.trackingId).update({ kind: 'pos' });
        await post(session, payment);
      });
      return { ...payment, kind: 'pos' };
    }

    async function post(session: Session, { itemId, amount, agentId }: Payment): Promise<void> {
      if (itemId === undefined) return;
      const occurredAt = scene.clock.now();
      const item = { itemId, channel: 'pos', amount, agentId, refundOf: undefined, occurredAt } as const;
      await postItem(session, item, { recordedAt: occurredAt, recordedBy: 'test' });
    }
  });
});
