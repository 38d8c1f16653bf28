// Goal: an authentic payment webhook is read exactly, and refused only if it is not one.
// Method: correctly signed requests with one unusual part each; the values of a query are signed as written.
import { describe, expect, test } from '@jest/globals';
import { WEBHOOK_BODY_BYTES_MAX } from '../../../src/gateway';
import {
  deliverPayment,
  deliverQuery,
  PAYMENT_BODY,
  reasonOf,
  SUBSCRIPTION_BODY,
} from '../../fixtures/webhooks/webhook-given';

const QUERY = 'payment_id=p%2F1&success=True';

describe('version 1', () => {
  test.each([
    ['True', true],
    ['true', true],
    ['TRUE', true],
    ['False', false],
    ['false', false],
    ['%54rue', true],
  ])('success=%s is read as %p', (written, success) => {
    const webhook = deliverQuery(`payment_id=p1&success=${written}`);
    expect(webhook).toMatchObject({ kind: 'authentic', version: 1, event: { paymentId: 'p1', success } });
  });

  test.each(['1', 'yes', 'Truee', 'True%20', 'T', 'null', '%zz', 'True,False'])(
    'a signed success=%s is refused',
    (written) => {
      expect(deliverQuery(`payment_id=p1&success=${written}`)).toEqual({ kind: 'rejected', reason: 'bad_success' });
    },
  );

  test('a failure and a later success of one payment have two dedupe keys in any letter case', () => {
    const keyOf = (success: string) => {
      const webhook = deliverQuery(`payment_id=p1&success=${success}`);
      return webhook.kind === 'rejected' ? webhook.reason : webhook.event.dedupeKey;
    };
    expect(keyOf('False')).not.toBe(keyOf('True'));
    expect(keyOf('true')).toBe(keyOf('True'));
  });

  test.each([
    ['in the other order', '/w?success=True&payment_id=p%2F1'],
    ['among other parameters', '/w?a=1&payment_id=p%2F1&b&success=True&=&c=%zz'],
    ['in an absolute address', 'http://shop.example/w?payment_id=p%2F1&success=True'],
    ['after a path of any form', '*?payment_id=p%2F1&success=True'],
  ])('is found in the target %s', (_how, target) => {
    expect(deliverQuery(QUERY, { target })).toMatchObject({ kind: 'authentic', event: { paymentId: 'p/1' } });
  });

  test.each([
    ['case of the success', '/w?payment_id=p%2F1&success=true', 'wrong_signature'],
    ['case of the percent-encoding', '/w?payment_id=p%2f1&success=True', 'wrong_signature'],
    ['percent-encoding undone', '/w?payment_id=p/1&success=True', 'wrong_signature'],
    ['other payment', '/w?payment_id=p%2F2&success=True', 'wrong_signature'],
    ['no query', '/w', 'missing_parameter'],
    ['an empty query', '/w?', 'missing_parameter'],
    ['no payment_id', '/w?success=True', 'missing_parameter'],
    ['an empty payment_id', '/w?payment_id=&success=True', 'missing_parameter'],
    ['no success', '/w?payment_id=p%2F1', 'missing_parameter'],
    ['a success without a value', '/w?payment_id=p%2F1&success', 'missing_parameter'],
    ['payment_id twice', `/w?${QUERY}&payment_id=p%2F1`, 'repeated_parameter'],
    ['payment_id twice, once empty', `/w?payment_id&${QUERY}`, 'repeated_parameter'],
    ['payment_id twice, once in disguise', `/w?payment%5Fid=q&${QUERY}`, 'repeated_parameter'],
    ['success twice', `/w?${QUERY}&success=False`, 'repeated_parameter'],
    ['names in upper case', '/w?PAYMENT_ID=p%2F1&SUCCESS=True', 'missing_parameter'],
    ['a question mark too many', '/w?x=?payment_id=p%2F1&success=True', 'missing_parameter'],
    ['parameters behind a fragment', `/w#?${QUERY}`, 'bad_target'],
    ['a fragment behind them', `/w?${QUERY}#`, 'bad_target'],
    ['a space', `/w?${QUERY} &a=1`, 'bad_target'],
    ['a letter beyond ASCII', '/w?payment_id=p\u00e9&success=True', 'bad_target'],
    ['a letter that one byte would cut', '/w?payment_id=\u0170%2F1&success=True', 'bad_target'],
    ['nothing at all', '', 'bad_target'],
    ['an endless query', `/w?${QUERY}&a=${'a'.repeat(20_000)}`, 'bad_target'],
  ])('a target with another %s is refused', (_what, target, reason) => {
    expect(deliverQuery(QUERY, { target })).toEqual({ kind: 'rejected', reason });
  });

  test('a signed payment_id with invalid percent-encoding is refused', () => {
    expect(reasonOf(deliverQuery('payment_id=%zz&success=True'))).toBe('bad_payment_id');
    expect(reasonOf(deliverQuery('payment_id=%ff&success=True'))).toBe('bad_payment_id');
  });

  test('a plus stays a plus, and a value may contain an equals sign', () => {
    expect(deliverQuery('payment_id=a+b==&success=True')).toMatchObject({ event: { paymentId: 'a+b==' } });
  });

  test('a body is not read', () => {
    expect(reasonOf(deliverQuery(QUERY, { rawBody: Buffer.from('{') }))).toBe('authentic');
  });
});

