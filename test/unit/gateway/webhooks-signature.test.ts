// Goal: only a signature of an accepted key over these bytes, in exactly the form of section 6.1, is accepted.
// Method: one valid request with one wrong part at a time; every table row names its reason.
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { signWebhook, verifyPaymentWebhook, type WebhookHeaders } from '../../../src/gateway';
import {
  deliverPayment,
  deliverQuery,
  deliverSubscription,
  KEY,
  NOW,
  PAYMENT_BODY,
  reasonOf,
  signedPost,
  SUBSCRIPTION_BODY,
} from '../../fixtures/webhooks/webhook-given';

const BODY = JSON.stringify(PAYMENT_BODY);

/** A correct digest over whatever text stands for the time. */
const digestAt = (timestampText: string, key = KEY): string =>
  createHmac('sha256', key).update(`${timestampText}.${BODY}`).digest('hex');

const GOOD = digestAt(String(NOW));
const BOGUS = 'ab'.repeat(32);

const withHeaders = (headers: WebhookHeaders) => deliverPayment(BODY, { headers });
const withHeader = (value: string) => withHeaders({ 'x-service-signature': value });

describe('S6: the form of the signature header', () => {
  test.each([
    ['as the interface writes it', `t=${NOW},v1=${GOOD}`],
    ['with its parts in the other order', `v1=${GOOD},t=${NOW}`],
    ['with spaces after the comma', `t=${NOW},   v1=${GOOD}`],
    ['in upper-case hexadecimal', `t=${NOW},v1=${GOOD.toUpperCase()}`],
    ['beside schemes that we do not know', `t=${NOW},v0=junk,v1=${GOOD},v2=,sha_3=a b=c`],
    ['as the second of two signatures', `t=${NOW},v1=${BOGUS},v1=${GOOD}`],
    ['as the last of ten signatures', `t=${NOW},${`v1=${BOGUS},`.repeat(9)}v1=${GOOD}`],
  ])('is accepted %s', (_how, header) => {
    expect(reasonOf(withHeader(header))).toBe('authentic');
  });

  test.each([
    ['an empty one', '', 'missing_signature'],
    ['a bare digest', GOOD, 'malformed_signature'],
    ['a comma at the end', `t=${NOW},v1=${GOOD},`, 'malformed_signature'],
    ['another separator', `t=${NOW};v1=${GOOD}`, 'bad_timestamp'],
    ['a leading space', ` t=${NOW},v1=${GOOD}`, 'malformed_signature'],
    ['no time', `v1=${GOOD}`, 'bad_timestamp'],
    ['a time in upper case', `T=${NOW},v1=${GOOD}`, 'bad_timestamp'],
    ['two times', `t=${NOW},t=${NOW},v1=${GOOD}`, 'duplicate_timestamp'],
    ['the header twice, joined as Node joins them', `t=${NOW},v1=${GOOD}, t=${NOW},v1=${GOOD}`, 'duplicate_timestamp'],
    ['no v1', `t=${NOW},v0=${GOOD}`, 'no_v1'],
    ['a v1 in upper case', `t=${NOW},V1=${GOOD}`, 'no_v1'],
    ['an empty v1', `t=${NOW},v1=`, 'malformed_signature'],
    ['a digest that lacks a digit', `t=${NOW},v1=${GOOD.slice(1)}`, 'malformed_signature'],
    ['a digest with a digit too many', `t=${NOW},v1=${GOOD}0`, 'malformed_signature'],
    ['a digest with a letter that is no digit', `t=${NOW},v1=${GOOD.slice(1)}g`, 'malformed_signature'],
    ['a digest with junk behind it', `t=${NOW},v1=${GOOD}zz`, 'malformed_signature'],
    ['a space behind the digest', `t=${NOW},v1=${GOOD} `, 'malformed_signature'],
    ['a good v1 beside a malformed one', `t=${NOW},v1=${GOOD},v1=12`, 'malformed_signature'],
    ['eleven signatures, the good one first', `t=${NOW},v1=${GOOD}${`,v1=${BOGUS}`.repeat(10)}`, 'too_many_signatures'],
    ['a thousand signatures', `t=${NOW}${`,v1=${BOGUS}`.repeat(1_000)},v1=${GOOD}`, 'too_many_signatures'],
    ['the digest of something else', `t=${NOW},v1=${BOGUS}`, 'wrong_signature'],
  ])('%s is refused', (_what, header, reason) => {
    expect(withHeader(header)).toEqual({ kind: 'rejected', reason });
  });

  // Each is signed as it stands, so that only its form can be the reason.
  test.each([
    ['with trailing text', `${NOW}junk`],
    ['in milliseconds', `${NOW}000`],
    ['with a fraction', `${NOW}.0`],
    ['with a sign', `+${NOW}`],
    ['negative', `-${NOW}`],
    ['with a space before it', ` ${NOW}`],
    ['with a space behind it', `${NOW} `],
    ['in hexadecimal', '0x69a54b40'],
    ['with an exponent', '177243840e1'],
    ['of eight digits', '17724384'],
    ['of twelve digits', '001772438400'],
    ['in other digits', '١٧٧٢٤٣٨٤٠٠'],
    ['as an ISO date', '2026-03-02T08:00:00Z'],
    ['with a second equals sign', `${NOW}=${NOW}`],
    ['empty', ''],
  ])('a correctly signed time %s is refused', (_how, timestampText) => {
    expect(withHeader(`t=${timestampText},v1=${digestAt(timestampText)}`)).toEqual({
      kind: 'rejected',
      reason: 'bad_timestamp',
    });
  });

  test('the digits of the time are signed as written', () => {
    const padded = `0${NOW}`;
    expect(reasonOf(withHeader(`t=${padded},v1=${digestAt(padded)}`))).toBe('authentic');
    expect(reasonOf(withHeader(`t=${padded},v1=${GOOD}`))).toBe('wrong_signature');
  });
});

