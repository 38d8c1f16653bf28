// Goal: Millime reads interface section 6.1 like an independent tool.
// Method: bytes and times in files, with signatures that openssl computed once.
import { describe, expect, test } from '@jest/globals';
import { signWebhook, verifyPaymentWebhook, verifySubscriptionWebhook } from '../../../src/gateway';
import { requestOf, webhookFixture } from '../../fixtures/webhooks/webhook-given';

const delivered = (name: string) => verifyPaymentWebhook(requestOf(webhookFixture(name)));

describe('signatures computed by openssl', () => {
  test.each(['payment-v1', 'payment-v1-other-order', 'payment-v2', 'subscription', 'not-utf8'])(
    '%s equals the computed signature',
    (name) => {
      const { key, timestampSecs, signature, bodyBase64, signedContent } = webhookFixture(name);
      const content = signedContent ?? Buffer.from(bodyBase64 ?? '', 'base64');
      expect(signWebhook({ key, timestampSecs, content })).toBe(`t=${timestampSecs},v1=${signature}`);
    },
  );

  test('a payment webhook of version 1 is authentic and read with decoded values', () => {
    expect(delivered('payment-v1')).toEqual({
      kind: 'authentic',
      version: 1,
      timestampSecs: 1_772_438_400,
      event: {
        paymentId: 'pay_7Hk+q/Z-9',
        success: true,
        dedupeKey: 'v1:pay_7Hk+q/Z-9:true',
        raw: { payment_id: 'pay_7Hk%2Bq%2FZ-9', success: 'True' },
      },
    });
  });

  test('version 1 is signed in the canonical order whatever the order of the query, and a plus stays a plus', () => {
    expect(delivered('payment-v1-other-order')).toMatchObject({
      kind: 'authentic',
      version: 1,
      event: { paymentId: 'a+b~c', success: false },
    });
  });

  test('a payment webhook of version 2 is authentic, read in camelCase, with unknown fields in raw', () => {
    const webhook = delivered('payment-v2');
    expect(webhook).toMatchObject({
      kind: 'authentic',
      version: 2,
      timestampSecs: 1_772_438_402,
      event: {
        event: 'payment.succeeded',
        eventId: 'evt_1',
        created: '2026-03-02T08:00:00.000Z',
        createdAssumedOffset: false,
        paymentId: '0d0f2f9e-6f3c-4a57-9a2b-8f0c1b6f1f11',
        developerTrackingId: 'café €',
        amountMillimes: 125_500,
        currency: 'TND',
        paymentMethod: 'card',
        dedupeKey: 'evt_1',
        raw: { amount: 125_500, later_field: [1.5, { a: null }] },
      },
    });
  });

  test('the same JSON in another spelling is not authentic', () => {
    const request = requestOf(webhookFixture('payment-v2'));
    const body: unknown = JSON.parse(Buffer.from(request.rawBody ?? []).toString('utf8'));
    const rawBody = Buffer.from(JSON.stringify(body));
    expect(verifyPaymentWebhook({ ...request, rawBody })).toEqual({ kind: 'rejected', reason: 'wrong_signature' });
  });

  test('a subscription event is authentic, its local time read in Tunis and its digits as millimes', () => {
    const request = requestOf(webhookFixture('subscription'));
    expect(verifySubscriptionWebhook(request)).toMatchObject({
      kind: 'authentic',
      version: 'subscription',
      event: {
        event: 'subscription.charge.failed',
        eventId: 'evt_2',
        created: '2026-03-02T08:00:00.123Z',
        createdAssumedOffset: true,
        subscriptionId: 'sub_1',
        paymentId: 'pay_2',
        status: 'past_due',
        developerTrackingId: 'plan-7',
        amountMillimes: 30_000,
        currency: 'TND',
        periodStart: '2026-03-01',
        periodEnd: '2026-04-01',
        attempt: 1,
        paymentMethod: 'service',
        dedupeKey: 'evt_2',
      },
    });
  });

  test('a byte outside UTF-8 is signed unchanged, and a replacement with equal text is refused', () => {
    const request = requestOf(webhookFixture('not-utf8'));
    const original = Buffer.from(request.rawBody ?? []);
    const altered = Buffer.from(original);
    altered[altered.indexOf(0xff)] = 0xfe;
    expect(altered.toString('utf8')).toBe(original.toString('utf8'));
    expect(verifyPaymentWebhook(request)).toEqual({ kind: 'rejected', reason: 'bad_body' });
    expect(verifyPaymentWebhook({ ...request, rawBody: altered })).toEqual({
      kind: 'rejected',
      reason: 'wrong_signature',
    });
  });
});
