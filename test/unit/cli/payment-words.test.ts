import { describe, expect, test } from '@jest/globals';
import { paymentWords } from '../../../src/cli/payment-words';
import { businessCalendar, millimes } from '../../../src/kernel';
import type { PaymentDetails } from '../../../src/payments';
import { aPayment } from '../../support/factories/a-payment';
import { anObservation, anOperation } from './support/payment-rows';

const calendar = businessCalendar('Africa/Tunis');

function words(
  payment: Partial<PaymentDetails['payment']>,
  more: Partial<Pick<PaymentDetails, 'observations' | 'operations'>> = {},
): string {
  return paymentWords({ payment: aPayment(payment), observations: [], operations: [], ...more }, calendar);
}

describe('paymentWords', () => {
  test('prints since when a card payment is available, and that it is in no payout', () => {
    const observations = [
      anObservation({ observedAt: Date.UTC(2026, 2, 2, 9), settlementStatus: 'PROCESSING' }),
      anObservation({ observedAt: Date.UTC(2026, 2, 3, 9), settlementStatus: 'AVAILABLE' }),
      anObservation({ observedAt: Date.UTC(2026, 2, 4, 9), settlementStatus: 'AVAILABLE' }),
    ];
    const payment = { status: 'SUCCESS', method: 'card', settlementStatus: 'AVAILABLE', itemId: 'payment:pay_1' };
    expect(words(payment, { observations })).toBe(
      'paid by card, money available since 2026-03-03 10:00:00, not in a payout yet, in the ledger as payment:pay_1',
    );
  });

  test('counts from the last time that the money became available', () => {
    const observations = [
      anObservation({ observedAt: Date.UTC(2026, 2, 2, 9), settlementStatus: 'AVAILABLE' }),
      anObservation({ observedAt: Date.UTC(2026, 2, 3, 9), settlementStatus: 'PROCESSING' }),
      anObservation({ observedAt: Date.UTC(2026, 2, 4, 9), settlementStatus: 'IN_PAYOUT' }),
    ];
    expect(words({ status: 'SUCCESS', settlementStatus: 'IN_PAYOUT' }, { observations })).toContain(
      'money available since 2026-03-04 10:00:00, in a payout that is not sent yet',
    );
  });

  test('prints no payout of a wallet, for which the gateway reports none', () => {
    expect(words({ status: 'SUCCESS', method: 'wallet', settlementStatus: 'AVAILABLE' })).toBe(
      'paid by wallet, money available, not in the ledger',
    );
  });

  test('prints that the gateway refunded a payment without a refund of Millime, and where to read more', () => {
    const payment = {
      status: 'SUCCESS',
      method: 'wallet',
      settlementStatus: 'NOT_APPLICABLE',
      itemId: 'payment:pay_1',
    };
    const told = 'refunded at the gateway without a refund of Millime (break refund_not_reflected)';
    const unseen = [anOperation({ state: 'refused', error: 'outcome_unknown: not seen in five days of looking' })];
    expect(words(payment, { operations: unseen })).toContain('never seen at the gateway (break outcome_unknown)');
    const refused = [anOperation({ state: 'refused' })];
    expect(words(payment, { operations: refused })).toBe(
      `paid by wallet, ${told}, refund refused, in the ledger as payment:pay_1`,
    );
    expect(words(payment)).toContain(told);
    for (const state of ['sending', 'unknown', 'done'] as const) {
      expect(words(payment, { operations: [anOperation({ state })] })).not.toContain(told);
    }
  });

  test('prints that test money is never in the ledger', () => {
    expect(words({ status: 'SUCCESS', isTest: true })).toBe('paid, test money, never in the ledger');
  });

  test.each([
    ['PENDING', 'waiting for the customer'],
    ['PP', 'waiting for the customer'],
    ['EXPIRED', 'expired, nothing was paid'],
    ['SYSTEM_FAILURE', 'failed, nothing was paid'],
    ['PF', 'failed, nothing was paid'],
    ['PREAUTH_SUCCESS', 'held, to be captured or cancelled'],
    ['PR', 'paid, refunded'],
    ['NEVER_SEEN', 'gateway status NEVER_SEEN'],
  ])('has words for the status %s', (status, text) => {
    expect(words({ status })).toBe(text);
  });

  test.each([
    ['capture', 'sending', 'capture of 5,000 DT in transit'],
    ['capture', 'unknown', 'capture of 5,000 DT of unknown outcome; do not repeat it'],
    ['capture', 'done', 'capture of 5,000 DT done'],
    ['cancel', 'sending', 'cancel in transit'],
    ['cancel', 'done', 'cancel done'],
  ] as const)('asks for no capture of a hold whose %s is %s', (kind, state, text) => {
    const amount = kind === 'capture' ? millimes(5_000) : undefined;
    expect(
      words({ status: 'PREAUTH_SUCCESS', method: 'card' }, { operations: [anOperation({ kind, state, amount })] }),
    ).toBe(`held by card at the last status check, ${text}`);
  });

  test('asks for a capture again after the gateway refused one', () => {
    expect(
      words({ status: 'PREAUTH_SUCCESS' }, { operations: [anOperation({ kind: 'capture', state: 'refused' })] }),
    ).toBe('held, to be captured or cancelled, capture refused');
  });

  test('prints the last attempt of each kind of operation', () => {
    const operations = [
      anOperation({ id: '1', kind: 'refund', state: 'refused' }),
      anOperation({ id: '2', kind: 'refund', state: 'done', amount: millimes(5_000) }),
    ];
    expect(words({ status: 'SUCCESS', itemId: 'payment:pay_1' }, { operations })).toBe(
      'paid, refund of 5,000 DT done, in the ledger as payment:pay_1',
    );
  });

  test('prints no expected money after a refund', () => {
    const payment = { status: 'SUCCESS', settlementStatus: 'AVAILABLE' };
    expect(words(payment, { operations: [anOperation({ state: 'done' })] })).not.toContain('available');
    expect(words(payment, { operations: [anOperation({ state: 'refused' })] })).toContain('available');
  });

  test('warns not to repeat an operation with an unknown outcome', () => {
    expect(words({ requestState: 'unknown', requestError: 'timeout: no answer\n' })).toBe(
      'outcome unknown, do not repeat the request: timeout: no answer\\n',
    );
    expect(words({ status: 'SUCCESS' }, { operations: [anOperation({ state: 'unknown' })] })).toContain(
      'refund of unknown outcome; do not repeat it',
    );
  });

  test.each([
    ['requested', 'in the queue, not sent to the gateway yet'],
    ['sending', 'in transit to the gateway'],
    ['refused', 'refused'],
    ['abandoned', 'unresolved: the gateway never confirmed it, and it can no longer be paid'],
  ] as const)('says of a request that is %s what became of it, whatever else is known', (requestState, text) => {
    expect(words({ requestState, status: 'SUCCESS' })).toBe(text);
  });
});
