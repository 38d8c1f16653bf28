import { describe, expect, test } from '@jest/globals';
import { nextPaymentStatus } from '../../../src/payments/status-checks/payment-status';

describe('the status of a payment', () => {
  test.each([
    [undefined, 'PENDING'],
    [undefined, 'SUCCESS'],
    ['PENDING', 'SUCCESS'],
    ['PENDING', 'FAILURE'],
    ['PENDING', 'EXPIRED'],
    ['PENDING', 'PREAUTH_SUCCESS'],
    ['PENDING', 'SYSTEM_FAILURE'],
    ['PENDING', 'A_NEW_WORD'],
    ['SYSTEM_FAILURE', 'PENDING'],
    ['A_NEW_WORD', 'SUCCESS'],
    ['PREAUTH_SUCCESS', 'SUCCESS'],
    ['PREAUTH_SUCCESS', 'FAILURE'],
    ['PREAUTH_SUCCESS', 'EXPIRED'],
    ['FAILURE', 'EXPIRED'],
    ['EXPIRED', 'FAILURE'],
  ])('moves from %s to %s', (current, observed) => {
    expect(nextPaymentStatus(current, observed)).toEqual({ kind: 'moved', status: observed });
  });

  test.each(['PENDING', 'SUCCESS', 'FAILURE', 'PREAUTH_SUCCESS', 'A_NEW_WORD'])(
    'stays %s when a status check repeats it',
    (status) => {
      expect(nextPaymentStatus(status, status)).toEqual({ kind: 'unchanged' });
    },
  );

  test.each([
    ['FAILURE', 'SUCCESS'],
    ['EXPIRED', 'SUCCESS'],
    ['EXPIRED', 'PREAUTH_SUCCESS'],
  ])('moves from %s to %s: a late success counts', (current, observed) => {
    expect(nextPaymentStatus(current, observed)).toEqual({ kind: 'late_success', status: observed });
  });

  test.each([
    ['SUCCESS', 'PENDING'],
    ['SUCCESS', 'FAILURE'],
    ['SUCCESS', 'EXPIRED'],
    ['SUCCESS', 'PREAUTH_SUCCESS'],
    ['SUCCESS', 'A_NEW_WORD'],
    ['FAILURE', 'PENDING'],
    ['EXPIRED', 'SYSTEM_FAILURE'],
    ['PREAUTH_SUCCESS', 'PENDING'],
  ])('does not go back from %s to %s', (current, observed) => {
    expect(nextPaymentStatus(current, observed)).toEqual({ kind: 'regressed' });
  });
});
