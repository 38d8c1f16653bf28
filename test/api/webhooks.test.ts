import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Instant, parseInstant } from '../../src/kernel';
import { RawConnection } from '../support/raw-connection';
import { testRun } from '../support/test-run';
import { KEY, paymentBody, signatureOf, signedQuery, subscriptionBody } from '../unit/webhooks/signed-webhook';
import { type Api, count, describeApi, NOW, rows, SECRET_OF_ENVIRONMENT, startApi } from './support/api';
import type { Answer, Call } from './support/http-call';

// Goal: the gateway's webhooks are stored as sent, and no other sender stores anything or learns the reason of a
// refusal.
// Method: requests over a real connection to the whole server, on both databases; the stored rows are read back.

const HINT_TOKEN = 'an-unguessable-part-of-the-path-0123456789';
const GATEWAY = {
  GATEWAY_BASE_URL: 'http://127.0.0.1:9',
  GATEWAY_PUBLIC_KEY: 'pk_test',
  GATEWAY_PRIVATE_KEY: KEY,
  HINT_TOKEN,
};
const AT: Instant = parseInstant(NOW) ?? 0;
const BODY = paymentBody();
const SIGNATURE = signatureOf(BODY, { at: AT });
const QUERY = 'payment_id=pay_1&success=True';

const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, path = '/payment'): Call => ({
  method: 'POST',
  path: `/webhooks${path}`,
  headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body, { at: AT }), ...headers },
  body,
});
const get = (query: string, signature = signatureOf(query, { at: AT })): Call => ({
  path: `/webhooks/payment?${query}`,
  headers: { 'X-Service-Signature': signature },
});

/** The last hexadecimal digit of a signature, changed. */
const flipped = (signature: string): string => signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');

function expectAnswer({ status, text, headers }: Answer, wanted: number, error?: string): void {
  expect({ status, text }).toEqual({
    status: wanted,
    text: JSON.stringify(error === undefined ? { status: 'ok' } : { error }),
  });
  expect(headers['cache-control']).toBe('no-store');
}

