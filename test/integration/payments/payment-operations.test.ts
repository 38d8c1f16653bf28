// Goal: a capture, a cancel and a refund are sent once, and a status check resolves an unknown outcome.
// Method: the simulated gateway, which loses answers on command; the books are checked after every test.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { paymentWords } from '../../../src/cli/testing';
import { jobActor } from '../../../src/identity';
import { DAY_MS, millimes, MINUTE_MS, newId } from '../../../src/kernel';
import type { OperationOutcome, Payment } from '../../../src/payments';
import {
  cancelPayment,
  capturePayment,
  checkOperations,
  checkPaymentStatus,
  openPaymentOperations,
  openPaymentStore,
  type PaymentOperationKind,
  refundPayment,
} from '../../../src/payments/testing';
import { brokenInvariants } from '../../../src/reporting/testing';
import { aClientOf } from '../../support/a-simulator';
import { describeOnEachDatabase } from '../../support/db';
import { customer, kept, madePayment } from './made-payment';
import { aCollectingScene, type CollectingScene } from './scene';

const options = { actor: jobActor('test'), dryRun: false };

describeOnEachDatabase('an operation on a payment', (harness) => {
  let scene: CollectingScene;

  beforeEach(async () => {
    scene = await aCollectingScene(harness.database);
  });

  afterEach(async () => {
    await scene.close();
    expect(await harness.database.read(brokenInvariants)).toEqual([]);
  });

  async function held(type = 'wallet') {
    const payment = await madePayment(scene, { kind: 'preauthorization' });
    await customer(scene, payment, 'pay', { type });
    await checkPaymentStatus(scene.deps, payment.trackingId);
    await scene.pass(MINUTE_MS);
    return payment;
  }

  async function paid(overrides = {}) {
    const payment = await madePayment(scene, overrides);
    await customer(scene, payment, 'pay');
    await checkPaymentStatus(scene.deps, payment.trackingId);
    await scene.pass(MINUTE_MS);
    return payment;
  }

  const loseAnswer = (operation: string) =>
    scene.control('POST', '/faults', { operation, fault: { kind: 'reset_after' } });

  const act: Readonly<Record<PaymentOperationKind, (payment: Payment) => Promise<OperationOutcome>>> = {
    capture: ({ trackingId }) => capturePayment(scene.deps, trackingId, undefined, options),
    cancel: ({ trackingId }) => cancelPayment(scene.deps, trackingId, options),
    refund: ({ trackingId }) => refundPayment(scene.deps, trackingId, options),
  };

  const itemRows = async () =>
    harness.database.read(async (session) => {
      const rows = await session('gateway_items as i').select('i.item_id', 'i.amount_millimes').orderBy('i.item_id');
      return rows.map((row) => [row['item_id'], Number(row['amount_millimes'])]);
    });

  test('captures a part of the held amount and posts it immediately', async () => {
    const payment = await held();
    expect(await kept(scene, payment)).toMatchObject({ payment: { status: 'PREAUTH_SUCCESS', itemId: undefined } });
    const outcome = await capturePayment(scene.deps, payment.trackingId, 30_000, options);
    expect(outcome).toMatchObject({ kind: 'done', operation: { state: 'done', amount: 30_000 } });
    expect(await itemRows()).toEqual([[`payment:${payment.gatewayId}`, 30_000]]);
    await scene.pass(MINUTE_MS);
    await checkPaymentStatus(scene.deps, payment.trackingId);
    const found = await kept(scene, payment);
    expect(found.payment).toMatchObject({ status: 'SUCCESS', captured: 30_000, nextCheckAt: undefined });
    expect(found.breaks).toEqual([]);
    expect(await itemRows()).toEqual([[`payment:${payment.gatewayId}`, 30_000]]);
    await expect(refundPayment(scene.deps, payment.trackingId, options)).rejects.toMatchObject({ code: 'conflict' });
    const audit = await harness.database.read((session) =>
      session('audit_records as a').select('a.action', 'a.subject'),
    );
    expect(audit).toMatchObject([{ action: 'payment.capture_requested', subject: `payment:${payment.trackingId}` }]);
  });

  test('cancels a hold, after which nothing is captured or posted', async () => {
    const payment = await held();
    expect(await cancelPayment(scene.deps, payment.trackingId, options)).toMatchObject({ kind: 'done' });
    await expect(capturePayment(scene.deps, payment.trackingId, undefined, options)).rejects.toMatchObject({
      code: 'conflict',
    });
    await scene.pass(MINUTE_MS);
    await checkPaymentStatus(scene.deps, payment.trackingId);
    expect((await kept(scene, payment)).payment).toMatchObject({ status: 'FAILURE' });
    expect(await itemRows()).toEqual([]);
  });

  test('that cancels frees the reference immediately, whatever status the gateway reports later', async () => {
    const payment = await madePayment(scene, { kind: 'preauthorization', reference: 'order-1', isLive: true });
    await customer(scene, payment, 'pay');
    await checkPaymentStatus(scene.deps, payment.trackingId);
    await scene.pass(MINUTE_MS);
    const outcome = await cancelPayment(scene.deps, payment.trackingId, options);
    const at = scene.clock.now();
    // A status check that was asked for before the cancel is not the one that it waits for.
    const waiting = { isLive: false, triggeredAt: at, nextCheckAt: at + MINUTE_MS / 2 };
    expect(outcome).toMatchObject({ kind: 'done', payment: waiting });
    expect((await kept(scene, payment)).payment).toMatchObject(waiting);
    await scene.pass(MINUTE_MS);
    await checkPaymentStatus(scene.deps, payment.trackingId);
    expect((await kept(scene, payment)).payment).toMatchObject({ isLive: false, nextCheckAt: undefined });
  });

  test('that cancels ends a hold that the gateway then forgets: no break and no further check', async () => {
    const payment = await held();
    const { trackingId } = payment;
    await scene.pass(60 * MINUTE_MS);
    await cancelPayment(scene.deps, trackingId, options);
    await harness.database.transact(async (session) => {
      await session('payments').where('tracking_id', trackingId).update({ gateway_id: 'forgotten' });
    });
    await scene.pass(MINUTE_MS);
    await checkPaymentStatus(scene.deps, trackingId);
    const found = await kept(scene, payment);
    expect(found.payment).toMatchObject({
      lastCheckError: 'not_found',
      nextCheckAt: undefined,
      triggeredAt: undefined,
    });
    expect(found.breaks).toEqual([]);
  });

  test('refunds a payment once under concurrent requests and reverses its posting', async () => {
    const payment = await paid();
    const asked = await Promise.allSettled([1, 2, 3].map(() => refundPayment(scene.deps, payment.trackingId, options)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of asked) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
    const { operations } = await kept(scene, payment);
    const refundId = operations[0]?.refundId ?? '';
    expect(await itemRows()).toEqual([
      [`payment:${payment.gatewayId}`, 50_000],
      [`refund:${refundId}`, -50_000],
    ]);
    await scene.pass(MINUTE_MS);
    await checkPaymentStatus(scene.deps, payment.trackingId);
    const found = await kept(scene, payment);
    expect(found.payment).toMatchObject({ settlementStatus: 'NOT_APPLICABLE', nextCheckAt: undefined });
    expect(found.breaks).toEqual([]);
  });

  test('of test money succeeds and is not posted', async () => {
    const payment = await paid({ isTest: true });
    expect(await refundPayment(scene.deps, payment.trackingId, options)).toMatchObject({ kind: 'done' });
    expect(await itemRows()).toEqual([]);
  });

  test.each([
    ['capture', 'payments.capture', [['payment', 40_000]]],
    ['cancel', 'payments.cancel', []],
    [
      'refund',
      'payments.refund',
      [
        ['payment', 50_000],
        ['refund:payment', -50_000],
      ],
    ],
  ] as const)('whose answer was lost is resolved by a status check: %s', async (kind, operation, items) => {
    const payment = kind === 'refund' ? await paid() : await held();
    const { trackingId } = payment;
    await loseAnswer(operation);
    const ask = {
      capture: () => capturePayment(scene.deps, trackingId, 40_000, options),
      cancel: () => cancelPayment(scene.deps, trackingId, options),
      refund: () => refundPayment(scene.deps, trackingId, options),
    }[kind];
    expect(await ask()).toMatchObject({ kind: 'unknown', operation: { state: 'unknown' } });
    await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
    await scene.pass(5 * MINUTE_MS);
    await checkOperations(scene.deps);
    await checkOperations(scene.deps);
    const found = await kept(scene, payment);
    expect(found.operations).toMatchObject([{ kind, state: 'done', nextCheckAt: undefined }]);
    expect(found.breaks).toEqual([]);
    expect(await itemRows()).toEqual(items.map(([name, amount]) => [`${name}:${payment.gatewayId}`, amount]));
  });

  test.each<PaymentOperationKind>(['capture', 'cancel', 'refund'])(
    'whose process died before sending it is checked for five days, then opens a break: %s',
    async (kind) => {
      const payment = kind === 'refund' ? await paid() : await held();
      await harness.database.transact((session) =>
        openPaymentOperations(session).add({
          id: newId(),
          trackingId: payment.trackingId,
          kind,
          state: 'sending',
          amount: kind === 'capture' ? millimes(50_000) : undefined,
          refundId: undefined,
          error: undefined,
          requestedAt: scene.clock.now(),
          endedAt: undefined,
          nextCheckAt: undefined,
          checks: 0,
          requestedBy: 'test',
        }),
      );
      await checkOperations(scene.deps);
      expect((await kept(scene, payment)).operations).toMatchObject([{ state: 'sending' }]);
      await scene.pass(6 * MINUTE_MS);
      await checkOperations(scene.deps);
      const checkedAt = scene.clock.now();
      expect((await kept(scene, payment)).operations).toMatchObject([
        { state: 'unknown', checks: 1, nextCheckAt: checkedAt + 60 * MINUTE_MS },
      ]);
      await scene.pass(60 * MINUTE_MS);
      for (let day = 0; day < 6; day += 1) {
        await checkOperations(scene.deps);
        await scene.pass(DAY_MS);
      }
      const found = await kept(scene, payment);
      const error = 'outcome_unknown: not seen in five days of status checks';
      const endedAt = checkedAt + 60 * MINUTE_MS + 5 * DAY_MS;
      expect(found.operations).toMatchObject([{ state: 'refused', checks: 7, nextCheckAt: undefined, error, endedAt }]);
      const isOutcomeUnknown = ({ breakClass }: { readonly breakClass: string }): boolean =>
        breakClass === 'outcome_unknown';
      expect(found.breaks.filter(isOutcomeUnknown)).toHaveLength(1);
      // A person who knows better may try again: that is his decision, and another row.
      expect(await act[kind](payment)).toMatchObject({ kind: 'done' });
      const after = await kept(scene, payment);
      expect(after.operations).toMatchObject([
        { state: 'refused', error },
        { kind, state: 'done' },
      ]);
      expect(after.breaks.filter(isOutcomeUnknown)).toMatchObject([{ status: 'open' }]);
    },
  );

  test('opens a break for a refund that is seen after it was recorded as never sent', async () => {
    const payment = await paid();
    const { trackingId } = payment;
    await scene.control('POST', '/faults', {
      operation: 'payments.refund',
      fault: { kind: 'reset_before' },
    });
    expect(await refundPayment(scene.deps, trackingId, options)).toMatchObject({ kind: 'unknown' });
    for (const ms of [5 * MINUTE_MS, 60 * MINUTE_MS, ...Array.from({ length: 6 }, () => DAY_MS)]) {
      await scene.pass(ms);
      await checkOperations(scene.deps);
    }
    expect((await kept(scene, payment)).operations).toMatchObject([{ state: 'refused' }]);
    await scene.deps.gateway.payments.refund({ paymentId: payment.gatewayId });
    await scene.pass(MINUTE_MS);
    await checkPaymentStatus(scene.deps, trackingId);
    const classes = (await kept(scene, payment)).breaks.map(({ breakClass }) => breakClass);
    expect(classes.sort()).toEqual(['outcome_unknown', 'refund_not_reflected']);
  });

  test('with outcome unknown is checked until it is resolved, even if its payment is no longer checked', async () => {
    const payment = await paid();
    const { trackingId } = payment;
    await scene.control('POST', '/faults', {
      operation: 'payments.refund',
      fault: { kind: 'reset_before' },
    });
    expect(await refundPayment(scene.deps, trackingId, options)).toMatchObject({ kind: 'unknown' });
    await scene.pass(5 * MINUTE_MS);
    await checkOperations(scene.deps);
    // It reached the gateway late: only a new status check can show it.
    await scene.deps.gateway.payments.refund({ paymentId: payment.gatewayId });
    await scene.pass(60 * MINUTE_MS);
    await checkOperations(scene.deps);
    expect((await kept(scene, payment)).operations).toMatchObject([{ state: 'done' }]);
  });

  test('that the gateway refuses schedules a status check, even if none was due', async () => {
    const payment = await madePayment(scene);
    await customer(scene, payment, 'pay', { type: 'wallet' });
    await checkPaymentStatus(scene.deps, payment.trackingId);
    expect((await kept(scene, payment)).payment.nextCheckAt).toBeUndefined();
    // Somebody gives it back at the gateway, not through us.
    const portal = aClientOf(scene, { clock: scene.clock });
    await portal.payments.refund({ paymentId: payment.gatewayId });
    const now = scene.clock.now();
    const soon = { triggeredAt: now, nextCheckAt: now + 30_000 };
    const outcome = await refundPayment(scene.deps, payment.trackingId, options);
    expect(outcome).toMatchObject({ kind: 'refused', isCheckedAgain: true, payment: soon });
    expect((await kept(scene, payment)).payment).toMatchObject(soon);
    await scene.pass(30_000);
    expect(await scene.payments.poll()).toMatchObject({ checked: 1, left: 0 });
    const found = await kept(scene, payment);
    expect(found.payment).toMatchObject({ triggeredAt: undefined, settlementStatus: 'NOT_APPLICABLE' });
    expect(found.breaks).toMatchObject([{ breakClass: 'refund_not_reflected', amount: 50_000 }]);
    expect(await itemRows()).toEqual([[`payment:${payment.gatewayId}`, 50_000]]);
    const shown = await scene.payments.show(payment.gatewayId);
    expect(paymentWords(shown, scene.deps.calendar)).toContain('refunded at the gateway without a refund of Millime');
  });

  test.each([
    ['capture', 403],
    ['capture', 429],
    ['cancel', 403],
    ['refund', 429],
  ] as const)('schedules a status check after a failed answer: %s with %s', async (kind, code) => {
    const payment = kind === 'refund' ? await paid() : await held();
    const body = { result: { status: code, message: 'No' } };
    const operation = `payments.${kind}`;
    await scene.control('POST', '/faults', { operation, fault: { kind: 'status', code, processed: false, body } });
    expect(await act[kind](payment)).toMatchObject({ kind: 'refused', isCheckedAgain: true });
    const now = scene.clock.now();
    expect((await kept(scene, payment)).payment).toMatchObject({ triggeredAt: now, nextCheckAt: now + 30_000 });
  });

  test('that was not sent leaves the payment unchanged', async () => {
    const payment = await paid();
    const before = (await kept(scene, payment)).payment;
    // A port that nobody listens on.
    const gateway = aClientOf({ ...scene, baseUrl: 'http://127.0.0.1:1' }, { clock: scene.clock });
    const outcome = await refundPayment({ ...scene.deps, gateway }, payment.trackingId, options);
    expect(outcome).toMatchObject({ kind: 'refused', isCheckedAgain: false });
    expect((await kept(scene, payment)).payment).toEqual(before);
  });

  test('that the gateway refuses may be tried again', async () => {
    const payment = await held();
    const body = { result: { status: 403, message: 'Forbidden' } };
    const fault = { kind: 'status', code: 403, processed: false, body };
    await scene.control('POST', '/faults', { operation: 'payments.capture', fault });
    const first = await capturePayment(scene.deps, payment.trackingId, undefined, options);
    expect(first).toMatchObject({ kind: 'refused', operation: { state: 'refused' } });
    const second = await capturePayment(scene.deps, payment.trackingId, undefined, options);
    expect(second).toMatchObject({ kind: 'done' });
    expect(await itemRows()).toEqual([[`payment:${payment.gatewayId}`, 50_000]]);
  });

  test('checks the status first if an old state forbids it', async () => {
    const payment = await madePayment(scene);
    await checkPaymentStatus(scene.deps, payment.trackingId);
    await customer(scene, payment, 'pay');
    await expect(refundPayment(scene.deps, payment.trackingId, options)).rejects.toMatchObject({ code: 'conflict' });
    await scene.pass(MINUTE_MS);
    expect(await refundPayment(scene.deps, payment.trackingId, options)).toMatchObject({ kind: 'done' });
  });

  test('checks the status first if a state recorded by a fast clock forbids it', async () => {
    const payment = await madePayment(scene);
    const lastCheckAt = scene.clock.now() + 10 * MINUTE_MS;
    await harness.database.transact((session) => openPaymentStore(session).change(payment, { lastCheckAt }));
    await customer(scene, payment, 'pay');
    expect(await refundPayment(scene.deps, payment.trackingId, options)).toMatchObject({ kind: 'done' });
  });

  test.each([0, -1, 1.5, 50_001, 2 ** 53])('does not capture %s of 50,000', async (amount) => {
    const payment = await held();
    await expect(capturePayment(scene.deps, payment.trackingId, amount, options)).rejects.toMatchObject({
      code: 'bad_input',
    });
  });

  test('is validated and not sent in a dry run', async () => {
    const payment = await held();
    const dry = { ...options, dryRun: true };
    expect(await capturePayment(scene.deps, payment.trackingId, 1, dry)).toMatchObject({ kind: 'checked' });
    await expect(refundPayment(scene.deps, payment.trackingId, dry)).rejects.toMatchObject({ code: 'conflict' });
    expect((await kept(scene, payment)).operations).toEqual([]);
    await capturePayment(scene.deps, payment.trackingId, 1, options);
    await expect(cancelPayment(scene.deps, payment.trackingId, dry)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('needs its scope', async () => {
    const actor = { kind: 'api_key', name: 'shop', keyId: 'k', scopes: new Set(['payments:write'] as const) } as const;
    const payment = await paid();
    await expect(refundPayment(scene.deps, payment.trackingId, { actor, dryRun: true })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  test('performed outside Millime opens a break and posts nothing', async () => {
    const payment = await paid();
    await scene.deps.gateway.payments.refund({ paymentId: payment.gatewayId });
    await checkPaymentStatus(scene.deps, payment.trackingId);
    const found = await kept(scene, payment);
    expect(found.breaks).toMatchObject([{ breakClass: 'refund_not_reflected', amount: 50_000 }]);
    expect(await itemRows()).toEqual([[`payment:${payment.gatewayId}`, 50_000]]);
  });
});
