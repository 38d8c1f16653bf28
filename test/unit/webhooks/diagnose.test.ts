import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Instant } from '../../../src/kernel';
import type { Diagnosis } from '../../../src/webhooks';
import { diagnose } from '../../../src/webhooks/diagnose';
import { KEY, paymentBody, PREVIOUS_KEY, signatureOf, subscriptionBody } from './signed-webhook';

// Goal: the diagnosis of a refused webhook states the reason of the refusal, without a secret.
// Method: requests with one fault each, as text or bytes, and the word that names the fault.

const AT: Instant = 1_772_438_400_000;
const TERMS = { keys: [KEY, PREVIOUS_KEY], secret: undefined, now: AT, timeZone: 'Africa/Tunis' };

function post(
  body: string | Uint8Array,
  signature = signatureOf(body, { at: AT }),
  path = '/webhooks/payment',
): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: example.tn\r\nX-Service-Signature: ${signature}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

function get(query: string, signed = query): Buffer {
  return Buffer.from(
    `GET /webhooks/payment?${query} HTTP/1.1\nX-Service-Signature: ${signatureOf(signed, { at: AT })}\n\n`,
  );
}

const said = (pasted: Uint8Array, terms: Partial<typeof TERMS> = {}): Diagnosis =>
  diagnose(pasted, { ...TERMS, ...terms });

describe('a valid pasted request', () => {
  test('is reported as authentic, with its event and key', () => {
    expect(said(post(paymentBody()))).toMatchObject({
      verdict: 'authentic',
      cause: 'authentic',
      details: { event: 'payment.succeeded', version: 'payment_v2', key: 'the current one', offBySecs: 0 },
    });
  });

  test('is reported as authentic with the previous key', () => {
    const body = paymentBody();
    const pasted = post(body, signatureOf(body, { at: AT, key: PREVIOUS_KEY }));
    expect(said(pasted)).toMatchObject({ verdict: 'authentic', details: { key: 'the previous one' } });
  });

  test('may be only an address with a header, and may use LF line ends', () => {
    const query = 'payment_id=pay_1&success=True';
    const pasted = `https://example.tn/webhooks/payment?${query}\nx-service-signature: ${signatureOf(query, { at: AT })}\n`;
    expect(said(Buffer.from(pasted))).toMatchObject({ verdict: 'authentic', details: { version: 'payment_v1' } });
  });

  test('may have trailing line ends if it states its body length', () => {
    const body = paymentBody();
    const head = `POST /webhooks/payment\nContent-Length: ${Buffer.byteLength(body)}\n`;
    const pasted = `${head}X-Service-Signature: ${signatureOf(body, { at: AT })}\n\n${body}\n\n`;
    expect(said(Buffer.from(pasted)).verdict).toBe('authentic');
  });

  test('is reported as stale with the difference when it is checked later or earlier', () => {
    const late = said(post(paymentBody()), { now: AT + 420_000 });
    expect(late).toMatchObject({ verdict: 'stale', cause: 'clock_skew', details: { offBySecs: 420 } });
    expect(late.explanation).toContain('420 s before');
    const early = said(post(paymentBody()), { now: AT - 420_000 });
    expect(early).toMatchObject({ verdict: 'stale', cause: 'clock_skew', details: { offBySecs: -420 } });
  });
});

const BODY = '{ "event": "payment.succeeded",\r\n "event_id": "évt/1", "payment_id": "p" }';
const QUERY = 'payment_id=a%2Fb+c&success=True';

