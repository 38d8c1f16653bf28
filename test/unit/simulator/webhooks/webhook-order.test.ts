import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import type { WebhookMessage } from '../../../../src/simulator/webhooks/webhook-message';
import { decodeWebhookOrder, orderFits } from '../../../../src/simulator/webhooks/webhook-order';

const URL_TEXT = 'https://shop.example/in';
const V1: WebhookMessage = { kind: 'payment_v1', url: URL_TEXT, paymentId: 'P-1', success: true };
const V2: WebhookMessage = {
  kind: 'payment_v2',
  url: URL_TEXT,
  event: 'payment.failed',
  body: { payment_id: 'P-2', event: 'payment.failed' },
};
const SUBSCRIPTION: WebhookMessage = {
  kind: 'subscription',
  url: URL_TEXT,
  event: 'subscription.updated',
  body: { subscription_id: 'S-1', payment_id: null },
};
const HINT: WebhookMessage = { kind: 'hint', url: URL_TEXT, channel: 'pos', body: {} };

function refusedFieldsOf(value: unknown): readonly string[] {
  try {
    decodeWebhookOrder(value);
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error.details.map((detail) => detail.split(':')[0] ?? '');
    throw error;
  }
  return [];
}

describe('An order for a webhook fault', () => {
  test('applies once to the next webhook of any kind by default', () => {
    expect(decodeWebhookOrder({ fault: { kind: 'late' } })).toEqual({
      fault: { kind: 'late', minutes: 1_440 },
      match: {},
      times: 1,
    });
  });

  test.each([
    ['nothing', undefined, 'webhook fault'],
    ['no fault', {}, 'fault'],
    ['an unknown fault', { fault: { kind: 'eaten' } }, 'fault.kind'],
    ['a lateness of nothing', { fault: { kind: 'late', minutes: 0 } }, 'fault.minutes'],
    ['a time in the wrong unit', { fault: { kind: 'old_timestamp', minutes: 5 } }, 'fault'],
    ['an unknown sort', { fault: { kind: 'lost' }, match: { kind: 'payment' } }, 'match.kind'],
    ['an unknown condition', { fault: { kind: 'lost' }, match: { url: URL_TEXT } }, 'match'],
    ['an empty id', { fault: { kind: 'lost' }, match: { paymentId: '' } }, 'match.paymentId'],
    ['no times', { fault: { kind: 'lost' }, times: 0 }, 'times'],
  ])('is refused for %s, and names the field', (_what, value, field) => {
    expect(refusedFieldsOf(value)).toEqual([field]);
  });

  test.each([
    [{}, [V1, V2, SUBSCRIPTION, HINT]],
    [{ kind: 'payment_v1' }, [V1]],
    [{ paymentId: 'P-1' }, [V1]],
    [{ paymentId: 'P-2' }, [V2]],
    [{ subscriptionId: 'S-1' }, [SUBSCRIPTION]],
    [{ event: 'payment.failed' }, [V2]],
    [{ channel: 'pos' }, [HINT]],
    [{ channel: 'payout' }, []],
    [{ kind: 'subscription', paymentId: 'P-2' }, []],
  ])('with the match %j waits for a webhook that fits', (match, fitting) => {
    const order = decodeWebhookOrder({ fault: { kind: 'lost' }, match });
    expect([V1, V2, SUBSCRIPTION, HINT].filter((message) => orderFits(order, message))).toEqual(fitting);
  });

  test.each([
    ['lost', [V1, V2, SUBSCRIPTION, HINT]],
    ['unsigned', [V1, V2, SUBSCRIPTION]],
    ['lower_case_success', [V1]],
    ['unknown_event', [V2, SUBSCRIPTION]],
  ])('of %s waits for a webhook that it can change', (kind, fitting) => {
    const order = decodeWebhookOrder({ fault: { kind } });
    expect([V1, V2, SUBSCRIPTION, HINT].filter((message) => orderFits(order, message))).toEqual(fitting);
  });
});
