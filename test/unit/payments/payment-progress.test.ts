import { describe, expect, test } from '@jest/globals';
import { type PaymentDetails, progressOf } from '../../../src/payments';
import { aPayment } from '../../support/factories/a-payment';

const NINE = Date.UTC(2026, 2, 2, 9);

function observed(settlementStatus: string | undefined, hour: number): PaymentDetails['observations'][number] {
  const none = { method: undefined, amount: undefined, detail: '' };
  const seen = { source: 'verify', status: 'SUCCESS', settlementStatus, observedAt: NINE + hour * 3_600_000 } as const;
  return { trackingId: '01KJQ3Z4000000000000000001', ...seen, ...none };
}

function progress(payment: Partial<PaymentDetails['payment']>, observations: PaymentDetails['observations'] = []) {
  return progressOf({ payment: aPayment(payment), observations, operations: [] });
}

describe('progressOf', () => {
  test.each([
    ['requested', 'queued'],
    ['sending', 'sending'],
    ['unknown', 'unknown'],
    ['abandoned', 'abandoned'],
  ] as const)('returns for a request that is %s the code %s, whatever status is stored', (requestState, code) => {
    expect(progress({ requestState, status: 'SUCCESS' })).toEqual({ code });
  });

  test.each([
    [undefined, 'created'],
    ['PP', 'waiting'],
    ['PREAUTH_SUCCESS', 'held'],
    ['SYSTEM_FAILURE', 'failed'],
    ['EXPIRED', 'expired'],
    ['PR', 'refunded'],
    ['NEW_WORD', 'other'],
  ])('returns for the status %s of the gateway the code %s', (status, code) => {
    expect(progress({ status, settlementStatus: 'AVAILABLE' })).toEqual({ code });
  });

  test.each([
    ['PROCESSING', 'not_yet'],
    ['NOT_APPLICABLE', 'refunded_elsewhere'],
    ['NEW_WORD', 'other'],
  ])(
    'returns for a paid payment with the settlement status %s the availability %s',
    (settlementStatus, availability) => {
      expect(progress({ status: 'SUCCESS', settlementStatus })).toEqual({ code: 'paid', availability });
    },
  );

  test('counts the availability from the last uninterrupted period', () => {
    const seen = [observed('AVAILABLE', 0), observed('PROCESSING', 1), observed('AVAILABLE', 2), observed('PAID', 3)];
    expect(progress({ status: 'SUCCESS', settlementStatus: 'PAID' }, seen)).toEqual({
      ...{ code: 'paid', availability: 'sent_to_bank' },
      availableSince: NINE + 2 * 3_600_000,
    });
  });
});
