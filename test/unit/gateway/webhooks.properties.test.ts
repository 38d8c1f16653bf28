// Goal: no input makes verification throw, no flipped bit passes, and every signed content is recognized.
// Method: fast-check with inputs close to valid ones, because random ones fail at the first check.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  paymentQueryContent,
  signWebhook,
  verifyPaymentWebhook,
  verifySubscriptionWebhook,
  type WebhookRejectionReason,
} from '../../../src/gateway';
import { checkSignature } from '../../../src/gateway/webhooks/check-signature';
import {
  deliverPayment,
  deliverQuery,
  KEY,
  NOW,
  PAYMENT_BODY,
  reasonOf,
  signedPost,
  SUBSCRIPTION_BODY,
} from '../../fixtures/webhooks/webhook-given';

const REASONS = {
  bad_method: true,
  bad_target: true,
  missing_parameter: true,
  repeated_parameter: true,
  body_too_large: true,
  compressed_body: true,
  missing_signature: true,
  duplicate_header: true,
  malformed_signature: true,
  duplicate_timestamp: true,
  bad_timestamp: true,
  no_v1: true,
  too_many_signatures: true,
  wrong_signature: true,
  bad_payment_id: true,
  bad_success: true,
  bad_body: true,
  wrong_family: true,
} as const satisfies Record<WebhookRejectionReason, true>;

const key = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
const timestampSecs = fc.integer({ min: 100_000_000, max: 99_999_999_999 });
const bytes = fc.uint8Array({ maxLength: 400 });
const headersOf = (value: string) => ({ 'x-service-signature': value });

/** Turns one bit of ASCII text over, and stays ASCII. */
function flipBit(text: string, at: number, bit: number): string {
  const index = at % text.length;
  const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit));
  return text.slice(0, index) + flipped + text.slice(index + 1);
}

describe('S6: signing and verifying', () => {
  test('a signature by signWebhook verifies for any key, time and bytes', () => {
    fc.assert(
      fc.property(key, timestampSecs, bytes, fc.array(key, { maxLength: 3 }), (mine, now, content, others) => {
        const headers = headersOf(signWebhook({ key: mine, timestampSecs: now, content }));
        const checked = checkSignature({ headers, keys: [...others, mine], now }, content);
        expect(checked).toEqual({ kind: 'authentic', timestampSecs: now });
      }),
    );
  });

  test('any payment id is read back from a query of version 1', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.boolean(), (paymentId, success) => {
        const written = success ? 'True' : 'False';
        const content = paymentQueryContent({ paymentId: encodeURIComponent(paymentId), success: written });
        expect(deliverQuery(content)).toMatchObject({ kind: 'authentic', event: { paymentId, success } });
      }),
    );
  });

  test('any JSON object with the required fields is returned as raw', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (more) => {
        const text = JSON.stringify({ ...more, ...PAYMENT_BODY });
        const webhook = deliverPayment(text);
        const raw = webhook.kind === 'rejected' ? webhook.reason : webhook.event.raw;
        expect(JSON.stringify(raw)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test('a flipped bit of the body is refused', () => {
    const good = signedPost(PAYMENT_BODY);
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 7 }), (at, bit) => {
        const rawBody = Buffer.from(good.rawBody ?? []);
        const index = at % rawBody.length;
        rawBody.writeUInt8(rawBody.readUInt8(index) ^ (1 << bit), index);
        expect(reasonOf(verifyPaymentWebhook({ ...good, rawBody }))).toBe('wrong_signature');
      }),
    );
  });

  test('a flipped bit of the signature header is refused, unless it only changes the case of a digit', () => {
    const good = signedPost(PAYMENT_BODY);
    const header = signWebhook({ key: KEY, timestampSecs: NOW, content: good.rawBody ?? '' });
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 6 }), (at, bit) => {
        const changed = flipBit(header, at, bit);
        fc.pre(changed.toLowerCase() !== header.toLowerCase());
        expect(verifyPaymentWebhook({ ...good, headers: headersOf(changed) }).kind).toBe('rejected');
      }),
    );
  });

  test('a flipped bit of a signed value of version 1 is refused', () => {
    const content = 'payment_id=pay_7Hk%2Bq&success=True';
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 6 }), (at, bit) => {
        const target = `/webhooks/payment?${flipBit(content, at, bit)}`;
        expect(deliverQuery(content, { target }).kind).toBe('rejected');
      }),
    );
  });

  test('another key never verifies', () => {
    const good = signedPost(PAYMENT_BODY);
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 4 }), (keys) => {
        fc.pre(!keys.some((candidate) => candidate.trim() === KEY));
        expect(reasonOf(verifyPaymentWebhook({ ...good, keys }))).toBe('wrong_signature');
      }),
    );
  });
});

