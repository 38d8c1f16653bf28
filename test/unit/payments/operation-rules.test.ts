import { describe, expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import { operationFault } from '../../../src/payments/operations/operation-rules';
import { aPayment } from '../../support/factories/a-payment';

const refund = { kind: 'refund', amount: undefined } as const;

describe('a refund of a pre-authorization', () => {
  test('that is only held is no refund: it is to be cancelled', () => {
    const held = aPayment({ kind: 'preauthorization', status: 'PREAUTH_SUCCESS' });
    expect(operationFault(held, refund)).toBe('the money is only held; cancel the payment');
  });

  test.each([
    ['as a look has shown', { status: 'SUCCESS' }],
    ['as only the answer to the capture has said', { status: 'PREAUTH_SUCCESS', captured: millimes(3_000) }],
  ])('that was captured, %s, is not for the gateway', (_, fields) => {
    const captured = aPayment({ kind: 'preauthorization', ...fields });
    expect(operationFault(captured, refund)).toBe(
      'a captured pre-authorization cannot be refunded through the gateway',
    );
  });

  test.each(['PENDING', 'FAILURE'])('that is %s is refused with that word', (status) => {
    const payment = aPayment({ kind: 'preauthorization', status });
    expect(operationFault(payment, refund)).toBe(`expected a payment that succeeded, got ${status}`);
  });
});
