import { describe, expect, test } from '@jest/globals';
import { failPayment, payPayment } from '../../../../src/simulator/testing';
import { at } from '../payouts/pack';
import { aCheckout, type CheckoutWorld } from './pack';

const NOT_CONFIRMED = { status: 400, body: { status: 'error', code: 'CONFIRMATION_FAILED' } };
const NOT_CANCELLED = { status: 400, body: { status: 'error', code: 'CANCELLATION_FAILED' } };

function aHold(more: Readonly<Record<string, unknown>> = {}): { world: CheckoutWorld; paymentId: string } {
  const world = aCheckout();
  const paymentId = world.create({ amount: 120_000, pre_authorization: true, accept_card: true, ...more });
  payPayment(world.simulation, paymentId, { type: 'card' });
  return { world, paymentId };
}

describe('A pre-authorization', () => {
  test('reserves money that is not owed, and its webhook reports success', () => {
    const { world, paymentId } = aHold({ webhook: 'https://merchant.example/hook' });

    expect(world.verified(paymentId)).toMatchObject({
      status: 'PREAUTH_SUCCESS',
      amount: 120_000,
      settlement_status: 'NOT_APPLICABLE',
    });
    expect(world.simulation.world.payoutBook.open).toEqual([]);
    expect(world.webhooks()).toMatchObject([{ kind: 'payment_v1', success: true }]);
  });

  test('is captured in full without an amount, and owed from the next working day', async () => {
    const { world, paymentId } = aHold();
    await world.advanceTo('2026-03-06 12:00');

    const answer = world.call('payments.capture', { body: { payment_id: paymentId } });

    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        result: {
          payment_id: paymentId,
          status: 'confirmed',
          amount: '120000',
          confirmed_at: '2026-03-06T12:00:00.000+01:00',
        },
      },
    });
    expect(world.simulation.world.payoutBook.open).toMatchObject([
      { itemId: `payment:${paymentId}`, amountMillimes: 120_000, availableAt: at('2026-03-09 09:00') },
    ]);
    expect(world.verified(paymentId)).toMatchObject({ status: 'SUCCESS', settlement_status: 'PROCESSING' });
  });

  test.each(['1', '40000', '120000'])('is captured in part with %s millimes, and only those are owed', (amount) => {
    const { world, paymentId } = aHold();

    const answer = world.call('payments.capture', { body: { payment_id: paymentId, amount } });

    expect(answer).toMatchObject({ status: 200, body: { result: { amount } } });
    expect(world.simulation.world.payoutBook.open).toMatchObject([{ amountMillimes: Number(amount) }]);
    expect(world.verified(paymentId)).toMatchObject({ status: 'SUCCESS', amount: Number(amount) });
  });

  test.each<[string, unknown]>([
    ['more than was reserved', '120001'],
    ['nothing', '0'],
    ['less than nothing', '-1'],
    ['an integer', 40_000],
    ['a fraction', '1.5'],
    ['an empty text', ''],
    ['null', null],
    ['far too much', '9999999999999999'],
  ])('is not captured for %s, and stays reserved', (_name, amount) => {
    const { world, paymentId } = aHold();

    expect(world.call('payments.capture', { body: { payment_id: paymentId, amount } })).toMatchObject(NOT_CONFIRMED);

    expect(world.payment(paymentId).hold).toBe('held');
    expect(world.simulation.world.payoutBook.open).toEqual([]);
  });

  test('is captured once, and cannot be cancelled afterwards', () => {
    const { world, paymentId } = aHold();
    world.call('payments.capture', { body: { payment_id: paymentId, amount: '40000' } });

    expect(world.call('payments.capture', { body: { payment_id: paymentId } })).toMatchObject(NOT_CONFIRMED);
    expect(world.call('payments.cancel', { body: { payment_id: paymentId } })).toMatchObject(NOT_CANCELLED);
    expect(world.simulation.world.payoutBook.open).toHaveLength(1);
  });

  test('is cancelled once, owes nothing, and cannot be captured or paid afterwards', () => {
    const { world, paymentId } = aHold();

    const answer = world.call('payments.cancel', { body: { payment_id: paymentId } });

    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        result: { payment_id: paymentId, status: 'cancelled', cancelled_at: '2026-03-02T10:00:00.000+01:00' },
      },
    });
    expect(world.call('payments.cancel', { body: { payment_id: paymentId } })).toMatchObject(NOT_CANCELLED);
    expect(world.call('payments.capture', { body: { payment_id: paymentId } })).toMatchObject(NOT_CONFIRMED);
    expect(payPayment(world.simulation, paymentId, { late: true })).toMatchObject({ kind: 'refused' });
    expect(world.verified(paymentId)).toMatchObject({ status: 'FAILURE', settlement_status: 'NOT_APPLICABLE' });
    expect(world.simulation.world.payoutBook.open).toEqual([]);
  });
});