describe('S6: hostile input', () => {
  const good = signWebhook({ key: KEY, timestampSecs: NOW, content: JSON.stringify(PAYMENT_BODY) });
  const signatureText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constant(good),
    fc
      .array(fc.oneof(fc.constantFrom(...good.split(','), 't=', 'v1=', ''), fc.string()))
      .map((parts) => parts.join(',')),
  );
  const headers = fc.oneof(
    fc.dictionary(fc.string(), fc.string()),
    fc.record({
      'x-service-signature': fc.oneof(signatureText, fc.array(signatureText), fc.constant(undefined)),
      'content-encoding': fc.option(fc.constantFrom('gzip', 'identity'), { nil: undefined }),
    }),
  );
  const target = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.oneof(fc.constantFrom('payment_id=p', 'success=True', 'payment%5fid', '%', '#', '?'), fc.string()))
      .map((parts) => `/w?${parts.join('&')}`),
  );
  const rawBody = fc.oneof(
    bytes,
    fc.constant(undefined),
    fc.json().map((text) => Buffer.from(text)),
  );
  const request = fc.record({
    method: fc.oneof(fc.constantFrom('GET', 'POST'), fc.string()),
    target,
    headers,
    rawBody,
    keys: fc.array(fc.oneof(fc.string(), fc.constant(KEY))),
    now: fc.oneof(fc.double({ min: 0, max: 99_999_999_999, noNaN: true }), fc.constant(NOW)),
  });

  test('gets a documented reason, unless it is signed', () => {
    fc.assert(
      fc.property(request, (given) => {
        for (const webhook of [verifyPaymentWebhook(given), verifySubscriptionWebhook(given)]) {
          expect(REASONS).toHaveProperty(reasonOf(webhook));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('with a correct signature is read or refused, and never raises', () => {
    const mangled = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...Object.keys({ ...PAYMENT_BODY, ...SUBSCRIPTION_BODY })), fc.jsonValue()),
    );
    const body = fc.oneof(
      bytes,
      mangled.map((value) => ({ ...PAYMENT_BODY, ...Object(value) })),
      mangled.map((value) => ({ ...SUBSCRIPTION_BODY, ...Object(value) })),
    );
    const outcomes = { ...REASONS, authentic: true };
    fc.assert(
      fc.property(body, (given) => {
        const signed = signedPost(given);
        for (const webhook of [verifyPaymentWebhook(signed), verifySubscriptionWebhook(signed)]) {
          expect(outcomes).toHaveProperty(reasonOf(webhook));
          expect(reasonOf(webhook)).not.toBe('wrong_signature');
        }
      }),
      { numRuns: 500 },
    );
  });

  test('in a correctly signed query is read or refused, and never raises', () => {
    const ascii = fc.string({ unit: 'binary-ascii' });
    fc.assert(
      fc.property(ascii, ascii, (paymentId, success) => {
        const webhook = deliverQuery(paymentQueryContent({ paymentId, success }));
        expect({ ...REASONS, authentic: true }).toHaveProperty(reasonOf(webhook));
      }),
      { numRuns: 500 },
    );
  });
});
