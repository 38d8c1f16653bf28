// Goal: an authentic subscription event of section 6.4 is read exactly, and refused only if it is not one.
// Method: one valid event, correctly signed, with one field changed at a time.
import { describe, expect, test } from '@jest/globals';
import { deliverSubscription, PAYMENT_BODY, reasonOf, SUBSCRIPTION_BODY } from '../../fixtures/webhooks/webhook-given';

const readEvent = (body: object) => {
  const webhook = deliverSubscription(body);
  if (webhook.kind === 'rejected') throw new Error(webhook.reason);
  return webhook.event;
};

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
  ])('%s is recognized', (event) => {
    const webhook = deliverSubscription({ ...SUBSCRIPTION_BODY, event });
    expect(webhook).toMatchObject({ kind: 'authentic', version: 'subscription', event: { isKnown: true, event } });
  });

  test('an unknown event is returned with all readable fields', () => {
    const ending = {
      event: 'subscription.trial_ending',
      event_id: 'evt_3',
      subscription_id: 'sub_1',
      status: 'active',
    };
    expect(deliverSubscription({ ...ending, period_end: '2026-04-01', period_start: 'soon' })).toMatchObject({
      kind: 'authentic',
      event: {
        isKnown: false,
        event: 'subscription.trial_ending',
        eventId: 'evt_3',
        created: null,
        createdAssumedOffset: false,
        subscriptionId: 'sub_1',
        paymentId: null,
        status: 'active',
        developerTrackingId: null,
        amountMillimes: null,
        currency: null,
        periodStart: null,
        periodEnd: '2026-04-01',
        attempt: null,
        paymentMethod: null,
        dedupeKey: 'evt_3',
      },
    });
    expect(reasonOf(deliverSubscription({ ...ending, event_id: null }))).toBe('bad_body');
  });

  test('an unknown event keeps every stated field', () => {
    const { event: _given, ...known } = readEvent(SUBSCRIPTION_BODY);
    const { event: _other, ...unknown } = readEvent({ ...SUBSCRIPTION_BODY, event: 'subscription.paused' });
    const raw = expect.anything();
    expect(unknown).toEqual({ ...known, isKnown: false, raw });
  });

  test('an event without a charge has nulls, and a nullable field may be absent', () => {
    const none = { payment_id: null, period_start: null, period_end: null, attempt: null, payment_method: null };
    const absent = Object.fromEntries(Object.keys(none).map((name) => [name, undefined]));
    const updated = { ...SUBSCRIPTION_BODY, event: 'subscription.updated' };
    const event = {
      isKnown: true,
      paymentId: null,
      periodStart: null,
      periodEnd: null,
      attempt: null,
      paymentMethod: null,
    };
    expect(deliverSubscription({ ...updated, ...none })).toMatchObject({ kind: 'authentic', event });
    expect(deliverSubscription({ ...updated, ...absent })).toMatchObject({ kind: 'authentic', event });
  });

  test('an attempt after the third is accepted', () => {
    expect(deliverSubscription({ ...SUBSCRIPTION_BODY, attempt: 17 })).toMatchObject({ event: { attempt: 17 } });
  });

  test('the target is not read', () => {
    expect(reasonOf(deliverSubscription(SUBSCRIPTION_BODY, { target: '' }))).toBe('authentic');
  });

  test('a payment webhook is not accepted as a subscription event', () => {
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
    ['payment_method', [1, {}, false]],
  ])('an event whose %s has a wrong type is refused', (name, values) => {
    for (const value of values) {
      expect(deliverSubscription({ ...SUBSCRIPTION_BODY, [name]: value })).toEqual({
        kind: 'rejected',
        reason: 'bad_body',
      });
    }
  });
});
