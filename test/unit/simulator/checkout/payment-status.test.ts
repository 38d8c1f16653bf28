import { describe, expect, test } from '@jest/globals';
import { nextPaymentStatus, type PaymentOutcome } from '../../../../src/simulator/checkout/next-payment-status';
import { payoutOf } from '../../../../src/simulator/checkout/settlement-status';
import { payPayment } from '../../../../src/simulator/testing';
import { aCheckout, type CheckoutWorld } from './pack';

const PENDING = { variant: 'standard', status: 'PENDING', hold: 'none', acceptCard: true } as const;
const PAID: PaymentOutcome = { outcome: 'success', type: 'wallet' };
const PAID_LATE: PaymentOutcome = { outcome: 'success', type: 'wallet', late: true };
const FAILED: PaymentOutcome = { outcome: 'failure', type: 'wallet' };
const BROKEN: PaymentOutcome = { outcome: 'system_failure', type: 'wallet' };

describe('interface section 3.1', () => {
  test.each([
    ['standard', PAID, 'SUCCESS'],
    ['binding', PAID, 'SUCCESS'],
    ['split', PAID, 'SUCCESS'],
    ['subscription', PAID, 'SUCCESS'],
    ['preauthorization', PAID, 'PREAUTH_SUCCESS'],
    ['standard', FAILED, 'FAILURE'],
    ['preauthorization', FAILED, 'FAILURE'],
    ['standard', BROKEN, 'SYSTEM_FAILURE'],
    ['subscription', BROKEN, 'FAILURE'],
  ] as const)('a pending payment of the variant %s moves by %j to %s', (variant, outcome, status) => {
    expect(nextPaymentStatus({ ...PENDING, variant }, outcome)).toEqual({ kind: 'moves', status });
  });

  test.each(['SUCCESS', 'PREAUTH_SUCCESS', 'FAILURE', 'EXPIRED', 'SYSTEM_FAILURE'] as const)(
    'leaves a payment in %s unchanged by any event before its end',
    (status) => {
      for (const outcome of [PAID, FAILED, BROKEN]) {
        expect(nextPaymentStatus({ ...PENDING, status }, outcome)).toEqual({ kind: 'refused', reason: 'not_pending' });
      }
    },
  );
});

describe('A late success', () => {
  test.each(['FAILURE', 'EXPIRED', 'SYSTEM_FAILURE'] as const)('pays a payment in %s', (status) => {
    expect(nextPaymentStatus({ ...PENDING, status }, PAID_LATE)).toEqual({ kind: 'moves', status: 'SUCCESS' });
  });

  test.each(['SUCCESS', 'PREAUTH_SUCCESS'] as const)('leaves a payment in %s unchanged', (status) => {
    expect(nextPaymentStatus({ ...PENDING, status }, PAID_LATE)).toMatchObject({ kind: 'refused' });
  });

  test('does not pay a reservation that the merchant cancelled', () => {
    const cancelled = { ...PENDING, variant: 'preauthorization', status: 'FAILURE', hold: 'cancelled' } as const;

    expect(nextPaymentStatus(cancelled, PAID_LATE)).toMatchObject({ kind: 'refused' });
  });
});

test('a card pays only if cards are accepted', () => {
  const card: PaymentOutcome = { outcome: 'success', type: 'card' };

  expect(nextPaymentStatus(PENDING, card)).toMatchObject({ kind: 'moves' });
  expect(nextPaymentStatus({ ...PENDING, acceptCard: false }, card)).toEqual({
    kind: 'refused',
    reason: 'card_not_accepted',
  });
});

const PLAN = { payouts: { cutTimes: ['16:00'], transferLagWorkingDays: 1 } };

const statusOf = (world: CheckoutWorld, paymentId: string): unknown => world.verified(paymentId)['settlement_status'];

describe('The settlement status of a card payment', () => {
  test('becomes processing, available, in payout and paid, each at its instant', async () => {
    const world = aCheckout(PLAN);
    const paymentId = world.create({ accept_card: true });
    payPayment(world.simulation, paymentId, { type: 'card' });

    const seen: unknown[] = [];
    for (const local of [
      '2026-03-02 16:01', // a cut on the day of the payment passes it by
      '2026-03-03 08:59',
      '2026-03-03 09:00',
      '2026-03-03 15:59',
      '2026-03-03 16:00',
      '2026-03-04 15:59',
      '2026-03-04 16:00',
    ]) {
      await world.advanceTo(local);
      seen.push(statusOf(world, paymentId));
    }

    expect(seen).toEqual(['PROCESSING', 'PROCESSING', 'AVAILABLE', 'AVAILABLE', 'IN_PAYOUT', 'IN_PAYOUT', 'PAID']);
  });

  test('becomes not applicable after a refund, even after its payout', async () => {
    const world = aCheckout(PLAN);
    const paymentId = world.create({ accept_card: true });
    payPayment(world.simulation, paymentId, { type: 'card' });
    await world.advanceTo('2026-03-05 10:00');
    expect(statusOf(world, paymentId)).toBe('PAID');

    world.call('payments.refund', { body: { payment_id: paymentId } });

    expect(statusOf(world, paymentId)).toBe('NOT_APPLICABLE');
  });
});

test.each(['wallet', 'mpayment'] as const)('a %s payment stays available after its payout', async (type) => {
  const world = aCheckout(PLAN);
  const paymentId = world.create();
  payPayment(world.simulation, paymentId, { type });

  await world.advanceTo('2026-03-10 10:00');

  expect(payoutOf(world.simulation, `payment:${paymentId}`)).toBeDefined();
  expect(statusOf(world, paymentId)).toBe('AVAILABLE');
});

test('an item is found in its own payout, even after later payouts', async () => {
  const world = aCheckout(PLAN);
  const first = world.create();
  payPayment(world.simulation, first);
  await world.advanceTo('2026-03-02 16:00');
  const second = world.create();
  payPayment(world.simulation, second);
  expect(payoutOf(world.simulation, `payment:${second}`)).toBeUndefined();
  await world.advanceTo('2026-03-03 16:00');

  const [before, after] = world.simulation.world.payoutBook.payouts;
  expect(payoutOf(world.simulation, `payment:${first}`)).toBe(before);
  expect(payoutOf(world.simulation, `payment:${second}`)).toBe(after);
  expect(before).not.toBe(after);
});
