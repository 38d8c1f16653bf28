// Goal: an authentic subscription event of section 6.4 is read exactly, and refused only when it cannot be one.
// Method: one good event, correctly signed, with one field changed at a time.
import { describe, expect, test } from '@jest/globals';
import { deliverSubscription, PAYMENT_BODY, reasonOf, SUBSCRIPTION_BODY } from '../../fixtures/webhooks/webhook-given';

describe('subscription events', () => {
  test.each([
    'subscription.activated',
    'subscription.incomplete_expired',
    'subscription.charge.succeeded',
    'subscription.charge.failed',
    'subscription.past_due',
    'subscription.reactivated',
    'subscription.unpaid',
    'subscription.canceled',
    'subscription.completed',
    'subscription.updated',
    'subscription.paused',
  ])('%s is read, known or not', (event) => {
    const webhook = deliverSubscription({ ...SUBSCRIPTION_BODY, event });
    expect(webhook).toMatchObject({ kind: 'authentic', version: 'subscription', event: { event } });
  });

  test('an event that is about no charge has nulls, and fields that may be null may be absent', () => {
    const none = { payment_id: null, period_start: null, period_end: null, attempt: null };
    const absent = { payment_id: undefined, period_start: undefined, period_end: undefined, attempt: undefined };
    const event = { paymentId: null, periodStart: null, periodEnd: null, attempt: null };
    expect(deliverSubscription({ ...SUBSCRIPTION_BODY, ...none })).toMatchObject({ kind: 'authentic', event });
    expect(deliverSubscription({ ...SUBSCRIPTION_BODY, ...absent })).toMatchObject({ kind: 'authentic', event });
  });

  test('an attempt beyond the third is read', () => {
    expect(deliverSubscription({ ...SUBSCRIPTION_BODY, attempt: 17 })).toMatchObject({ event: { attempt: 17 } });
  });

  test('the target is not looked at', () => {
    expect(reasonOf(deliverSubscription(SUBSCRIPTION_BODY, { target: '' }))).toBe('authentic');
  });

  test('a payment webhook is not taken for a subscription event', () => {
    expect(reasonOf(deliverSubscription(PAYMENT_BODY))).toBe('wrong_family');
    expect(reasonOf(deliverSubscription({ ...PAYMENT_BODY, subscription_id: 'sub_1' }))).toBe('wrong_family');
  });

  test.each([
    ['event', [undefined, null, '', 1]],
    ['event_id', [undefined, null, '', 1]],
    ['created', [undefined, null, '2026-03-02']],
    ['subscription_id', [undefined, null, '', 1]],
    ['payment_id', ['', 1, {}]],
    ['status', [undefined, null, 1]],
    ['developer_tracking_id', [undefined, null, 1]],
    ['amount', [undefined, null, '', -1, 1.5, '1,5']],
    ['currency', [undefined, null]],
    ['period_start', ['', '2026-02-30', '2026-03-01T00:00:00Z', 20260301]],
    ['period_end', ['', 'never']],
    ['attempt', ['1', -1, 0.5, true]],
    ['payment_method', [undefined, null]],
  ])('an event whose %s is of another kind is refused', (name, values) => {
    for (const value of values) {
      expect(deliverSubscription({ ...SUBSCRIPTION_BODY, [name]: value })).toEqual({
        kind: 'rejected',
        reason: 'bad_body',
      });
    }
  });
});