describe('version 2', () => {
  test('an absent developer_tracking_id is read like a null one', () => {
    const { developer_tracking_id: _given, ...without } = PAYMENT_BODY;
    expect(deliverPayment(without)).toMatchObject({ event: { developerTrackingId: null } });
    expect(deliverPayment({ ...without, developer_tracking_id: null })).toMatchObject({
      event: { developerTrackingId: null },
    });
  });

  test.each([
    ['a failure', { event: 'payment.failed' }, { isKnown: true, event: 'payment.failed' }],
    ['a method that we do not know', { payment_method: 'CASH' }, { paymentMethod: 'CASH' }],
    ['another currency, which is for the receiver to refuse', { currency: 'EUR' }, { currency: 'EUR' }],
    ['an amount in digits', { amount: '125500' }, { amountMillimes: 125_500 }],
    ['no amount', { amount: 0 }, { amountMillimes: 0 }],
    ['the largest amount', { amount: 9007199254740991 }, { amountMillimes: 9007199254740991 }],
    [
      'a local time',
      { created: '2026-03-02T09:00:00' },
      { created: '2026-03-02T08:00:00.000Z', createdAssumedOffset: true },
    ],
    ['a field of a later version', { settled: { by: [1] } }, { raw: { ...PAYMENT_BODY, settled: { by: [1] } } }],
  ])('%s is read', (_what, change, event) => {
    expect(deliverPayment({ ...PAYMENT_BODY, ...change })).toMatchObject({ kind: 'authentic', version: 2, event });
  });

  test('an unknown event is returned with all readable fields', () => {
    const { event_id: eventId, amount: amountMillimes, currency, created: _given, ...body } = PAYMENT_BODY;
    const expired = { event: 'payment.expired', event_id: eventId, currency, payment_id: body.payment_id };
    expect(deliverPayment(expired)).toMatchObject({
      kind: 'authentic',
      version: 2,
      event: {
        isKnown: false,
        event: 'payment.expired',
        eventId,
        created: null,
        createdAssumedOffset: false,
        paymentId: 'pay_1',
        developerTrackingId: null,
        amountMillimes: null,
        currency,
        paymentMethod: null,
        dedupeKey: eventId,
        raw: expired,
      },
    });
    expect(deliverPayment({ ...PAYMENT_BODY, event: 'payment.refunded' })).toMatchObject({
      event: { isKnown: false, created: '2026-03-02T08:00:00.000Z', amountMillimes, paymentMethod: 'card' },
    });
  });

  test.each([
    ['created', 'yesterday', 'created'],
    ['payment_id', 7, 'paymentId'],
    ['developer_tracking_id', {}, 'developerTrackingId'],
    ['amount', 1.5, 'amountMillimes'],
    ['currency', 788, 'currency'],
    ['payment_method', [], 'paymentMethod'],
  ])('an unknown event has null for a %s of a wrong type', (name, value, field) => {
    const webhook = deliverPayment({ ...PAYMENT_BODY, event: 'payout.sent', [name]: value });
    expect(webhook).toMatchObject({ kind: 'authentic', event: { isKnown: false, [field]: null } });
  });

  test('an unknown event needs an event id, which identifies a repeat', () => {
    for (const eventId of [undefined, null, '', 7]) {
      const body = { ...PAYMENT_BODY, event: 'payment.expired', event_id: eventId };
      expect(reasonOf(deliverPayment(body))).toBe('bad_body');
    }
  });

  test.each([
    ['event', [undefined, null, '', 1, {}]],
    ['event_id', [undefined, null, '', 7, ['evt_1']]],
    ['created', [undefined, null, '', 1772438400, 'yesterday', '2026-02-30T00:00:00Z']],
    ['payment_id', [undefined, null, '', 7, {}]],
    ['developer_tracking_id', [7, false, {}]],
    [
      'amount',
      [
        undefined,
        null,
        '',
        '1.0',
        '-1',
        '-0',
        '+1',
        ' 1',
        '01',
        '1e3',
        '0x1',
        -1,
        1.5,
        1e300,
        9007199254740992,
        '9007199254740992',
        true,
        [1],
      ],
    ],
    ['currency', [undefined, null, 788]],
    ['payment_method', [undefined, null, 1]],
  ])('a body whose %s is absent or of a wrong type is refused', (name, values) => {
    for (const value of values) {
      expect(deliverPayment({ ...PAYMENT_BODY, [name]: value })).toEqual({ kind: 'rejected', reason: 'bad_body' });
    }
  });

  test.each([
    '',
    ' ',
    '{',
    'null',
    '[]',
    '"text"',
    '7',
    '{}',
    `[${JSON.stringify(PAYMENT_BODY)}]`,
    '{"event":"payment.x",}',
  ])('the body %j is refused', (body) => {
    expect(deliverPayment(body)).toEqual({ kind: 'rejected', reason: 'bad_body' });
  });

  test('a body of brackets is refused before it is parsed', () => {
    expect(reasonOf(deliverPayment('['.repeat(60_000)))).toBe('bad_body');
  });

  test('fields of the prototype are not read', () => {
    const { event_id: _given, ...without } = PAYMENT_BODY;
    const text = JSON.stringify(without).replace('{', '{"__proto__":{"event_id":"evt_9"},');
    expect(reasonOf(deliverPayment(text))).toBe('bad_body');
  });

  test('the last value of a repeated key counts', () => {
    const text = JSON.stringify(PAYMENT_BODY).replace('{', '{"amount":1,"payment_id":"other",');
    expect(deliverPayment(text)).toMatchObject({ event: { amountMillimes: 125_500, paymentId: 'pay_1' } });
  });

  test('a complete body that is not UTF-8 is refused', () => {
    const [before = '', after = ''] = JSON.stringify({ ...PAYMENT_BODY, developer_tracking_id: '|' }).split('|');
    const withTracking = (bytes: readonly number[]) =>
      Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    expect(deliverPayment(withTracking([0xc3, 0xa9]))).toMatchObject({ event: { developerTrackingId: 'é' } });
    expect(reasonOf(deliverPayment(withTracking([0xe9])))).toBe('bad_body');
  });

  test('a byte order mark is part of the signed bytes and is skipped', () => {
    expect(reasonOf(deliverPayment(`\ufeff${JSON.stringify(PAYMENT_BODY)}`))).toBe('authentic');
  });

  test('64 kB are read, and one more byte is refused', () => {
    const text = JSON.stringify(PAYMENT_BODY);
    expect(reasonOf(deliverPayment(text.padEnd(WEBHOOK_BODY_BYTES_MAX)))).toBe('authentic');
    expect(reasonOf(deliverPayment(text.padEnd(WEBHOOK_BODY_BYTES_MAX + 1)))).toBe('body_too_large');
  });

  test('an absent body is refused', () => {
    expect(reasonOf(deliverPayment('', { rawBody: undefined }))).toBe('bad_body');
  });

  test('a body is not read before its signature is verified', () => {
    const headers = { 'x-service-signature': `t=1772438400,v1=${'0'.repeat(64)}` };
    expect(reasonOf(deliverPayment('{', { headers }))).toBe('wrong_signature');
  });

  test('a subscription event is not accepted as a payment event, even if it names a payment', () => {
    expect(reasonOf(deliverPayment(SUBSCRIPTION_BODY))).toBe('wrong_family');
  });

  test('the time zone of a local time can be set', () => {
    const body = { ...PAYMENT_BODY, created: '2026-03-02 09:00:00' };
    const webhook = deliverPayment(body, { timeZone: 'UTC' });
    expect(webhook).toMatchObject({ event: { created: '2026-03-02T09:00:00.000Z', createdAssumedOffset: true } });
  });
});