test.each<[cause: string, pasted: Buffer]>([
  ['wrong_key', post(paymentBody(), signatureOf(paymentBody(), { at: AT, key: 'sk_of_somebody_else' }))],
  [
    'parsed_body',
    post(
      JSON.stringify(JSON.parse(BODY)),
      signatureOf('{"event": "payment.succeeded", "event_id": "\\u00e9vt/1", "payment_id": "p"}', { at: AT }),
    ),
  ],
  ['parsed_body', post(BODY, signatureOf(JSON.stringify(JSON.parse(BODY)), { at: AT }))],
  ['changed_newlines', post(BODY.replace(/\r\n/g, '\n'), signatureOf(BODY, { at: AT }))],
  ['changed_newlines', post(`${BODY}\n`, signatureOf(BODY, { at: AT }))],
  [
    'changed_encoding',
    post(Buffer.from(BODY, 'latin1').toString('latin1'), signatureOf(Buffer.from(BODY, 'latin1'), { at: AT })),
  ],
  ['body_not_signed', post(paymentBody(), signatureOf('', { at: AT }))],
  ['lower_case_success', get('payment_id=pay_1&success=true', 'payment_id=pay_1&success=True')],
  ['changed_success', get('payment_id=pay_1&success=True', 'payment_id=pay_1&success=False')],
  ['percent_encoding', get('payment_id=a/b+c&success=True', QUERY)],
  ['percent_encoding', get('payment_id=a%2fb+c&success=True', QUERY)],
  ['parameter_order', get(QUERY, 'success=True&payment_id=a%2Fb+c')],
  ['whole_query', get(`${QUERY}&shop=7`)],
  ['missing_parameter', get('payment_id=pay_1')],
  ['bad_success', get('payment_id=pay_1&success=yes')],
  ['milliseconds', post(paymentBody(), `t=${AT},v1=${'0'.repeat(64)}`)],
  ['bad_timestamp', post(paymentBody(), `v1=${'0'.repeat(64)}`)],
  ['duplicate_timestamp', post(paymentBody(), `t=1772438400,v1=${'0'.repeat(64)},t=1772438400`)],
  ['malformed_signature', post(paymentBody(), 't=1772438400,v1=abc')],
  ['missing_signature', Buffer.from(`POST /webhooks/payment HTTP/1.1\r\n\r\n${paymentBody()}`)],
  ['compressed_body', Buffer.from(`POST /webhooks/payment HTTP/1.1\r\nContent-Encoding: gzip\r\n\r\nx`)],
  ['bad_method', Buffer.from('PUT /webhooks/payment HTTP/1.1\r\n\r\n{}')],
  ['bad_body', post('{"event":"payment.succeeded"}')],
  ['wrong_family', post(subscriptionBody())],
  ['wrong_family', post(paymentBody(), undefined, '/webhooks/subscription')],
])('the diagnosis names the fault: %s', (cause, pasted) => {
  const diagnosis = said(pasted);
  expect(diagnosis).toMatchObject({ verdict: 'rejected', cause });
  expect(diagnosis.explanation).toMatch(/^[A-Z].*\.$/);
});

test.each([
  ['/webhooks/payment/', '/webhooks/payment'],
  ['/WEBHOOKS/PAYMENT', '/webhooks/payment'],
  ['/webhooks%2fpayment', '/webhooks/payment'],
  ['/hooks/payment', '/webhooks/payment'],
  ['/', '/webhooks/payment'],
  ['https://example.tn', '/webhooks/payment'],
  ['/webhooks/hint/an-unguessable-part/pos', '/webhooks/payment'],
  ['/webhooks/subscription/', '/webhooks/subscription'],
])('the diagnosis names an unknown path or one with another use: %s', (path, rightPath) => {
  const body = rightPath.endsWith('payment') ? paymentBody() : subscriptionBody();
  const diagnosis = said(post(body, undefined, path));
  expect(diagnosis).toMatchObject({ verdict: 'rejected', cause: 'wrong_path', details: { rightPath } });
  expect(diagnosis.explanation).toContain(rightPath);
  expect(JSON.stringify(diagnosis)).not.toContain('an-unguessable-part');
});

test('the diagnosis checks the path of a query and accepts an absolute address', () => {
  const query = 'payment_id=pay_1&success=True';
  const at = (address: string): Buffer =>
    Buffer.from(`GET ${address}?${query} HTTP/1.1\nX-Service-Signature: ${signatureOf(query, { at: AT })}\n\n`);
  expect(said(at('/payment'))).toMatchObject({ cause: 'wrong_path' });
  expect(said(at('https://example.tn/webhooks/payment'))).toMatchObject({ verdict: 'authentic' });
});

test('the diagnosis of a hint reports no signature and no wrong path', () => {
  const pasted = Buffer.from('POST /webhooks/hint/an-unguessable-part/pos HTTP/1.1\r\n\r\n{}');
  expect(said(pasted)).toMatchObject({ cause: 'missing_signature' });
});

const PUBLIC_KEY = 'pk_test_public_part';

