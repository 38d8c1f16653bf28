import { afterEach, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel';
import { paymentOf, type SimCharge } from '../../../src/simulator/testing';
import { describeOnEachDatabase } from '../../support/db';
import { aRoom, type Room } from './a-room';

// Goal: a contradiction of the gateway opens a break; the ledger and the stored state stay unchanged.
// Method: a simulated gateway whose memory the test changes directly.

describeOnEachDatabase('a gateway that contradicts itself', (harness) => {
  let opened: Room | undefined;

  /** An active subscription with two paid charges, their fees known, and all of it in the books. */
  async function paidTwice(): Promise<{
    readonly room: Room;
    readonly trackingId: string;
    readonly subscriptionId: string;
    readonly first: SimCharge;
    readonly second: SimCharge;
  }> {
    const room = await aRoom(harness.database);
    opened = room;
    const { trackingId, subscriptionId } = await room.active({ interval: 'week' });
    await room.pass(7 * DAY_MS + 2 * HOUR_MS);
    const [first, second] = room.truth(subscriptionId).charges;
    if (first === undefined || second === undefined) throw new Error('there are not two charges');
    return { room, trackingId, subscriptionId, first, second };
  }

  afterEach(async () => {
    try {
      await opened?.expectSoundBooks();
    } finally {
      await opened?.close();
      opened = undefined;
    }
  });

  const TWO_CHARGES = { clearing: 2 * 29_286, received: -60_000, fees: 1_200, tva: 228 };

  test('two paid charges of one period are both posted and open one break', async () => {
    const { room, trackingId, first, second } = await paidTwice();
    Object.assign(second, { periodStart: first.periodStart });
    await room.check(trackingId);
    await room.check(trackingId);
    expect(await room.books()).toEqual(TWO_CHARGES);
    const breaks = await room.breaks();
    expect(breaks).toMatchObject([
      {
        breakClass: 'duplicate_charge_period',
        fingerprint: `duplicate_charge_period:${trackingId}:${first.periodStart}`,
        amount: 30_000,
      },
    ]);
    expect(breaks[0]?.subject.itemIds.toSorted()).toEqual(
      [`payment:${first.paymentId}`, `payment:${second.paymentId}`].toSorted(),
    );
  });

  test('a paid charge stays paid if the gateway shows another status', async () => {
    const { room, trackingId, second } = await paidTwice();
    await room.check(trackingId);
    Object.assign(paymentOf(room.gateway.simulator.simulation, second), { status: 'FAILURE' });
    const { charges } = await room.check(trackingId);
    expect(charges.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS']);
    expect(await room.books()).toEqual(TWO_CHARGES);
    expect(await room.breaks()).toMatchObject([
      { breakClass: 'settlement_regressed', subject: { facts: { kept: 'SUCCESS', observed: 'FAILURE' } } },
    ]);
  });

  test('a charge that is no longer listed is kept', async () => {
    const { room, trackingId, subscriptionId, first } = await paidTwice();
    await room.check(trackingId);
    const truth = room.truth(subscriptionId);
    truth.charges = truth.charges.filter((charge) => charge !== first);
    const { charges } = await room.check(trackingId);
    expect(charges).toHaveLength(2);
    expect(await room.books()).toEqual(TWO_CHARGES);
    expect(await room.breaks()).toMatchObject([
      { breakClass: 'settlement_regressed', subject: { facts: { kept: 'SUCCESS', observed: 'vanished' } } },
    ]);
  });

  test('an ended subscription stays ended', async () => {
    const { room, trackingId, subscriptionId } = await paidTwice();
    Object.assign(room.truth(subscriptionId), { status: 'canceled', canceledAt: room.clock.now() });
    await room.check(trackingId);
    Object.assign(room.truth(subscriptionId), { status: 'active' });
    const { subscription } = await room.check(trackingId);
    expect(subscription.status).toBe('canceled');
    expect(await room.breaks()).toMatchObject([
      {
        fingerprint: `settlement_regressed:${trackingId}`,
        subject: { facts: { kept: 'canceled', observed: 'active' } },
      },
    ]);
  });

  test('an ended subscription that is still debited is checked daily, and its charges are posted', async () => {
    const { room, trackingId, subscriptionId } = await paidTwice();
    Object.assign(room.truth(subscriptionId), { status: 'canceled', canceledAt: room.clock.now() });
    expect((await room.check(trackingId)).subscription.nextCheckAt).toBeUndefined();
    Object.assign(room.truth(subscriptionId), { status: 'active', canceledAt: null });
    const { subscription } = await room.check(trackingId);
    const { status, nextCheckAt = Infinity } = subscription;
    expect(status).toBe('canceled');
    expect(nextCheckAt).toBeLessThanOrEqual(room.clock.now() + DAY_MS);
    await room.pass(7 * DAY_MS);
    await room.subscriptions.poll();
    expect(await room.books()).toMatchObject({ received: -90_000 });
    expect((await room.subscriptions.show(trackingId)).subscription.nextCheckAt).toBeGreaterThan(room.clock.now());
  });

  test('a changed fee posts the difference and opens a break', async () => {
    const { room, trackingId, second } = await paidTwice();
    await room.check(trackingId);
    second.fee = { feeMillimes: 700, tvaMillimes: 133 };
    await room.check(trackingId);
    await room.check(trackingId);
    expect(await room.books()).toEqual({ clearing: 2 * 29_286 - 119, received: -60_000, fees: 1_300, tva: 247 });
    expect(await room.breaks()).toMatchObject([
      {
        breakClass: 'fee_unexplained',
        amount: 119,
        subject: { itemIds: [`payment:${second.paymentId}`], facts: { feeMillimes: 700, feeBeforeMillimes: 600 } },
      },
    ]);
  });

  test('a fee that is no longer shown stays unchanged', async () => {
    const { room, trackingId, second } = await paidTwice();
    await room.check(trackingId);
    second.fee = null;
    const { charges } = await room.check(trackingId);
    expect(charges.map(({ fee }) => fee)).toEqual([600, 600]);
    expect(await room.books()).toEqual(TWO_CHARGES);
    expect(await room.breaks()).toEqual([]);
  });

  test('a charge of another amount is not posted, while the others are', async () => {
    const { room, trackingId, second } = await paidTwice();
    Object.assign(paymentOf(room.gateway.simulator.simulation, second), { amountMillimes: 31_000 });
    await room.check(trackingId);
    expect(await room.books()).toEqual({ clearing: 29_286, received: -30_000, fees: 600, tva: 114 });
    expect(await room.breaks()).toMatchObject([
      { fingerprint: `webhook_mismatch:${second.paymentId}:amount`, amount: 1_000 },
    ]);
  });

  test('a charge that two subscriptions list stays with the first one', async () => {
    const { room, trackingId, first } = await paidTwice();
    await room.check(trackingId);
    const other = await room.active();
    await room.pass(MINUTE_MS);
    room.truth(other.subscriptionId).charges.push(first);
    const { charges } = await room.check(other.trackingId);
    expect(charges).toHaveLength(1);
    expect(await room.books()).toMatchObject({ received: -90_000 });
    expect(await room.breaks()).toMatchObject([{ fingerprint: `webhook_mismatch:${first.paymentId}:subscription_id` }]);
  });

  test('an answer requested before a stored one changes nothing', async () => {
    const { room, trackingId } = await paidTwice();
    const { subscription } = await room.check(trackingId);
    room.clock.advance(-HOUR_MS);
    expect((await room.subscriptions.checkStatus(trackingId)).kind).toBe('looked');
    expect((await room.subscriptions.show(trackingId)).subscription).toEqual(subscription);
  });

  test('an answer requested since the given instant is reused without a request', async () => {
    const { room, trackingId } = await paidTwice();
    await room.check(trackingId);
    const asked = room.clock.now();
    await room.break({ kind: 'ban', minutes: 1 }, { operation: '*' });
    await room.pass(1);
    expect((await room.subscriptions.checkStatus(trackingId, { notBefore: asked })).kind).toBe('looked');
    expect((await room.subscriptions.checkStatus(trackingId, { notBefore: asked + 1 })).kind).toBe('later');
  });
});