describeApi(
  'webhook routes',
  (current) => {
    const stored = (api: Api): Promise<number> => count(api.millime, 'webhook_inbox');

    test('accept the three signed forms and keep them byte for byte', async () => {
      const { api } = current;
      const spaced = `${BODY}\n`;
      expectAnswer(await api.call(post(spaced)), 200);
      expectAnswer(await api.call(post(subscriptionBody(), {}, '/subscription')), 200);
      // The raw target decides: a percent sign that is decoded on the way would break the signature.
      const query = signedQuery('pay%2F7+x', 'False', { at: AT });
      const [signature = ''] = query.headers['x-service-signature'] ?? [];
      expectAnswer(await api.call({ path: query.target, headers: { 'X-Service-Signature': signature } }), 200);
      expectAnswer(await api.call(post(spaced)), 200);
      const kept = await rows(api.millime, 'webhook_inbox', ['event', 'content', 'times']);
      expect(kept.map((row) => [row['event'], String(row['content']), Number(row['times'])])).toEqual([
        ['payment.failed', 'payment_id=pay%2F7%2Bx&success=false', 1],
        ['payment.succeeded', spaced, 2],
        ['subscription.charge.succeeded', subscriptionBody(), 1],
      ]);
    });

    test('ignore other parameters, their order and an identity encoding', async () => {
      const { api } = current;
      const reordered = `shop=7&success=True&payment_id=pay_1`;
      expectAnswer(await api.call(get(reordered, signatureOf(QUERY, { at: AT }))), 200);
      expectAnswer(await api.call(post(BODY, { 'Content-Encoding': 'identity', 'Content-Type': 'text/plain' })), 200);
      expect(await stored(api)).toBe(2);
    });

    test.each<[what: string, call: Call]>([
      ['no signature', post(BODY, { 'X-Service-Signature': '' })],
      ['another key', post(BODY, { 'X-Service-Signature': signatureOf(BODY, { at: AT, key: 'sk_other' }) })],
      ['one bit of the signature', post(BODY, { 'X-Service-Signature': flipped(SIGNATURE) })],
      ['one byte of the body', post(BODY.replace('125500', '125501'), { 'X-Service-Signature': SIGNATURE })],
      ['written again', post(JSON.stringify(JSON.parse(BODY), null, 1), { 'X-Service-Signature': SIGNATURE })],
      ['milliseconds', post(BODY, { 'X-Service-Signature': SIGNATURE.replace(/^t=(\d+)/, 't=$1000') })],
      ['two times', post(BODY, { 'X-Service-Signature': `${SIGNATURE},t=1` })],
      ['a signature that is not hexadecimal', post(BODY, { 'X-Service-Signature': `t=1,v1=${'z'.repeat(64)}` })],
      ['an empty body', { ...post(BODY), body: '' }],
      ['the case of success', get('payment_id=pay_1&success=true', signatureOf(QUERY, { at: AT }))],
      ['the opposite success', get('payment_id=pay_1&success=False', signatureOf(QUERY, { at: AT }))],
      ['two ids', get(`${QUERY}&payment_id=pay_2`, signatureOf(QUERY, { at: AT }))],
      ['no query', get('', signatureOf(QUERY, { at: AT }))],
      [
        'the body of another route',
        post(BODY, { 'X-Service-Signature': SIGNATURE.replace('v1', 'v0') }, '/subscription'),
      ],
    ])('refuse an unauthenticated request without a reason and store nothing: %s', async (_what, call) => {
      const { api } = current;
      expectAnswer(await api.call(call), 401, 'unauthorized');
      expect(await stored(api)).toBe(0);
    });

    test('F13: refuse a stale or early webhook and store it once', async () => {
      const { api } = current;
      for (const at of [AT - 301_000, AT - 302_000, AT + 301_000]) {
        const signature = signatureOf(BODY, { at });
        expectAnswer(await api.call(post(BODY, { 'X-Service-Signature': signature })), 401, 'unauthorized');
      }
      const [entry, ...others] = (await api.millime.webhooks.list({ limit: 10 })).rows;
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ proof: 'stale', times: 3 });
      expectAnswer(await api.call(post(BODY, { 'X-Service-Signature': signatureOf(BODY, { at: AT - 300_000 }) })), 200);
    });

    test.each<[what: string, call: Call]>([
      ['a success that is neither', get('payment_id=pay_1&success=yes')],
      ['a percent-encoding of nothing', get('payment_id=%ff&success=True')],
      ['no object', post('[]')],
      ['an event without an id', post(paymentBody({ event_id: 7 }))],
      ['a subscription event on the route of payments', post(subscriptionBody())],
      ['a payment event on the route of subscriptions', post(BODY, {}, '/subscription')],
    ])('answer 400 to a signed webhook that cannot be decoded, and do not store it: %s', async (_what, call) => {
      const { api } = current;
      expectAnswer(await api.call(call), 400, 'bad_request');
      expect(await stored(api)).toBe(0);
    });

    test('keep a signed webhook with an event id, even if other fields cannot be decoded', async () => {
      const { api } = current;
      expectAnswer(await api.call(post('{"event":"payment.succeeded","event_id":"evt_1"}')), 200);
      expectAnswer(await api.call(post(paymentBody({ event_id: 'evt_2', payment_method: null }))), 200);
      expectAnswer(await api.call(post(subscriptionBody({ attempt: '1' }), {}, '/subscription')), 200);
      expect(await stored(api)).toBe(3);
      const old = paymentBody({ event_id: 'evt_3', amount: -1 });
      const signature = signatureOf(old, { at: AT - 301_000 });
      expectAnswer(await api.call(post(old, { 'X-Service-Signature': signature })), 401, 'unauthorized');
    });

    test('refuse compressed and oversized bodies unread', async () => {
      const { api } = current;
      expectAnswer(await api.call(post(BODY, { 'Content-Encoding': 'gzip' })), 415, 'unsupported_media_type');
      expectAnswer(await api.call(post(Buffer.alloc(65_537, 0x20))), 413, 'payload_too_large');
      expectAnswer(await api.call(get(`${QUERY}&x=${'y'.repeat(9_000)}`)), 414, 'uri_too_long');
      const largest = `${BODY}${' '.repeat(65_536 - Buffer.byteLength(BODY))}`;
      expectAnswer(await api.call(post(largest)), 200);
    });

    test.each<[method: string, path: string, allow: string]>([
      ['HEAD', '/payment', 'GET, POST'],
      ['PUT', '/payment', 'GET, POST'],
      ['GET', '/subscription', 'POST'],
      ['GET', `/hint/${HINT_TOKEN}/pos`, 'POST'],
    ])('answer 405 to %s %s', async (method, path, allow) => {
      const { status, headers } = await current.api.call({ method, path: `/webhooks${path}` });
      expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow });
    });

    test.each(['/payment/', '/Payment', '/', '', '/hint', `/hint/${HINT_TOKEN}`, `/hint/${HINT_TOKEN}/other`])(
      'answer 404 to a similar path: /webhooks%s',
      async (path) => {
        expectAnswer(await current.api.call(post(BODY, {}, path)), 404, 'not_found');
      },
    );

    test('answer 404 to a wrong token before the body arrives', async () => {
      const connection = await RawConnection.open(current.api.port);
      connection.send('POST /webhooks/hint/guess/pos HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n');
      expect(await connection.next()).toMatchObject({ status: 404, text: '{"error":"not_found"}' });
      connection.destroy();
    });

    test('S7: keep a hint with the right token and answer 404 to any other', async () => {
      const { api } = current;
      for (const token of ['guess', HINT_TOKEN.slice(0, -1), `${HINT_TOKEN}0`, '%00', '%']) {
        expectAnswer(await api.call(post('{}', {}, `/hint/${token}/pos`)), 404, 'not_found');
      }
      expect(await stored(api)).toBe(0);
      for (const kind of ['pos', 'partner', 'payout']) {
        expectAnswer(await api.call({ method: 'POST', path: `/webhooks/hint/${HINT_TOKEN}/${kind}` }), 200);
      }
      expect(await stored(api)).toBe(3);
    });
  },
  { environment: GATEWAY },
);

describe('webhooks while the database is away', () => {
  const databases = ['mysql://root@127.0.0.1:1/none', `sqlite:${join(testRun.folder, 'inbox-without-tables.sqlite3')}`];
  test.each(databases)(
    'are not acknowledged, so that the gateway resends them; invalid ones are refused: %s',
    async (databaseUrl) => {
      const api = await startApi(databaseUrl, { environment: { ...GATEWAY, ...SECRET_OF_ENVIRONMENT } });
      try {
        expectAnswer(await api.call(post(BODY)), 503, 'unavailable');
        expectAnswer(await api.call(post('{}', {}, `/hint/${HINT_TOKEN}/pos`)), 503, 'unavailable');
        const refused = post(BODY, { 'X-Service-Signature': flipped(SIGNATURE) });
        expectAnswer(await api.call(refused), 401, 'unauthorized');
      } finally {
        await api.close();
      }
    },
  );
});

describeApi('without a gateway', (current) => {
  test('webhook paths are 404', async () => {
    for (const call of [post(BODY), get(QUERY), post('{}', {}, `/hint/${HINT_TOKEN}/pos`)]) {
      expectAnswer(await current.api.call(call), 404, 'not_found');
    }
  });
});