test.each([
  ['a line break', `${KEY}\n`],
  ['a line break', `${KEY}\r\n`],
  ['a line break', `${PREVIOUS_KEY}\n`],
  ['a space', `${KEY} `],
  ['a space', ` ${KEY}`],
  ['quotation marks', `"${KEY}"`],
  ['the public key', PUBLIC_KEY],
  ['the public key', `${PUBLIC_KEY}\n`],
  ['both keys', `${PUBLIC_KEY}:${KEY}`],
])('the diagnosis names a common wrong key without showing it: %s', (named, key) => {
  for (const [content, pasted] of [
    [paymentBody(), (signature: string) => post(paymentBody(), signature)],
    [
      'payment_id=a%2F1&success=True',
      (signature: string) =>
        Buffer.from(`GET /webhooks/payment?payment_id=a%2F1&success=True\nX-Service-Signature: ${signature}\n\n`),
    ],
  ] as const) {
    const signature = `t=${AT / 1_000},v1=${createHmac('sha256', key)
      .update(`${AT / 1_000}.${content}`)
      .digest('hex')}`;
    const diagnosis = said(pasted(signature), { publicKey: PUBLIC_KEY } as object);
    expect(diagnosis).toMatchObject({ verdict: 'rejected', cause: 'wrong_key' });
    expect(diagnosis.explanation).toContain(named);
    for (const secret of [KEY, PUBLIC_KEY]) expect(JSON.stringify(diagnosis)).not.toContain(secret);
  }
});

test('the public key is not accepted as a key', () => {
  const body = paymentBody();
  const pasted = post(body, signatureOf(body, { at: AT, key: PUBLIC_KEY }));
  expect(said(pasted)).toMatchObject({ verdict: 'rejected', cause: 'wrong_key', details: { keysTried: 2 } });
});

test.each([
  [{ payment_method: null }, 'payment_method'],
  [{ amount: -1, currency: undefined }, 'amount, currency'],
])('the diagnosis names an unreadable field and reports that the message is stored: %j', (overrides, fields) => {
  const diagnosis = said(post(paymentBody(overrides)));
  expect(diagnosis).toMatchObject({ verdict: 'authentic', cause: 'unreadable_field', details: { fields } });
  expect(diagnosis.explanation).toContain(fields);
});

test('the diagnosis names unreadable fields without an event id, and none if the body is not an object', () => {
  const diagnosis = said(post(paymentBody({ event_id: 7, amount: -1 })));
  expect(diagnosis).toMatchObject({ verdict: 'rejected', cause: 'bad_body', details: { fields: 'event_id, amount' } });
  expect(diagnosis.explanation).toContain('event_id');
  expect(said(post('[]'))).toMatchObject({ cause: 'bad_body', details: { signature: 'correct' } });
});

test('the diagnosis names a body shorter than its stated length', () => {
  const body = paymentBody();
  const head = `POST /webhooks/payment\nContent-Length: ${body.length}\n`;
  const pasted = `${head}X-Service-Signature: ${signatureOf(body, { at: AT })}\n\n${body.slice(0, -9)}`;
  expect(said(Buffer.from(pasted))).toMatchObject({
    cause: 'incomplete_body',
    details: { bodyBytes: body.length - 9, contentLength: body.length },
  });
});

test('a given key is tried instead of the configured ones', () => {
  const body = paymentBody();
  const ofOther = post(body, signatureOf(body, { at: AT, key: 'sk_other' }));
  expect(said(ofOther, { secret: 'sk_other' } as object).verdict).toBe('authentic');
  const ours = said(post(body), { secret: 'sk_other' } as object);
  expect(ours).toMatchObject({ verdict: 'rejected', cause: 'wrong_key' });
  expect(ours.explanation).toContain('the key that is configured');
});

test('the diagnosis shows neither a key nor the expected signature, whatever the fault', () => {
  const body = paymentBody();
  const right = signatureOf(body, { at: AT }).split('v1=')[1] as string;
  for (const pasted of [
    post(body),
    post(body, signatureOf('', { at: AT })),
    post(body, `t=${Math.floor(AT / 1_000)},v1=${'0'.repeat(64)}`),
    post(body, 'nonsense'),
  ]) {
    const shown = JSON.stringify(said(pasted));
    expect(shown).not.toContain(right);
    expect(shown).not.toContain(KEY);
  }
});

test('the diagnosis names an input that is not a request, and a check without a key', () => {
  expect(() => said(Buffer.from('hello world and more'))).toThrow(expect.objectContaining({ code: 'bad_input' }));
  expect(() => said(Buffer.from(''))).toThrow(expect.objectContaining({ code: 'bad_input' }));
  expect(() => said(post(paymentBody()), { keys: [] })).toThrow(expect.objectContaining({ code: 'misconfigured' }));
});
