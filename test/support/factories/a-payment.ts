import { millimes, parseInstant } from '../../../src/kernel';
import type { Payment } from '../../../src/payments';
import { newPayment } from '../../../src/payments/testing';

const NINE_O_CLOCK = parseInstant('2026-03-02T09:00:00+01:00') ?? 0;

/** An attempt that the gateway has, and that nobody has paid or looked at. */
export function aPayment(overrides: Partial<Payment> = {}): Payment {
  const { amount = millimes(5_000), requestedAt = NINE_O_CLOCK } = overrides;
  const asked = newPayment({
    trackingId: '01KJQ3Z4000000000000000001',
    kind: 'standard',
    reference: undefined,
    agentId: undefined,
    amount,
    ourShare: amount,
    terms: {},
    isTest: false,
    requestState: 'sending',
    requestedAt,
    sentAt: requestedAt,
    recordedBy: 'test',
  });
  return { ...asked, requestState: 'made', gatewayId: 'pay_1', ...overrides };
}
