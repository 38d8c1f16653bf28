import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { anAgent, register } from '../support/factories';
import { count, describeApi } from './support/api';
import type { Answer, Call } from './support/http-call';

const GOOD = '{"transactionId":"T1","agentId":"004711","amount":1}';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const KIB_16 = 16 * 1_024;
/** A good body of exactly so many bytes. */
const goodOf = (bytes: number): string => GOOD.replace('{', `{"pad":"${'x'.repeat(bytes - GOOD.length - 9)}",`);

// Goal: a body that is not a call is refused with a status, never with a code and never with an internal error.
describeApi('4.6 the body of Confirm Payment', (current) => {
  const post = (body: string | Uint8Array, headers: Call['headers'] = JSON_TYPE): Promise<Answer> =>
    current.api.call({ method: 'POST', path: '/service/confirm', headers, body });
  const nothingWasKept = async (): Promise<void> => {
    const { millime } = current.api;
    const tables = ['agent_confirmations', 'confirm_refusals', 'recon_breaks', 'ledger_transactions'];
    expect(await Promise.all(tables.map((table) => count(millime, table)))).toEqual([0, 0, 0, 0]);
  };

  beforeEach(() => register(current.api.millime, anAgent()));

  describe('F20: is 400 unless it is a JSON object', () => {
    test.each<[string, string | Uint8Array, string]>([
      ['text', 'hello', 'not_json'],
      ['HTML', '<html></html>', 'not_json'],
      ['a form', 'transactionId=T1&agentId=004711&amount=1', 'not_json'],
      ['JSON that is cut off', GOOD.slice(0, -1), 'not_json'],
      ['JSON with something behind', `${GOOD}x`, 'not_json'],
      ['two documents', `${GOOD}\n${GOOD}`, 'not_json'],
      ['single quotes', "{'transactionId':'T1'}", 'not_json'],
      ['a trailing comma', '{"transactionId":"T1",}', 'not_json'],
      ['NaN', '{"amount":NaN}', 'not_json'],
      ['a raw line end in a text', '{"transactionId":"T\n1"}', 'not_json'],
      ['a raw NUL in a text', '{"transactionId":"T\u00001"}', 'not_json'],
      ['white space only', ' \n\t ', 'not_json'],
      ['a byte order mark', `\ufeff${GOOD}`, 'not_json'],
      ['UTF-16', Buffer.from(GOOD, 'utf16le'), 'not_json'],
      ['bytes that are not UTF-8', Buffer.from(GOOD.replace('T1', 'T\u00e9'), 'latin1'), 'not_utf8'],
      ['a lone surrogate in UTF-8', Buffer.from('7b2261223a22eda0802237d', 'hex'), 'not_utf8'],
      ['nothing', '', 'empty_body'],
      ['null', 'null', 'not_an_object'],
      ['an array', '[]', 'not_an_object'],
      ['an array with a call', `[${GOOD}]`, 'not_an_object'],
      ['a text', '"T1"', 'not_an_object'],
      ['a number', '1', 'not_an_object'],
      ['true', 'true', 'not_an_object'],
    ])('%s', async (_what, body, error) => {
      const { status, text } = await post(body);
      expect([status, text]).toEqual([400, `{"error":"${error}"}`]);
      await nothingWasKept();
    });

    test('an empty chunked body', async () => {
      const { status, text } = await current.api.call({
        method: 'POST',
        path: '/service/confirm',
        headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
      });
      expect([status, text]).toEqual([400, '{"error":"empty_body"}']);
    });
  });

  describe('F19: is limited', () => {
    test('accepts up to 16 kB', async () => {
      const { status, text } = await post(goodOf(KIB_16));
      expect([status, text]).toEqual([200, '{"code":"0"}']);
    });

    test.each([
      ['of one byte more than 16 kB', goodOf(KIB_16 + 1)],
      ['of a megabyte', goodOf(1_024 * 1_024)],
      ['of 16 kB in characters and more in bytes', `"${'é'.repeat(KIB_16 - 100)}"`],
    ])('answers 413: %s', async (_what, body) => {
      const { status, text } = await post(body);
      expect([status, text]).toEqual([413, '{"error":"payload_too_large"}']);
      await nothingWasKept();
    });

    test('answers 413 without a Content-Length, too', async () => {
      const { status, text } = await post(goodOf(KIB_16 + 1), { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' });
      expect([status, text]).toEqual([413, '{"error":"payload_too_large"}']);
    });

    test.each([
      ['1,500 arrays', `${'['.repeat(1_500)}${']'.repeat(1_500)}`],
      ['1,500 objects in a field', GOOD.replace('{', `{"x":${'{"x":'.repeat(1_500)}1${'}'.repeat(1_500)},`)],
      ['8,000 brackets that never close', '['.repeat(8_000)],
      ['17 levels', `{"x":${'['.repeat(16)}${']'.repeat(16)}}`],
    ])('answers 400 to deep nesting: %s', async (_what, body) => {
      const { status, text } = await post(body);
      expect([status, text]).toEqual([400, '{"error":"too_deep"}']);
      await nothingWasKept();
    });

    test('does not count brackets inside a string as depth', async () => {
      expect((await post(GOOD.replace('{', `{"x":"${'['.repeat(1_500)}",`))).text).toBe('{"code":"0"}');
    });
  });

  describe('with unexpected fields', () => {
    test('uses the last value of a repeated key (open point 132)', async () => {
      const { text } = await post(
        '{"transactionId":"T1","agentId":"unknown","agentId":"004711","amount":5,"amount":7}',
      );
      expect(text).toBe('{"code":"0"}');
      expect(await current.api.millime.dues.dueOf('004711')).toMatchObject({ credit: 7 });
    });

    test('S9: ignores fields named like internal columns', async () => {
      const { text } = await post(
        '{"transactionId":"T1","agentId":"004711","amount":5,"attempt_id":"x","balance_before_millimes":9,' +
          '"followed_unavailable":1,"__proto__":{"amount":99},"constructor":{"prototype":{"amount":98}}}',
      );
      expect(text).toBe('{"code":"0"}');
      expect(await current.api.millime.dues.dueOf('004711')).toMatchObject({ credit: 5 });
    });

    test.each(['{}', '{"__proto__":{"transactionId":"T1","agentId":"004711","amount":1}}', '{"TransactionId":"T1"}'])(
      'answers 3 to a missing or inherited transactionId: %s',
      async (body) => {
        expect((await post(body)).text).toBe('{"code":"3"}');
        expect(await count(current.api.millime, 'agent_confirmations')).toBe(0);
      },
    );
  });

  describe('the content type', () => {
    test.each([
      ['application/json'],
      ['application/json; charset=utf-8'],
      ['application/json;charset=UTF-8'],
      ['application/json; charset="utf-8"'],
      ['Application/JSON ; Charset=utf-8'],
    ])('accepts %s', async (type) => {
      const { status, text } = await post(GOOD, { 'Content-Type': type });
      expect([status, text]).toEqual([200, '{"code":"0"}']);
    });

    test.each([
      ['text/plain'],
      ['text/json'],
      ['application/x-www-form-urlencoded'],
      ['multipart/form-data; boundary=x'],
      ['application/jsonp'],
      ['application/json-patch+json'],
      ['application/problem+json'],
      ['application/json, text/plain'],
      ['application/json; charset=latin1'],
      ['application/json; charset=utf-16'],
      ['application/json; charset=utf-7'],
      ['x application/json'],
      [';'],
    ])('answers 415 to %s', async (type) => {
      const { status, text } = await post(GOOD, { 'Content-Type': type });
      expect([status, text]).toEqual([415, '{"error":"unsupported_media_type"}']);
      await nothingWasKept();
    });

    test('answers 415 when it is missing', async () => {
      const { status, text } = await post(GOOD, {});
      expect([status, text]).toEqual([415, '{"error":"unsupported_media_type"}']);
      await nothingWasKept();
    });
  });

  describe('a compressed body', () => {
    test.each([
      ['gzip', gzipSync(GOOD)],
      ['gzip', gzipSync(Buffer.alloc(10 * 1_024 * 1_024))],
      ['deflate', GOOD],
      ['br', GOOD],
      ['x-unknown', GOOD],
    ])('answers 415: %s', async (encoding, body) => {
      const { status, text } = await post(body, { ...JSON_TYPE, 'Content-Encoding': encoding });
      expect([status, text]).toEqual([415, '{"error":"unsupported_media_type"}']);
      await nothingWasKept();
    });

    test('accepts Content-Encoding: identity', async () => {
      expect((await post(GOOD, { ...JSON_TYPE, 'Content-Encoding': 'identity' })).text).toBe('{"code":"0"}');
    });
  });
});
