import { describe, expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import { operationFault } from '../../../src/payments/operations/operation-rules';
import { aPayment } from '../../support/factories/a-payment';

const refund = { kind: 'refund', amount: undefined } as const;

describe('a refund of a pre-authorization', () => {
  test('is refused while the money is only held, with a request to cancel instead', () => {
    const held = aPayment({ kind: 'preauthorization', status: 'PREAUTH_SUCCESS' });
    expect(operationFault(held, refund)).toBe('the money is only held; cancel the payment');
  });

  test.each([
    ['as a look has shown', { status: 'SUCCESS' }],
    ['as only the answer to the capture has said', { status: 'PREAUTH_SUCCESS', captured: millimes(3_000) }],
  ])('is refused after the capture, %s', (_, fields) => {
    const captured = aPayment({ kind: 'preauthorization', ...fields });
    expect(operationFault(captured, refund)).toBe(
      'a captured pre-authorization cannot be refunded through the gateway',
    );
  });

  test.each(['PENDING', 'FAILURE'])('is refused at status %s, and the error names the status', (status) => {
    const payment = aPayment({ kind: 'preauthorization', status });
    expect(operationFault(payment, refund)).toBe(`expected a payment that succeeded, got ${status}`);
  });
});