describe('S6: the headers', () => {
  const header = `t=${NOW},v1=${GOOD}`;

  test.each([
    ['in lower case, as Node gives it', { 'x-service-signature': header }],
    ['in the spelling of the interface', { 'X-Service-Signature': header }],
    ['as a list of one', { 'x-service-signature': [header] }],
    ['beside the absent one of another case', { 'x-service-signature': header, 'X-Service-Signature': undefined }],
  ])('the signature is found %s', (_how, headers) => {
    expect(reasonOf(withHeaders(headers))).toBe('authentic');
  });

  test.each([
    ['there is none', {}, 'missing_signature'],
    ['it is undefined', { 'x-service-signature': undefined }, 'missing_signature'],
    ['its list is empty', { 'x-service-signature': [] }, 'missing_signature'],
    ['it stands in a header of another name', { 'x-signature': header }, 'missing_signature'],
    ['it is a list of two, equal or not', { 'x-service-signature': [header, header] }, 'duplicate_header'],
    [
      'it stands there in two cases',
      { 'x-service-signature': header, 'X-SERVICE-SIGNATURE': header },
      'duplicate_header',
    ],
  ])('a webhook is refused when %s', (_what, headers, reason) => {
    expect(withHeaders(headers)).toEqual({ kind: 'rejected', reason });
    expect(deliverQuery('payment_id=p&success=True', { headers })).toEqual({ kind: 'rejected', reason });
    expect(deliverSubscription(SUBSCRIPTION_BODY, { headers })).toEqual({ kind: 'rejected', reason });
  });

  test('the headers are accepted as Node’s own type', () => {
    const headers: IncomingHttpHeaders = { host: 'shop.example', 'x-service-signature': header };
    expect(reasonOf(withHeaders(headers))).toBe('authentic');
  });

  test.each(['gzip', 'br', 'identity, gzip', ''])('a body with Content-Encoding %p is refused', (encoding) => {
    const headers = { 'x-service-signature': header, 'content-encoding': encoding };
    expect(withHeaders(headers)).toEqual({ kind: 'rejected', reason: 'compressed_body' });
  });

  test('a body with Content-Encoding identity is read', () => {
    expect(reasonOf(withHeaders({ 'x-service-signature': header, 'Content-Encoding': 'Identity' }))).toBe('authentic');
  });
});

