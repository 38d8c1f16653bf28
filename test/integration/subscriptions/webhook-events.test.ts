import { afterEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, millimes, MINUTE_MS } from '../../../src/kernel';
import { failNextRenewal, paymentOf } from '../../../src/simulator/testing';
import type { SubscriptionWebhookEvent } from '../../../src/subscriptions';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { randomFrom } from '../../support/random';
import { A_PLAN, aRoom, FEES, type Room } from './a-room';

// Goal: a webhook schedules a status check and changes no state; a contradiction of the terms stops the posting.
// Method: events as the inbox passes them, in any order and number; the states are then compared with the gateway's.

const EVERY_TRY = 3;
const SEEDS = [1, 2, 3, 4];
const STEPS = 16;

describeOnEachDatabase('webhook events of a subscription', (harness) => {
  let opened: Room | undefined;

  async function begun(settings: unknown = { payouts: { fees: FEES } }): Promise<Room> {
    opened = await aRoom(harness.database, { settings });
    return opened;
  }

  afterEach(async () => {
    try {
      await opened?.expectSoundBooks();
    } finally {
      await opened?.close();
      opened = undefined;
    }
  });

  function event(room: Room, said: Partial<SubscriptionWebhookEvent>): SubscriptionWebhookEvent {
    return {
      subscriptionId: undefined,
      trackingId: undefined,
      paymentId: undefined,
      amount: undefined,
      currency: undefined,
      receivedAt: room.clock.now(),
      ...said,
    };
  }

  test('are unknown for a subscription that Millime does not have', async () => {
    const room = await begun();
    const outcome = await room.subscriptions.applyWebhookEvent(
      event(room, { subscriptionId: 'sub_x', paymentId: 'p' }),
    );
    expect(outcome).toEqual({ kind: 'unknown_subscription' });
  });

  test('make the next poll check the subscription first and change no state', async () => {
    const room = await begun();
    const other = await room.active();
    const { trackingId, subscriptionId } = await room.active();
    await room.pass(1);
    const outcome = await room.subscriptions.applyWebhookEvent(event(room, { subscriptionId, trackingId }));
    expect(outcome).toEqual({ kind: 'known', trackingId, mismatch: false });
    const { subscription } = await room.subscriptions.show(trackingId);
    expect(subscription).toMatchObject({ status: 'incomplete', triggeredAt: room.clock.now(), checks: 0 });
    await room.break({ kind: 'ban', minutes: 1 }, { operation: 'subscriptions.listCharges' });
    await room.pass(MINUTE_MS);
    await room.subscriptions.poll();
    // The ban met the first one that was asked about.
    expect((await room.subscriptions.show(trackingId)).subscription.failedChecks).toBe(1);
    expect((await room.subscriptions.show(other.trackingId)).subscription.triggeredAt).toBeUndefined();
    await room.pass(HOUR_MS);
    await room.subscriptions.poll();
    expect((await room.subscriptions.show(trackingId)).subscription).toMatchObject({
      status: 'active',
      triggeredAt: undefined,
    });
  });

  test('that a status check covers schedule no other', async () => {
    const room = await begun();
    const { trackingId, subscriptionId } = await room.active();
    const late = event(room, { subscriptionId });
    await room.check(trackingId);
    await room.subscriptions.applyWebhookEvent(late);
    expect((await room.subscriptions.show(trackingId)).subscription.triggeredAt).toBeUndefined();
  });

  test('of a charge find their subscription by the payment alone', async () => {
    const room = await begun();
    const { trackingId, firstPaymentId } = await room.active();
    const known = { kind: 'known', trackingId, mismatch: false };
    expect(await room.subscriptions.applyWebhookEvent(event(room, { paymentId: firstPaymentId }))).toEqual(known);
    await room.pass(32 * DAY_MS);
    const { charges } = await room.check(trackingId);
    expect(charges).toHaveLength(2);
    expect(await room.subscriptions.applyWebhookEvent(event(room, { paymentId: charges[0]?.paymentId }))).toEqual(
      known,
    );
  });

  test('resolve a creation with outcome unknown', async () => {
    const room = await begun();
    await room.break({ kind: 'reset_after' }, { times: EVERY_TRY });
    const lost = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    const trackingId = lost.kind === 'unknown' ? lost.subscription.trackingId : '';
    const [subscriptionId] = Object.keys(room.gateway.simulator.simulation.world.subscriptions.byId);
    await room.subscriptions.applyWebhookEvent(event(room, { subscriptionId, trackingId, amount: millimes(30_000) }));
    expect((await room.check(trackingId)).subscription).toMatchObject({
      requestState: 'made',
      subscriptionId,
      status: 'incomplete',
      isLive: true,
      link: expect.any(String),
      requestError: undefined,
    });
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 0, left: 0 });
  });

  test.each([
    ['amount', { amount: millimes(31_000) }],
    ['currency', { currency: 'EUR' }],
    ['developer_tracking_id', { trackingId: 'somebody' }],
  ] as const)('with another %s open a break and leave the posting to the status check', async (field, said) => {
    const room = await begun();
    const { trackingId, subscriptionId } = await room.active();
    const outcome = await room.subscriptions.applyWebhookEvent(event(room, { subscriptionId, ...said }));
    expect(outcome).toEqual({ kind: 'known', trackingId, mismatch: true });
    const [found] = await room.breaks();
    expect(found).toMatchObject({ fingerprint: `webhook_mismatch:${trackingId}:${field}`, status: 'open' });
    // What the gateway answers is the fact: another order of the same messages must not end in other books.
    await room.check(trackingId);
    expect(await room.books()).toMatchObject({ clearing: 30_000 });
  });

  test('a subscription with other terms at the gateway posts nothing and opens one break per field', async () => {
    const room = await begun();
    const { trackingId } = await room.active();
    await harness.database.transact(async (session) => {
      const terms = { interval: 'month', maxCycles: 3 };
      await session('subscriptions').update({ amount_millimes: 29_000, terms: JSON.stringify(terms) });
    });
    await room.check(trackingId);
    const fingerprints = (await room.breaks()).map(({ fingerprint }) => fingerprint);
    expect(fingerprints).toContain(`webhook_mismatch:${trackingId}:amount`);
    expect(fingerprints).toContain(`webhook_mismatch:${trackingId}:max_cycles`);
    expect(await room.books()).toMatchObject({ clearing: 0 });
  });

  describe('in any order and any number', () => {
    test.each(SEEDS)(
      'lead to the state of the gateway (seed %i)',
      async (seed) => {
        const random = randomFrom(seed);
        const room = await begun({ subscriptions: { retryAfterMinutes: [60, 120] }, payouts: { fees: FEES } });
        const { trackingId, subscriptionId } = await room.active({ interval: 'day' });
        const { trace } = room.gateway.simulator.simulation.world;
        const told: SubscriptionWebhookEvent[] = [];
        for (let step = 0; step < STEPS; step += 1) {
          if (random.onceIn(4)) failNextRenewal(room.gateway.simulator.simulation, subscriptionId, 1);
          await room.pass(HOUR_MS * (1 + random.below(20)));
          // Any event of before, for the first time or again, or none.
          const events = trace.filter(({ what }) => what === 'subscription');
          for (let count = random.below(4); count > 0; count -= 1) {
            const { paymentId } = random.oneOf(events).facts;
            const said = { subscriptionId, trackingId, amount: millimes(30_000), currency: 'TND' };
            told.push(event(room, { ...said, paymentId: typeof paymentId === 'string' ? paymentId : undefined }));
          }
          if (told.length > 0 && random.onceIn(2)) await room.subscriptions.applyWebhookEvent(random.oneOf(told));
          if (random.onceIn(2)) await room.subscriptions.poll();
        }
        await room.pass(2 * HOUR_MS);
        await room.subscriptions.applyWebhookEvent(event(room, { subscriptionId }));
        await room.subscriptions.poll();
        const truth = room.truth(subscriptionId);
        const { subscription, charges } = await room.subscriptions.show(trackingId);
        expect(subscription).toMatchObject({
          status: truth.status,
          cyclesCompleted: truth.cyclesCompleted,
          nextChargeAt: truth.nextChargeAt ?? undefined,
          periodEndAt: truth.currentPeriodEnd ?? undefined,
        });
        const there = truth.charges.map((charge) => {
          const { status } = paymentOf(room.gateway.simulator.simulation, charge);
          const { feeMillimes, tvaMillimes } = charge.fee ?? {};
          const { paymentId, attempt } = charge;
          return { paymentId, attempt, status, fee: feeMillimes, tva: tvaMillimes };
        });
        const byId = <T extends { readonly paymentId: string }>(all: readonly T[]): T[] =>
          all.toSorted((a, b) => (a.paymentId < b.paymentId ? -1 : 1));
        expect(
          byId(charges).map(({ paymentId, attempt, status, fee, tva }) => ({ paymentId, attempt, status, fee, tva })),
        ).toEqual(byId(there));
        const paid = there.filter(({ status }) => status === 'SUCCESS');
        expect(paid.length).toBeGreaterThan(1);
        const fees = paid.reduce((sum, { fee = 0 }) => sum + fee, 0);
        const tva = paid.reduce((sum, each) => sum + (each.tva ?? 0), 0);
        const received = -30_000 * paid.length;
        expect(await room.books()).toEqual({ clearing: -received - fees - tva, received, fees, tva });
        expect(await room.breaks()).toEqual([]);
      },
      60_000,
    );
  });
});
