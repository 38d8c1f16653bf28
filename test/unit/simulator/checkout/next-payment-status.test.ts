import { describe, expect, test } from '@jest/globals';
import { nextPaymentStatus, type PaymentOutcome } from '../../../../src/simulator/checkout/next-payment-status';

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