describe('A payment without a reservation', () => {
  test('is neither captured nor cancelled: an unpaid pre-authorization, a paid standard payment, an unknown one', () => {
    const world = aCheckout();
    const paid = world.create();
    payPayment(world.simulation, paid);
    const unpaid = world.create({ amount: 120_000, pre_authorization: true });

    for (const paymentId of [paid, unpaid, 'unknown', '__proto__', 7, undefined]) {
      expect(world.call('payments.capture', { body: { payment_id: paymentId } })).toMatchObject(NOT_CONFIRMED);
      expect(world.call('payments.cancel', { body: { payment_id: paymentId } })).toMatchObject(NOT_CANCELLED);
    }
  });
});

const NOT_ALLOWED = {
  status: 400,
  body: { status: 'error', message: 'payment cannot be refunded', code: 'REFUND_NOT_ALLOWED' },
};

const refund = (world: CheckoutWorld, paymentId: unknown): unknown =>
  world.call('payments.refund', { body: { payment_id: paymentId } });

describe('A completed standard payment', () => {
  test('is refunded in full by a separate item', async () => {
    const world = aCheckout();
    const paymentId = world.create();
    payPayment(world.simulation, paymentId);
    await world.advanceTo('2026-03-02 11:00');

    expect(refund(world, paymentId)).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        result: {
          refund_id: expect.stringMatching(/^rf_/),
          payment_id: paymentId,
          amount: '25000',
          status: 'success',
          refunded_at: '2026-03-02T11:00:00.000+01:00',
        },
      },
    });
    expect(world.simulation.world.payoutBook.open).toMatchObject([
      { itemId: `payment:${paymentId}`, amountMillimes: 25_000 },
      {
        itemId: `refund:${world.payment(paymentId).refund?.refundId}`,
        refundOf: `payment:${paymentId}`,
        channel: 'wallet',
        amountMillimes: -25_000,
      },
    ]);
    expect(world.verified(paymentId)).toMatchObject({ status: 'SUCCESS', settlement_status: 'NOT_APPLICABLE' });
  });

  test('is refunded once', () => {
    const world = aCheckout();
    const paymentId = world.create();
    payPayment(world.simulation, paymentId);
    refund(world, paymentId);

    expect(refund(world, paymentId)).toMatchObject(NOT_ALLOWED);
    expect(world.simulation.world.payoutBook.open).toHaveLength(2);
  });

  test('is refunded even if it names a client, which the request does not show', () => {
    const world = aCheckout();
    const paymentId = world.create({ client_id: 'Leila B.' });
    payPayment(world.simulation, paymentId);

    expect(refund(world, paymentId)).toMatchObject({ status: 200 });
  });
});

describe("The refund of a test application's payment", () => {
  test('moves no money, even if the setting changed after the payment', () => {
    const world = aCheckout({ isTest: true });
    const paymentId = world.create();
    payPayment(world.simulation, paymentId);
    world.simulator.changeSettings({ isTest: false });

    expect(refund(world, paymentId)).toMatchObject({ status: 200 });
    expect(world.simulation.world.earned).toEqual([]);
  });

  test('is not applied to a real payment when the setting is enabled later', () => {
    const world = aCheckout();
    const paymentId = world.create();
    world.simulator.changeSettings({ isTest: true });
    payPayment(world.simulation, paymentId);

    expect(refund(world, paymentId)).toMatchObject({ status: 200 });
    expect(world.simulation.world.earned.map(({ amountMillimes }) => amountMillimes)).toEqual([25_000, -25_000]);
  });
});

describe('A payment that is not a completed standard payment', () => {
  test('is not refunded if it is pending, failed, unknown or has no id', () => {
    const world = aCheckout();
    const failed = world.create();
    failPayment(world.simulation, failed);

    for (const paymentId of [world.create(), failed, 'unknown', '__proto__', 7, undefined]) {
      expect(refund(world, paymentId)).toMatchObject(NOT_ALLOWED);
    }
    expect(world.simulation.world.payoutBook.open).toEqual([]);
  });

  test.each([
    ['captured pre-authorization', { amount: 25_000, pre_authorization: true }],
    ['split', { amount: 25_000, destination: [{ amount: 1_000, destination: '0123' }] }],
  ])('is not refunded as a %s', (_name, more) => {
    const world = aCheckout();
    const paymentId = world.create(more);
    payPayment(world.simulation, paymentId);
    world.call('payments.capture', { body: { payment_id: paymentId } });
    expect(world.verified(paymentId)).toMatchObject({ status: 'SUCCESS' });

    expect(refund(world, paymentId)).toMatchObject(NOT_ALLOWED);
  });
});
