import { paymentQueryContent, signWebhook } from '../../../src/gateway';
import type { Instant } from '../../../src/kernel';
import type { IncomingWebhook } from '../../../src/webhooks/webhooks';

export const KEY = 'sk_test_private_part';
export const PREVIOUS_KEY = 'sk_test_private_part_before';

export interface SignedAs {
  readonly at: Instant;
  readonly key?: string;
}

/** A payment event of version 2 as the gateway writes it. */
export function paymentBody(overrides: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    event: 'payment.succeeded',
    event_id: 'evt_1',
    created: '2026-03-02T09:00:00+01:00',
    payment_id: 'pay_1',
    developer_tracking_id: 'order-7',
    amount: 125_500,
    currency: 'TND',
    payment_method: 'card',
    ...overrides,
  });
}

export function subscriptionBody(overrides: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    event: 'subscription.charge.succeeded',
    event_id: 'evt_2',
    created: '2026-03-02T09:00:00+01:00',
    subscription_id: 'sub_1',
    payment_id: 'pay_2',
    status: 'active',
    developer_tracking_id: 'plan-7',
    amount: 30_000,
    currency: 'TND',
    period_start: '2026-03-01',
    period_end: '2026-04-01',
    attempt: 0,
    payment_method: 'service',
    ...overrides,
  });
}

export function signatureOf(content: string | Uint8Array, { at, key = KEY }: SignedAs): string {
  return signWebhook({ key, timestampSecs: Math.floor(at / 1_000), content });
}

export function signedPost(
  body: string | Uint8Array,
  signed: SignedAs,
  family: IncomingWebhook['family'] = 'payment',
): IncomingWebhook {
  return {
    family,
    method: 'POST',
    target: `/webhooks/${family}`,
    headers: { 'x-service-signature': [signatureOf(body, signed)] },
    rawBody: Buffer.from(body),
  };
}

/** Version 1; both values percent-encoded as they are to be sent. */
export function signedQuery(paymentId: string, success: string, signed: SignedAs): IncomingWebhook {
  const content = paymentQueryContent({ paymentId, success });
  return {
    family: 'payment',
    method: 'GET',
    target: `/webhooks/payment?${content}`,
    headers: { 'x-service-signature': [signatureOf(content, signed)] },
    rawBody: undefined,
  };
}
