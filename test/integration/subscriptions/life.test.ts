import { afterEach, expect, test } from '@jest/globals';
import { createAgents } from '../../../src/agents';
import { rowsOf } from '../../../src/db';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel';
import { agentReceivable, openLedger } from '../../../src/ledger';
import { cancelSubscription, closeCustomerWallet, failNextRenewal, payPayment } from '../../../src/simulator/testing';
import { createSubscriptions } from '../../../src/subscriptions';
import { describeOnEachDatabase } from '../../support/db';
import { anAgent, BY_TEST } from '../../support/factories';
import { A_PLAN, aRoom, FEES, type Room, type RoomOptions } from './a-room';

// Goal: the stored state of a subscription equals the gateway's, and its money is posted to the millime.
// Method: the simulated gateway plays the events, and the room checks the status; the books are checked after every
// test.

describeOnEachDatabase('the life of a subscription', (harness) => {
  let opened: Room | undefined;

  async function begun(options: RoomOptions = {}): Promise<Room> {
    opened = await aRoom(harness.database, options);
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

  test('starts incomplete, and is active with a posted charge once the first charge is paid', async () => {
    const room = await begun();
    const made = await room.subscriptions.create(A_PLAN, BY_TEST);
    const trackingId = made.kind === 'created' ? made.subscription.trackingId : '';
    const before = await room.check(trackingId);
    expect(before.subscription).toMatchObject({ status: 'incomplete', checks: 1, link: expect.any(String) });
    expect(before.charges).toMatchObject([{ status: 'PENDING', itemId: undefined }]);
    expect(await room.books()).toMatchObject({ clearing: 0 });
    payPayment(room.gateway.simulator.simulation, before.subscription.firstPaymentId ?? '');
    const { subscription, charges } = await room.check(trackingId);
    expect(subscription).toMatchObject({ status: 'active', cyclesCompleted: 1, link: undefined });
    expect(charges).toMatchObject([{ status: 'SUCCESS', amount: 30_000, itemId: `payment:${charges[0]?.paymentId}` }]);
    expect(await room.books()).toEqual({ clearing: 30_000, received: -30_000, fees: 0, tva: 0 });
  });

  test('posts the fee and its TVA once the gateway has computed them', async () => {
    const room = await begun();
    const { trackingId } = await room.active();
    await room.check(trackingId);
    await room.pass(2 * HOUR_MS);
    const { charges } = await room.check(trackingId);
    expect(charges).toMatchObject([{ fee: 600, tva: 114 }]);
    await room.check(trackingId);
    expect(await room.books()).toEqual({ clearing: 29_286, received: -30_000, fees: 600, tva: 114 });
  });

  test('stores an unchanged answer as an observation without its content', async () => {
    const room = await begun();
    const { trackingId } = await room.active();
    await room.check(trackingId);
    await room.check(trackingId);
    const rows = await harness.database.read(async (session) => ({
      checks: await rowsOf(
        session('subscription_observations as o').select('o.detail').orderBy(['o.observed_at', 'o.id']),
      ),
      charges: await rowsOf(session('charge_observations as o').select('o.status')),
    }));
    expect(rows.checks.map((row) => row['detail'] === '')).toEqual([false, true]);
    expect(rows.charges).toHaveLength(1);
  });

  test('renews every month and posts each charge once', async () => {
    const room = await begun();
    const { trackingId, subscriptionId } = await room.active();
    for (let day = 0; day < 93; day += 1) {
      await room.pass(DAY_MS);
      await room.subscriptions.poll();
    }
    const { subscription, charges } = await room.subscriptions.show(trackingId);
    expect(room.truth(subscriptionId).cyclesCompleted).toBe(4);
    expect(subscription).toMatchObject({ status: 'active', cyclesCompleted: 4 });
    expect(charges.map(({ billingReason, status }) => `${billingReason} ${status}`)).toEqual([
      ...Array.from({ length: 3 }, () => 'subscription_cycle SUCCESS'),
      'subscription_create SUCCESS',
    ]);
    expect(await room.books()).toEqual({ clearing: 4 * 29_286, received: -120_000, fees: 2_400, tva: 456 });
    expect(await room.breaks()).toEqual([]);
  }, 60_000);

  test('is past due after a failed renewal, and active after the retry; paid_at of a failed debit posts nothing', async () => {
    const settings = { subscriptions: { retryAfterMinutes: [60, 60, 60] }, payouts: { fees: FEES } };
    const room = await begun({ settings });
    const { trackingId, subscriptionId } = await room.active({ interval: 'day' });
    failNextRenewal(room.gateway.simulator.simulation, subscriptionId, 1);
    await room.pass(DAY_MS + MINUTE_MS);
    const failed = await room.check(trackingId);
    expect(failed.subscription.status).toBe('past_due');
    expect(failed.charges[0]).toMatchObject({ status: 'FAILURE', itemId: undefined, paidAt: expect.any(Number) });
    await room.pass(2 * HOUR_MS);
    const { subscription, charges } = await room.check(trackingId);
    expect(subscription).toMatchObject({ status: 'active', cyclesCompleted: 2 });
    expect(charges[0]).toMatchObject({ status: 'SUCCESS', billingReason: 'subscription_retry', attempt: 1 });
    expect(await room.books()).toMatchObject({ received: -60_000 });
  });

  test('is unpaid after the last retry; a late payment reactivates it and opens a break', async () => {
    const settings = { subscriptions: { retryAfterMinutes: [60] }, payouts: { fees: FEES } };
    const room = await begun({ settings });
    const { trackingId, subscriptionId } = await room.active({ interval: 'week' });
    failNextRenewal(room.gateway.simulator.simulation, subscriptionId, 2);
    await room.pass(7 * DAY_MS + 2 * HOUR_MS);
    expect((await room.check(trackingId)).subscription.status).toBe('unpaid');
    const lost = room.truth(subscriptionId).charges.at(-1)?.paymentId ?? '';
    payPayment(room.gateway.simulator.simulation, lost, { late: true });
    const { subscription } = await room.check(trackingId);
    expect(subscription.status).toBe('active');
    expect(await room.books()).toMatchObject({ received: -60_000 });
    expect(await room.breaks()).toMatchObject([{ breakClass: 'late_success', fingerprint: `late_success:${lost}` }]);
  });

  test('ends with its last cycle, and its checks end when the last fee is posted', async () => {
    const room = await begun();
    const { trackingId } = await room.active({ interval: 'day', maxCycles: 2, reference: 'R-1' });
    await room.pass(DAY_MS + MINUTE_MS);
    const ended = await room.check(trackingId);
    expect(ended.subscription).toMatchObject({ status: 'canceled', cancellationReason: 'completed', isLive: false });
    expect(ended.subscription.nextCheckAt).toBeDefined();
    await room.pass(DAY_MS);
    await room.subscriptions.poll();
    const { subscription } = await room.subscriptions.show(trackingId);
    expect(subscription.nextCheckAt).toBeUndefined();
    expect(await room.books()).toEqual({ clearing: 2 * 29_286, received: -60_000, fees: 1_200, tva: 228 });
  });

  test('shows its planned end with the period, then its end', async () => {
    const room = await begun();
    const { trackingId, subscriptionId } = await room.active();
    cancelSubscription(room.gateway.simulator.simulation, subscriptionId, { initiator: 'customer', atPeriodEnd: true });
    expect((await room.check(trackingId)).subscription).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    await room.pass(32 * DAY_MS);
    expect((await room.check(trackingId)).subscription).toMatchObject({
      status: 'canceled',
      cancellationInitiator: 'customer',
      cancellationReason: 'at_period_end',
    });
  });

  test('ends when the customer closes their wallet', async () => {
    const room = await begun();
    const { trackingId, subscriptionId } = await room.active();
    closeCustomerWallet(room.gateway.simulator.simulation, subscriptionId);
    expect((await room.check(trackingId)).subscription).toMatchObject({
      status: 'canceled',
      cancellationReason: 'customer_wallet_closed',
    });
  });

  test('frees its reference if the first charge is not paid in time', async () => {
    const room = await begun();
    const made = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    await room.pass(30 * MINUTE_MS);
    await room.subscriptions.poll();
    expect(await room.subscriptions.show('R-1')).toMatchObject({
      subscription: { status: 'incomplete_expired', isLive: false, nextCheckAt: undefined },
      charges: [{ status: 'EXPIRED' }],
    });
    const again = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect([made.kind, again.kind]).toEqual(['created', 'created']);
  });

  test('of a test credential is stored and never posted', async () => {
    const room = await begun({ settings: { isTest: true, payouts: { fees: FEES } } });
    const { trackingId } = await room.active();
    await room.pass(2 * HOUR_MS);
    const { subscription, charges } = await room.check(trackingId);
    expect(subscription).toMatchObject({ status: 'active', isTest: true });
    expect(charges).toMatchObject([{ status: 'SUCCESS', itemId: undefined, fee: 600 }]);
    expect(await room.books()).toEqual({ clearing: 0, received: 0, fees: 0, tva: 0 });
  });

  test('of an agent lowers the agent’s due amount', async () => {
    const room = await begun();
    await createAgents(room.deps).add(anAgent(), BY_TEST);
    const { trackingId } = await room.active({ agentId: '004711' });
    await room.check(trackingId);
    const account = agentReceivable('004711');
    const balances = await harness.database.read((session) => openLedger(session).balances([account]));
    expect(balances.get(account)).toBe(-30_000);
    expect(await room.books()).toMatchObject({ clearing: 30_000, received: 0 });
  });

  test('posts a charge once under concurrent status checks of two processes', async () => {
    const room = await begun();
    const { trackingId } = await room.active();
    await room.pass(2 * HOUR_MS);
    const rooms = [room.subscriptions, room.another(), room.another(), room.another()];
    const outcomes = await Promise.all(rooms.map((each) => each.checkStatus(trackingId)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['looked', 'looked', 'looked', 'looked']);
    const { subscription } = await room.subscriptions.show(trackingId);
    expect(subscription.checks).toBe(1);
    expect(await room.books()).toEqual({ clearing: 29_286, received: -30_000, fees: 600, tva: 114 });
  });

  test('causes few calls, no break and no later burst during an outage', async () => {
    const room = await begun();
    const trackingIds: string[] = [];
    for (let index = 0; index < 6; index += 1) trackingIds.push((await room.active()).trackingId);
    await room.break({ kind: 'ban', minutes: 60 }, { operation: '*' });
    expect(await room.subscriptions.poll()).toEqual({ checked: 0, failed: 3, left: 3 });
    await room.pass(6 * HOUR_MS);
    expect(await room.subscriptions.poll()).toEqual({ checked: 6, failed: 0, left: 0 });
    expect(await room.breaks()).toEqual([]);
    for (const trackingId of trackingIds) {
      expect((await room.subscriptions.show(trackingId)).subscription).toMatchObject({ status: 'active', checks: 1 });
    }
  });

  test('is checked even if the status check of another subscription raises an internal error', async () => {
    const room = await begun();
    const bad = await room.active();
    const good = await room.active();
    const client = room.deps.gateway;
    if (client === undefined) throw new Error('the room has a client');
    const retrieve: typeof client.subscriptions.retrieve = async (subscriptionId) => {
      if (subscriptionId === bad.subscriptionId) throw new TypeError('a bug');
      return client.subscriptions.retrieve(subscriptionId);
    };
    const gateway = { ...client, subscriptions: { ...client.subscriptions, retrieve } };
    expect(await createSubscriptions({ ...room.deps, gateway }).poll()).toMatchObject({ checked: 1, failed: 1 });
    expect((await room.subscriptions.show(good.trackingId)).subscription.status).toBe('active');
    const { subscription } = await room.subscriptions.show(bad.trackingId);
    expect(subscription).toMatchObject({ failedChecks: 1, lastCheckError: 'internal' });
    expect(subscription.nextCheckAt).toBeGreaterThan(room.clock.now());
  });

  test('opens a break a day after the gateway no longer knows it, not before', async () => {
    const room = await begun();
    const { trackingId, subscriptionId } = await room.active();
    await room.check(trackingId);
    delete room.gateway.simulator.simulation.world.subscriptions.byId[subscriptionId];
    await room.pass(HOUR_MS);
    expect((await room.subscriptions.checkStatus(trackingId)).kind).toBe('later');
    expect(await room.breaks()).toEqual([]);
    await room.pass(DAY_MS);
    await room.subscriptions.checkStatus(trackingId);
    expect(await room.breaks()).toMatchObject([{ breakClass: 'outcome_unknown' }]);
    expect((await room.subscriptions.show(trackingId)).subscription).toMatchObject({
      status: 'active',
      nextCheckAt: room.clock.now() + DAY_MS,
    });
  });
});
