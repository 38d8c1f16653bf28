import { describe, expect, test } from '@jest/globals';
import { failPayment, payPayment } from '../../../../src/simulator/testing';
import { aCheckout, type CheckoutWorld } from './pack';

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

    for (const paymentId of [world.create(), failed, 'nobody', '__proto__', 7, undefined]) {
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
