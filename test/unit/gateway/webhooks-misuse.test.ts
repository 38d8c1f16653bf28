// Goal: a programming error of the receiver is reported at the first request, never as a forged or a stale webhook.
// Method: one valid request with one wrong argument, as an untyped program may pass it; the sender's part stays valid.
import { describe, expect, test } from '@jest/globals';
import {
  isGatewayError,
  verifyPaymentWebhook,
  verifySubscriptionWebhook,
  type WebhookRequest,
} from '../../../src/gateway';
import { PAYMENT_BODY, reasonOf, signedPost } from '../../fixtures/webhooks/webhook-given';

const GOOD = signedPost(PAYMENT_BODY);

/** What stands here for a program whose types nobody checked. */
const misused = (more: object): WebhookRequest => ({ ...GOOD, ...more });

function refusedFields(verify: (request: WebhookRequest) => unknown, request: WebhookRequest): unknown {
  try {
    return verify(request);
  } catch (error) {
    return isGatewayError(error, 'validation')
      ? { operation: error.operation, fields: Object.keys(error.fields ?? {}) }
      : error;
  }
}

describe('the arguments of a verification', () => {
  test.each([
    ['now', 'in milliseconds', 1_772_438_400_000],
    ['now', 'absent', undefined],
    ['now', 'no number', Number.NaN],
    ['now', 'without an end', Number.POSITIVE_INFINITY],
    ['now', 'before all signatures', -1],
    ['now', 'a Date', new Date('2026-03-02T08:00:00Z')],
    ['now', 'a text', '1772438400'],
    ['keys', 'one text', 'sk_test_private_part'],
    ['keys', 'a list that holds no text', [undefined]],
    ['keys', 'absent', undefined],
    ['rawBody', 'a decoded object', PAYMENT_BODY],
    ['rawBody', 'a number', 5],
    ['headers', 'absent', undefined],
    ['headers', 'null', null],
    ['headers', 'a list, as rawHeaders is', ['x-service-signature', 't=1']],
    ['headers', 'a Headers, which has no fields of its own', new Headers({ 'x-service-signature': 't=1' })],
    ['headers', 'an object of numbers', { 'x-service-signature': 7 }],
    ['method', 'absent', undefined],
    ['target', 'absent', undefined],
    ['target', 'a URL', new URL('https://shop.example/w?payment_id=p&success=True')],
    ['timeZone', 'no zone', 'Africa/Nowhere'],
    ['timeZone', 'empty', ''],
    ['timeZone', 'a number', 1],
  ])('%s that is %s is named by sign and verify', (name, _how, value) => {
    const request = misused({ [name]: value });
    expect(refusedFields(verifyPaymentWebhook, request)).toEqual({ operation: 'verifyPaymentWebhook', fields: [name] });
    expect(refusedFields(verifySubscriptionWebhook, request)).toEqual({
      operation: 'verifySubscriptionWebhook',
      fields: [name],
    });
  });

  test('are all named if wrong, without their values', () => {
    const request = misused({ now: Number.NaN, keys: 'sk_secret' });
    expect(refusedFields(verifyPaymentWebhook, request)).toMatchObject({ fields: ['keys', 'now'] });
    expect(() => verifyPaymentWebhook(request)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('sk_') }),
    );
  });

  test.each([[undefined], [null], ['request'], [[]]])('are refused if they are %j', (given) => {
    const request: unknown = given;
    expect(refusedFields(verifyPaymentWebhook, request as WebhookRequest)).toMatchObject({ fields: ['arguments'] });
  });

  test('accept an empty object as the body of a GET, which is not read', () => {
    const request = misused({ method: 'GET', target: '/w?payment_id=p&success=True', rawBody: {} });
    expect(reasonOf(verifyPaymentWebhook(request))).toBe('wrong_signature');
  });

  test('accept a text as its UTF-8, and a text that lost bytes is not authentic', () => {
    const text = Buffer.from(GOOD.rawBody ?? '').toString('utf8');
    expect(reasonOf(verifyPaymentWebhook(misused({ rawBody: text })))).toBe('authentic');
    expect(reasonOf(verifyPaymentWebhook(misused({ rawBody: `${text}\ufffd` })))).toBe('wrong_signature');
  });

  test('accept any bytes, a fraction of a second and a zone in either case', () => {
    const rawBody = new Uint8Array(Buffer.from(GOOD.rawBody ?? ''));
    const request = misused({ rawBody, now: GOOD.now + 0.5, timeZone: 'africa/tunis' });
    expect(reasonOf(verifyPaymentWebhook(request))).toBe('authentic');
  });

  test('never raise for headers of the sender, whatever their names', () => {
    const headers = { ...GOOD.headers, get: 'a', constructor: 'b', ['__proto__']: 'c', forEach: ['d', 'e'] };
    expect(reasonOf(verifyPaymentWebhook(misused({ headers })))).toBe('authentic');
  });
});