describe('S6: the keys', () => {
  const withKeys = (keys: readonly string[], key = KEY) =>
    reasonOf(
      deliverPayment(BODY, { keys, headers: { 'x-service-signature': `t=${NOW},v1=${digestAt(String(NOW), key)}` } }),
    );

  test('the current and the previous key are both accepted, in either order', () => {
    expect(withKeys(['other', KEY])).toBe('authentic');
    expect(withKeys([KEY, 'other'])).toBe('authentic');
  });

  test('two keys verify two signatures in either order', () => {
    const old = digestAt(String(NOW), 'old');
    const headers = { 'x-service-signature': `t=${NOW},v1=${BOGUS},v1=${old}` };
    expect(reasonOf(deliverPayment(BODY, { headers, keys: ['new', 'old'] }))).toBe('authentic');
  });

  test('two signatures are accepted if each verifies with a configured key, as during a rotation', () => {
    const signatures = ['new', 'old'].map((key) => `v1=${digestAt(String(NOW), key)}`);
    for (const order of [signatures, [...signatures].reverse()]) {
      const headers = { 'x-service-signature': [`t=${NOW}`, ...order].join(',') };
      expect(reasonOf(deliverPayment(BODY, { headers, keys: ['new', 'old'] }))).toBe('authentic');
    }
  });

  test('outer spaces of a key are ignored', () => {
    expect(withKeys([` ${KEY}\n`])).toBe('authentic');
    expect(signWebhook({ key: `${KEY}\n`, timestampSecs: NOW, content: BODY })).toBe(`t=${NOW},v1=${GOOD}`);
  });

  test.each([[[]], [['']], [[' ', '\n']], [['other']], [[KEY.toUpperCase()]], [[`${KEY}x`]]])(
    'the keys %j do not verify the signature',
    (keys) => {
      expect(withKeys(keys)).toBe('wrong_signature');
    },
  );

  test('a signature with an empty key is never authentic', () => {
    expect(withKeys([''], '')).toBe('wrong_signature');
    expect(withKeys([' ', KEY], '')).toBe('wrong_signature');
  });

  test('an empty key does not sign', () => {
    expect(() => signWebhook({ key: ' ', timestampSecs: NOW, content: '' })).toThrow('empty key');
  });
});

describe('F12, S6: the time of a signature', () => {
  test.each([
    ['the same second', 0, 'authentic'],
    ['300 seconds ago', 300, 'authentic'],
    ['301 seconds ago', 301, 'stale'],
    ['a year ago', 31_536_000, 'stale'],
    ['in 300 seconds', -300, 'authentic'],
    ['in 301 seconds', -301, 'stale'],
    ['in ten years', -315_360_000, 'stale'],
    ['a part of a second more than 300 ago', 300.5, 'stale'],
  ])('a webhook signed %s (age %s s) is %s', (_when, age, kind) => {
    const now = NOW + age;
    expect(deliverPayment(BODY, { now })).toMatchObject({
      kind,
      version: 2,
      timestampSecs: NOW,
      event: { eventId: 'evt_1' },
    });
    expect(deliverQuery('payment_id=p&success=True', { now })).toMatchObject({
      kind,
      version: 1,
      event: { paymentId: 'p' },
    });
    expect(deliverSubscription(SUBSCRIPTION_BODY, { now })).toMatchObject({ kind, event: { subscriptionId: 'sub_1' } });
  });

  test('an old webhook with a wrong signature is refused as wrong, not as stale', () => {
    const headers = { 'x-service-signature': `t=${NOW},v1=${BOGUS}` };
    expect(reasonOf(deliverPayment(BODY, { headers, now: NOW + 9_999 }))).toBe('wrong_signature');
  });

  test('another time with the same digest is refused', () => {
    expect(reasonOf(withHeader(`t=${NOW + 1},v1=${GOOD}`))).toBe('wrong_signature');
  });
});

describe('S6: the method', () => {
  test.each(['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'get', 'post', 'Post', ''])('%p is refused', (method) => {
    expect(deliverPayment(BODY, { method })).toEqual({ kind: 'rejected', reason: 'bad_method' });
    expect(deliverSubscription(SUBSCRIPTION_BODY, { method })).toEqual({ kind: 'rejected', reason: 'bad_method' });
  });

  test('a subscription event by GET is refused', () => {
    expect(reasonOf(deliverSubscription(SUBSCRIPTION_BODY, { method: 'GET' }))).toBe('bad_method');
  });

  test('a signed query is not accepted as a signed body, nor a body as a query', () => {
    const content = 'payment_id=p&success=True';
    expect(reasonOf(verifyPaymentWebhook(signedPost(content)))).toBe('bad_body');
    expect(reasonOf(verifyPaymentWebhook({ ...signedPost(BODY), method: 'GET', target: `/w?${BODY}` }))).toBe(
      'missing_parameter',
    );
  });
});
