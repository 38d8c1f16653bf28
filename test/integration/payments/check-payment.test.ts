// Goal: a status check of a hosted-checkout payment follows the gateway, posts its money once, and opens a break for a
// difference.
// Method: the simulated gateway behind HTTP; both clocks stand still and move together; the books are checked each
// time.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openBreakStore } from '../../../src/breaks';
import { DAY_MS, millimes, MINUTE_MS, newId, SECOND_MS } from '../../../src/kernel';
import { checkPaymentStatus, openPaymentOperations, openPaymentStore } from '../../../src/payments/testing';
import { brokenInvariants } from '../../../src/reporting/testing';
import { aClient } from '../../support/a-client';
import { describeOnEachDatabase } from '../../support/db';
import { ScriptedGateway } from '../../support/scripted-gateway';
import { customer, kept, madePayment } from './made-payment';
import { aCollectingScene, type CollectingScene } from './scene';

describeOnEachDatabase('a status check of a payment', (harness) => {
  let scene: CollectingScene;

  beforeEach(async () => {
    scene = await aCollectingScene(harness.database);
  });

  afterEach(async () => {
    await scene.close();
    expect(await harness.database.read(brokenInvariants)).toEqual([]);
  });

  const check = async (payment: { readonly trackingId: string }, notBefore?: number) =>
    checkPaymentStatus(scene.deps, payment.trackingId, { notBefore });

  test('posts a wallet payment once and plans no further check', async () => {
    const payment = await madePayment(scene);
    await check(payment);
    await scene.pass(MINUTE_MS);
    await customer(scene, payment, 'pay');
    await Promise.all([check(payment), check(payment)]);
    await scene.pass(MINUTE_MS);
    await check(payment);
    const found = await kept(scene, payment);
    expect(found.payment).toMatchObject({
      status: 'SUCCESS',
      settlementStatus: 'AVAILABLE',
      method: 'wallet',
      itemId: `payment:${payment.gatewayId}`,
      succeededAfter: payment.requestedAt,
      succeededUntil: payment.requestedAt + MINUTE_MS,
      nextCheckAt: undefined,
      checks: 3,
    });
    expect(found.item).toMatchObject({ channel: 'wallet', amount: 50_000, agentId: undefined });
    expect(found.observations.map(({ status }) => status)).toEqual(['PENDING', 'SUCCESS', 'SUCCESS']);
    expect(found.observations.map(({ detail }) => detail !== '')).toEqual([true, true, false]);
    expect(found.breaks).toEqual([]);
  });

  test('follows a card payment to the bank', async () => {
    const payment = await madePayment(scene);
    await customer(scene, payment, 'pay', { type: 'card' });
    await check(payment);
    const seen = [(await kept(scene, payment)).payment.settlementStatus];
    for (let day = 0; day < 4; day += 1) {
      await scene.pass(DAY_MS);
      await check(payment);
      seen.push((await kept(scene, payment)).payment.settlementStatus);
    }
    expect(seen[0]).toBe('PROCESSING');
    expect(seen.at(-1)).toBe('PAID');
    const found = await kept(scene, payment);
    expect(found.payment.nextCheckAt).toBeUndefined();
    expect(found.item).toMatchObject({ channel: 'card', amount: 50_000 });
    expect(found.breaks).toEqual([]);
  });

  test('posts only the own share of a split', async () => {
    const payment = await madePayment(scene, { kind: 'split' });
    await customer(scene, payment, 'pay');
    await check(payment);
    const found = await kept(scene, payment);
    expect(found.item).toMatchObject({ amount: 30_000 });
    expect(found.breaks).toEqual([]);
  });

  test('posts no test money', async () => {
    const payment = await madePayment(scene, { isTest: true });
    await customer(scene, payment, 'pay');
    await check(payment);
    const found = await kept(scene, payment);
    expect(found.payment).toMatchObject({ status: 'SUCCESS', itemId: undefined, nextCheckAt: undefined });
  });

  test('posts a late success, opens a break and gives the payment its reference again', async () => {
    const payment = await madePayment(scene, { reference: 'order-1', isLive: true });
    await customer(scene, payment, 'fail');
    await check(payment);
    expect((await kept(scene, payment)).payment).toMatchObject({ status: 'FAILURE', isLive: true });
    await scene.pass(21 * MINUTE_MS);
    await check(payment);
    expect((await kept(scene, payment)).payment).toMatchObject({ isLive: false });
    await customer(scene, payment, 'pay', { late: true });
    await scene.pass(MINUTE_MS);
    await check(payment);
    const found = await kept(scene, payment);
    expect(found.payment).toMatchObject({ status: 'SUCCESS', isLive: true });
    expect(found.item).toMatchObject({ amount: 50_000 });
    expect(found.breaks).toMatchObject([{ fingerprint: `late_success:${payment.trackingId}`, amount: 50_000 }]);
  });

  test('opens a break when an abandoned attempt is paid beside the attempt that has its reference', async () => {
    const abandoned = await madePayment(scene, { reference: 'order-1', isLive: false });
    const live = await madePayment(scene, { reference: 'order-1', isLive: true });
    for (const payment of [live, abandoned]) {
      await customer(scene, payment, 'pay');
      await check(payment);
    }
    const found = await kept(scene, abandoned);
    expect(found.item).toMatchObject({ amount: 50_000 });
    expect(found.breaks).toMatchObject([
      {
        fingerprint: `late_success:${abandoned.trackingId}`,
        subject: { facts: { reference: 'order-1', otherAttempt: live.trackingId } },
      },
    ]);
    expect((await kept(scene, live)).breaks).toEqual([]);
  });

  test('opens a break when an abandoned attempt is held beside the attempt that has its reference', async () => {
    const kind = 'preauthorization';
    const abandoned = await madePayment(scene, { kind, reference: 'order-1', isLive: false });
    const live = await madePayment(scene, { kind, reference: 'order-1', isLive: true });
    for (const payment of [live, abandoned]) {
      await customer(scene, payment, 'pay');
      await check(payment);
    }
    const found = await kept(scene, abandoned);
    expect(found.payment).toMatchObject({ status: 'PREAUTH_SUCCESS', isLive: false, itemId: undefined });
    expect(found.breaks).toMatchObject([
      {
        fingerprint: `late_success:${abandoned.trackingId}`,
        amount: 50_000,
        subject: { facts: { reference: 'order-1', otherAttempt: live.trackingId } },
      },
    ]);
    expect((await kept(scene, live)).breaks).toEqual([]);
    // Checked again, or taken, it is no other event.
    await scene.deps.gateway.payments.capture({ paymentId: abandoned.gatewayId, amountMillimes: 50_000 });
    await scene.pass(MINUTE_MS);
    await check(abandoned);
    const taken = await kept(scene, abandoned);
    expect(taken.payment).toMatchObject({ status: 'SUCCESS', isLive: false });
    expect(taken.breaks).toHaveLength(1);
  });

  test('opens no break for a cancelled hold beside the live attempt that has its reference', async () => {
    const hold = { kind: 'preauthorization', reference: 'order-1' } as const;
    // Whatever word the gateway had for it since.
    const cancelled = await madePayment(scene, { ...hold, isLive: false, status: 'SYSTEM_FAILURE' });
    await madePayment(scene, { ...hold, isLive: true });
    const { trackingId, requestedAt } = cancelled;
    await harness.database.transact((session) =>
      openPaymentOperations(session).add({
        id: newId(),
        trackingId,
        kind: 'cancel',
        state: 'done',
        amount: undefined,
        refundId: undefined,
        error: undefined,
        requestedAt,
        endedAt: requestedAt,
        nextCheckAt: undefined,
        checks: 0,
        requestedBy: 'test',
      }),
    );
    await customer(scene, cancelled, 'pay');
    await check(cancelled);
    const found = await kept(scene, cancelled);
    expect(found.payment).toMatchObject({ status: 'PREAUTH_SUCCESS', isLive: false });
    expect(found.breaks).toEqual([]);
  });

  test('posts nothing if the amount differs from the request, and checks again daily', async () => {
    const payment = await madePayment(scene);
    await harness.database.transact(async (session) => {
      await session('payments').where('tracking_id', payment.trackingId).update({ amount_millimes: 49_000 });
    });
    await customer(scene, payment, 'pay');
    await check(payment);
    const found = await kept(scene, payment);
    expect(found.payment).toMatchObject({ itemId: undefined, nextCheckAt: scene.clock.now() + DAY_MS });
    expect(found.breaks).toMatchObject([
      {
        fingerprint: `webhook_mismatch:${payment.trackingId}:amount`,
        status: 'open',
        subject: { facts: { ours: 49_000, theirs: 50_000 } },
      },
    ]);
    // What we asked for was written down wrong: once it agrees, the money is ours.
    await harness.database.transact(async (session) => {
      await session('payments').where('tracking_id', payment.trackingId).update({ amount_millimes: 50_000 });
    });
    await scene.pass(DAY_MS);
    await check(payment);
    const agreed = await kept(scene, payment);
    expect(agreed.item).toMatchObject({ amount: 50_000 });
    expect(agreed.breaks).toMatchObject([{ status: 'resolved' }]);
  });

  test('posts nothing while a mismatch from a webhook waits for a decision', async () => {
    const payment = await madePayment(scene);
    await harness.database.transact((session) =>
      openBreakStore(session).openNew(
        [
          {
            fingerprint: `webhook_mismatch:${payment.trackingId}:currency`,
            breakClass: 'webhook_mismatch',
            since: scene.deps.calendar.dateOf(scene.clock.now()),
            amount: millimes(50_000),
            direction: 'may_have_moved',
            subject: { itemIds: [], lineIds: [], facts: { field: 'currency', trackingId: payment.trackingId } },
          },
        ],
        scene.clock.now(),
        'webhook',
      ),
    );
    await customer(scene, payment, 'pay');
    await check(payment);
    const held = await kept(scene, payment);
    expect(held.payment).toMatchObject({ status: 'SUCCESS', itemId: undefined });
    const [found] = held.breaks;
    await harness.database.transact((session) =>
      openBreakStore(session).resolve(found?.id ?? '', 'explained', scene.clock.now(), 'a person'),
    );
    await scene.pass(DAY_MS);
    await check(payment);
    expect((await kept(scene, payment)).item).toMatchObject({ amount: 50_000 });
  });

  test('with a reused answer older than required changes nothing and returns the time to retry', async () => {
    const payment = await madePayment(scene);
    await check(payment);
    await customer(scene, payment, 'pay');
    scene.clock.advance(SECOND_MS);
    await harness.database.transact((session) =>
      openPaymentStore(session).change(payment, { triggeredAt: scene.clock.now(), nextCheckAt: scene.clock.now() }),
    );
    expect(await check(payment, scene.clock.now())).toMatchObject({
      kind: 'later',
      retryAfterMs: 29_000,
      affectsAll: false,
    });
    expect((await kept(scene, payment)).payment).toMatchObject({
      status: 'PENDING',
      checks: 1,
      triggeredAt: scene.clock.now(),
      nextCheckAt: scene.clock.now() + 29_000,
    });
    scene.clock.advance(29 * SECOND_MS);
    expect(await check(payment, scene.clock.now())).toMatchObject({ kind: 'looked', payment: { status: 'SUCCESS' } });
    expect((await kept(scene, payment)).payment.triggeredAt).toBeUndefined();
    expect(await check(payment, scene.clock.now())).toMatchObject({ kind: 'looked', payment: { checks: 2 } });
  });

  test('requested before an event does not cover it, even if its answer arrives after it', async () => {
    const payment = await madePayment(scene);
    const { clock, deps } = scene;
    const eventAt = clock.now() + SECOND_MS;
    const result = { type: 'NA', amount: 50_000, status: 'PENDING', details: {}, developer_tracking_id: null };
    const slow = await ScriptedGateway.start((_n, { method }) => {
      if (method !== '') clock.advance(3 * SECOND_MS);
      return { kind: 'answer', body: { success: true, result, status_code: 200 } };
    });
    try {
      const gateway = aClient({ baseUrl: slow.baseUrl, publicKey: 'pk', privateKey: 'sk', clock });
      // Its process died before it could write the answer down.
      await gateway.payments.verify(payment.gatewayId);
      await harness.database.transact((session) =>
        openPaymentStore(session).change(payment, { triggeredAt: eventAt, nextCheckAt: eventAt }),
      );
      const checked = await checkPaymentStatus({ ...deps, gateway }, payment.trackingId, { notBefore: eventAt });
      expect(checked).toMatchObject({ kind: 'later', retryAfterMs: 30_000 });
    } finally {
      await slow.stop();
    }
    expect((await kept(scene, payment)).payment).toMatchObject({
      status: 'PENDING',
      triggeredAt: eventAt,
      nextCheckAt: clock.now() + 30_000,
    });
  });

  test('that finds no payment does not cover an event that arrives during it', async () => {
    const payment = await madePayment(scene);
    const { clock, deps } = scene;
    const eventAt = clock.now() + SECOND_MS;
    await harness.database.transact((session) =>
      openPaymentStore(session).change(payment, { triggeredAt: eventAt, nextCheckAt: eventAt }),
    );
    const slow = await ScriptedGateway.start((_n, { method }) => {
      if (method !== '') clock.advance(3 * SECOND_MS);
      return { kind: 'answer', status: 404, body: { detail: 'not found' } };
    });
    try {
      const gateway = aClient({ baseUrl: slow.baseUrl, publicKey: 'pk', privateKey: 'sk', clock });
      await checkPaymentStatus({ ...deps, gateway }, payment.trackingId);
    } finally {
      await slow.stop();
    }
    expect((await kept(scene, payment)).payment).toMatchObject({
      lastCheckError: 'not_found',
      triggeredAt: eventAt,
      nextCheckAt: clock.now() + 30_000,
    });
  });

  test('recorded by a fast clock neither blocks later answers nor counts as made', async () => {
    const payment = await madePayment(scene);
    const ahead = scene.clock.now() + 10 * MINUTE_MS;
    await harness.database.transact((session) => openPaymentStore(session).change(payment, { lastCheckAt: ahead }));
    await scene.pass(SECOND_MS);
    await customer(scene, payment, 'pay');
    const now = scene.clock.now();
    expect(await check(payment, now)).toMatchObject({
      kind: 'looked',
      payment: { status: 'SUCCESS', lastCheckAt: now },
    });
    const found = await kept(scene, payment);
    expect(found.item).toMatchObject({ amount: 50_000 });
    // Not after the instant that no right clock has seen yet.
    expect(found.payment).toMatchObject({ succeededAfter: payment.requestedAt, succeededUntil: now });
  });

  test('recorded by a slightly fast clock counts', async () => {
    const payment = await madePayment(scene);
    const lastCheckAt = scene.clock.now() + SECOND_MS;
    await harness.database.transact((session) => openPaymentStore(session).change(payment, { lastCheckAt }));
    expect(await check(payment, scene.clock.now())).toMatchObject({
      kind: 'looked',
      payment: { lastCheckAt, checks: 0 },
    });
    expect(await check(payment)).toMatchObject({ kind: 'looked', payment: { lastCheckAt, checks: 0 } });
  });

  test('of a session unknown to the gateway frees its reference, and a later success claims it again', async () => {
    const payment = await madePayment(scene, { reference: 'order-1', isLive: true });
    const { gatewayId } = payment;
    const forget = (id: string) =>
      harness.database.transact(async (session) => {
        await session('payments').where('tracking_id', payment.trackingId).update({ gateway_id: id });
      });
    await check(payment);
    await forget('forgotten');
    await scene.pass(21 * MINUTE_MS);
    await check(payment);
    expect((await kept(scene, payment)).payment).toMatchObject({ lastCheckError: 'not_found', isLive: true });
    await scene.pass(40 * MINUTE_MS);
    await check(payment);
    expect((await kept(scene, payment)).payment).toMatchObject({ status: 'PENDING', isLive: false });
    await forget(gatewayId);
    await customer(scene, payment, 'pay', { late: true });
    await scene.pass(MINUTE_MS);
    await check(payment);
    expect((await kept(scene, payment)).payment).toMatchObject({ status: 'SUCCESS', isLive: true });
  });

  test.each([
    ['that was paid', { status: 'SUCCESS' }],
    ['that is held', { status: 'PREAUTH_SUCCESS' }],
    ['whose success was signed', { succeededAfter: 1, succeededUntil: 1 }],
  ])('of a session %s keeps its reference, even if the gateway no longer knows it', async (_what, known) => {
    const payment = await madePayment(scene, { reference: 'order-1', isLive: true, gatewayId: 'forgotten', ...known });
    await scene.pass(61 * MINUTE_MS);
    await check(payment);
    expect((await kept(scene, payment)).payment).toMatchObject({ lastCheckError: 'not_found', isLive: true });
  });

  test('of a payment unknown to the gateway does not fail it until it can no longer be paid', async () => {
    const payment = await madePayment(scene, { gatewayId: 'not-there' });
    expect(await check(payment)).toMatchObject({ kind: 'looked', payment: { lastCheckError: 'not_found' } });
    expect((await kept(scene, payment)).breaks).toEqual([]);
    await scene.pass(61 * MINUTE_MS);
    await check(payment);
    await scene.pass(DAY_MS);
    await check(payment);
    expect((await kept(scene, payment)).breaks).toMatchObject([
      { fingerprint: `outcome_unknown:${payment.trackingId}`, status: 'open' },
    ]);
    await scene.pass(5 * DAY_MS);
    await check(payment);
    expect((await kept(scene, payment)).payment).toMatchObject({ nextCheckAt: undefined, checks: 0 });
  });

  test('does not verify a payment that the gateway may not have', async () => {
    const payment = await madePayment(scene, { requestState: 'unknown' });
    expect(await check(payment)).toMatchObject({ kind: 'nothing_to_ask' });
    await expect(check({ trackingId: 'unknown' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('needs a gateway credential', async () => {
    const { trackingId } = await madePayment(scene);
    const off = { ...scene.deps, gateway: undefined };
    await expect(checkPaymentStatus(off, trackingId)).rejects.toMatchObject({ code: 'misconfigured' });
  });
});
