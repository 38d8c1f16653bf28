import { beforeEach, describe, expect, test } from '@jest/globals';
import { anAgent, register } from '../support/factories';
import { exchange, RawConnection } from '../support/raw-connection';
import { describeApiOnOneDatabase, rows, SECRET_OF_ENVIRONMENT } from './support/api';
import { expectJsonOrNothing, rawConfirm, type RawRequest, rawRequest } from './support/raw-request';

// Goal: S16, no request smuggles a confirm past a proxy that sees another end of a request than Millime does.
// Method: each known technique on a raw socket, with a complete valid confirm at the point of disagreement. The test
// checks the database, and that nothing more is read from a connection whose framing is ambiguous.

type Framing = readonly [what: string, lines: readonly string[], body: string, status: number];

/** What stands in the place of the hidden confirm. */
const HIDDEN = 'HIDDEN-CONFIRM';
const CHUNKED = 'Transfer-Encoding: chunked';
const END = '0\r\n\r\n';

/** The hidden confirm stands behind what one reader takes for the end of the body. */
const BEHIND: readonly Framing[] = [
  ['a length and chunks', ['Content-Length: 5', CHUNKED], `${END}${HIDDEN}`, 400],
  ['chunks and a length', [CHUNKED, 'Content-Length: 5'], `${END}${HIDDEN}`, 400],
  ['a length of 0 and chunks', ['Content-Length: 0', CHUNKED], `${END}${HIDDEN}`, 400],
  ['two equal lengths', ['Content-Length: 2', 'Content-Length: 2'], `{}${HIDDEN}`, 400],
  ['two lengths', ['Content-Length: 2', 'Content-Length: 300'], `{}${HIDDEN}`, 400],
  ['two lengths, 0 first', ['Content-Length: 0', 'Content-Length: 2'], HIDDEN, 400],
  ['a list of equal lengths', ['Content-Length: 2, 2'], `{}${HIDDEN}`, 400],
  ['a list of lengths', ['Content-Length: 2, 300'], `{}${HIDDEN}`, 400],
  ['a length with a space before the colon', ['Content-Length : 2'], `{}${HIDDEN}`, 400],
  ['a length in hexadecimal', ['Content-Length: 0x2'], `{}${HIDDEN}`, 400],
  ['a length with a sign', ['Content-Length: +2'], `{}${HIDDEN}`, 400],
  ['a negative length', ['Content-Length: -2'], HIDDEN, 400],
  ['an empty length', ['Content-Length:'], HIDDEN, 400],
  ['a length that overflows to 2', ['Content-Length: 18446744073709551618'], `{}${HIDDEN}`, 400],
  ['a folded length', ['Content-Length:', ' 2'], `{}${HIDDEN}`, 400],
  ['chunks with a space before the colon', ['Transfer-Encoding : chunked'], `${END}${HIDDEN}`, 400],
  ['a bare CR before chunks', [`X: a\r${CHUNKED}`], `${END}${HIDDEN}`, 400],
  ['a bare LF before chunks', [`X: a\n${CHUNKED}`], `${END}${HIDDEN}`, 400],
  ['a bare LF before a length', ['X: a\nContent-Length: 2'], `{}${HIDDEN}`, 400],
  ['folded chunks', ['Transfer-Encoding:', ' chunked'], `${END}${HIDDEN}`, 400],
  ['a folded line that holds chunks', ['X: a', ` ${CHUNKED}`], `${END}${HIDDEN}`, 400],
  ['xchunked', ['Transfer-Encoding: xchunked'], `${END}${HIDDEN}`, 400],
  ['chunked, identity', ['Transfer-Encoding: chunked, identity'], `${END}${HIDDEN}`, 400],
  ['identity, chunked', ['Transfer-Encoding: identity, chunked'], `${END}${HIDDEN}`, 400],
  ['gzip, chunked', ['Transfer-Encoding: gzip, chunked'], `${END}${HIDDEN}`, 400],
  ['identity', ['Transfer-Encoding: identity'], `${END}${HIDDEN}`, 400],
  ['identity and a length', ['Transfer-Encoding: identity', 'Content-Length: 2'], `{}${HIDDEN}`, 400],
  ['no encoding and a length', ['Transfer-Encoding:', 'Content-Length: 2'], `{}${HIDDEN}`, 400],
  ['chunked twice', [CHUNKED, CHUNKED], `${END}${HIDDEN}`, 400],
  ['chunked, and identity in a second line', [CHUNKED, 'Transfer-Encoding: identity'], `${END}${HIDDEN}`, 400],
  ['identity, and chunked in a second line', ['Transfer-Encoding: identity', CHUNKED], `${END}${HIDDEN}`, 400],
  ['chunked in quotes', ['Transfer-Encoding: "chunked"'], `${END}${HIDDEN}`, 400],
  ['chunked behind a vertical tab', ['Transfer-Encoding: \vchunked'], `${END}${HIDDEN}`, 400],
  ['chunked with a parameter', ['Transfer-Encoding: chunked;q=1'], `${END}${HIDDEN}`, 400],
  ['a NUL in chunked', ['Transfer-Encoding: chun\x00ked'], `${END}${HIDDEN}`, 400],
  ['a chunk size with 0x', [CHUNKED], `0x2\r\n{}\r\n${END}${HIDDEN}`, 400],
  ['a chunk size with a sign', [CHUNKED], `+2\r\n{}\r\n${END}${HIDDEN}`, 400],
  ['a negative chunk size', [CHUNKED], `-2\r\n{}\r\n${END}${HIDDEN}`, 400],
  ['a chunk size that overflows', [CHUNKED], `10000000000000002\r\n{}\r\n${END}${HIDDEN}`, 400],
  ['a chunk size with a space', [CHUNKED], `2 \r\n{}\r\n${END}${HIDDEN}`, 400],
  ['no chunk size', [CHUNKED], `\r\n{}\r\n${END}${HIDDEN}`, 400],
  ['a chunk size that ends with LF', [CHUNKED], `2\n{}\r\n${END}${HIDDEN}`, 400],
  ['a chunk size that ends with CR', [CHUNKED], `2\r{}\r\n${END}${HIDDEN}`, 400],
  ['a chunk that ends with LF', [CHUNKED], `2\r\n{}\n${END}${HIDDEN}`, 400],
  ['a chunk that is longer than it says', [CHUNKED], `1\r\n{}\r\n${END}${HIDDEN}`, 400],
  ['a chunk extension that ends with LF', [CHUNKED], `2;a\n{}\r\n${END}${HIDDEN}`, 400],
  ['a chunk extension with a bare CR', [CHUNKED], `2;a\rb\r\n{}\r\n${END}${HIDDEN}`, 400],
  ['20 kB of chunk extensions', [CHUNKED], `2;${'a'.repeat(20_000)}\r\n{}\r\n${END}${HIDDEN}`, 413],
  ['a trailer with a length', [CHUNKED], `0\r\nContent-Length: 300\r\n\r\n${HIDDEN}`, 400],
  ['a trailer with chunks', [CHUNKED], `0\r\n${CHUNKED}\r\n\r\n${HIDDEN}`, 400],
  ['a trailer with a folded line', [CHUNKED], `0\r\nX: a\r\n b\r\n\r\n${HIDDEN}`, 400],
];

/** The hidden confirm is the body, or a part of it, for us; another reader would take it for a request. */
const INSIDE: readonly Framing[] = [
  ['a body with a length', ['Content-Length: HIDDEN-LENGTH'], HIDDEN, 400],
  ['a chunk', [CHUNKED], `HIDDEN-SIZE\r\n${HIDDEN}\r\n${END}`, 400],
  ['a chunk with an extension', [CHUNKED], `HIDDEN-SIZE;a="b"\r\n${HIDDEN}\r\n${END}`, 400],
  ['a chunk whose size has zeros before', [CHUNKED], `000HIDDEN-SIZE\r\n${HIDDEN}\r\n${END}`, 400],
  ['a length beside one with an underscore', ['Content_Length: 2', 'Content-Length: HIDDEN-LENGTH'], HIDDEN, 400],
  [
    'a length beside chunks of another name',
    ['X-Transfer-Encoding: chunked', 'Content-Length: HIDDEN-LENGTH'],
    HIDDEN,
    400,
  ],
];

describeApiOnOneDatabase(
  'S16: request smuggling',
  (current) => {
    const fill = (text: string): string => {
      const confirm = rawConfirm(current.api.bearer, HIDDEN);
      return text
        .replaceAll('HIDDEN-LENGTH', String(confirm.length))
        .replaceAll('HIDDEN-SIZE', confirm.length.toString(16))
        .replaceAll(HIDDEN, () => confirm);
    };
    const stored = async (): Promise<unknown[]> =>
      (await rows(current.api.millime, 'agent_confirmations', ['transaction_id'])).map((row) => row['transaction_id']);
    const request = (lines: readonly string[], body: string): string => {
      const headers = ['Host: x', `Authorization: ${current.api.bearer}`, 'Content-Type: application/json', ...lines];
      return fill(rawRequest({ method: 'POST', target: '/service/confirm', headers, body }));
    };

    beforeEach(() => register(current.api.millime, anAgent()));

    test('is tested with a valid confirm, which alone is stored', async () => {
      const connection = await RawConnection.open(current.api.port);
      connection.send(fill(HIDDEN));
      expect((await connection.next())?.text).toBe('{"code":"0"}');
      connection.destroy();
      expect(await stored()).toEqual([HIDDEN]);
    });

    test.each(BEHIND)('by %s is refused and closes the connection', async (_what, lines, body, status) => {
      const answers = await exchange(current.api.port, request(lines, body));
      expect(answers.map((answer) => answer.status)).toEqual([status]);
      answers.forEach(expectJsonOrNothing);
      expect(await stored()).toEqual([]);
    });

    test.each(INSIDE)('in %s is read as a body that is not JSON', async (_what, lines, body, status) => {
      const answers = await exchange(current.api.port, request(['Connection: close', ...lines], body));
      expect(answers.map((answer) => [answer.status, answer.text])).toEqual([[status, '{"error":"not_json"}']]);
      expect(await stored()).toEqual([]);
    });

    const length = 'Content-Length: HIDDEN-LENGTH';
    const of = (headers: readonly string[], more: RawRequest = {}): string =>
      fill(
        rawRequest({
          target: '/service/check/004711',
          headers: ['Authorization: BEARER', ...headers],
          ...more,
        }).replaceAll('BEARER', current.api.bearer),
      );
    test.each<readonly [string, number, () => string]>([
      ['in the body of a check', 200, () => of(['Host: x', length], { body: HIDDEN })],
      ['in a chunk of a check', 200, () => of(['Host: x', CHUNKED], { body: `HIDDEN-SIZE\r\n${HIDDEN}\r\n${END}` })],
      ['in the body of a probe', 200, () => of(['Host: x', length], { target: '/healthz', body: HIDDEN })],
      ['in the body of an unknown path', 404, () => of(['Host: x', length], { target: '/x', body: HIDDEN })],
      ['in the body of another method', 405, () => of(['Host: x', length], { method: 'PUT', body: HIDDEN })],
      [
        'in a body that is too large',
        413,
        () => request(['Content-Length: 20000'], rawConfirm(current.api.bearer, HIDDEN).padEnd(20_000)),
      ],
      ['in a compressed body', 415, () => request(['Content-Encoding: gzip', length], HIDDEN)],
      ['behind a request without a host', 400, () => of([], { body: HIDDEN })],
      ['behind a request with two hosts', 400, () => of(['Host: x', 'Host: y'], { body: HIDDEN })],
      ['behind a request of HTTP/2.0', 400, () => of(['Host: x'], { version: '2.0', body: HIDDEN })],
      ['behind a request of HTTP/0.9', 400, () => fill(`GET /healthz\r\n\r\n${HIDDEN}`)],
      [
        'behind the chunks of HTTP/1.0',
        400,
        () => of(['Host: x', 'Connection: keep-alive', CHUNKED], { version: '1.0', body: `${END}${HIDDEN}` }),
      ],
      [
        'behind a request that closes the connection',
        200,
        () => of(['Host: x', 'Connection: close'], { body: HIDDEN }),
      ],
    ])('ignores %s', async (_what, status, bytes) => {
      const answers = await exchange(current.api.port, bytes());
      expect(answers.map((answer) => answer.status)).toEqual([status]);
      answers.forEach(expectJsonOrNothing);
      expect(await stored()).toEqual([]);
    });

    test.each([
      ['in the body of a caller without a token', (): string[] => [length], HIDDEN],
      ['behind a trailer that names a token', (): string[] => [CHUNKED], `0\r\nAuthorization: BEARER\r\n\r\n${HIDDEN}`],
      ['behind a trailer that names a host', (): string[] => [CHUNKED], `0\r\nHost: y\r\n\r\n${HIDDEN}`],
    ])('ignores %s and refuses the caller', async (_what, lines, body) => {
      const bytes = rawRequest({ method: 'POST', target: '/service/confirm', headers: ['Host: x', ...lines()], body });
      const answers = await exchange(current.api.port, fill(bytes.replaceAll('BEARER', current.api.bearer)));
      expect(answers.map((answer) => answer.status)).toEqual([403]);
      expect(await stored()).toEqual([]);
    });

    describe('one connection', () => {
      test('answers a confirm that garbage follows, and stores it once', async () => {
        const confirm = rawConfirm(current.api.bearer, 'FIRST');
        const answers = await exchange(current.api.port, `${confirm}GARBAGE\r\n\r\n`);
        expect(answers.map(({ status, text }) => [status, text])).toEqual([
          [200, '{"code":"0"}'],
          [400, ''],
        ]);
        expect(await stored()).toEqual(['FIRST']);
      });

      test('answers pipelined confirms in their order', async () => {
        const { api } = current;
        const ids = ['A', 'B', 'A', 'C'];
        const connection = await RawConnection.open(api.port);
        connection.send(ids.map((id) => rawConfirm(api.bearer, id)).join(''));
        const codes: unknown[] = [];
        for (const _id of ids) codes.push((await connection.next())?.text);
        connection.destroy();
        expect(codes).toEqual(['{"code":"0"}', '{"code":"0"}', '{"code":"3"}', '{"code":"0"}']);
        expect(await stored()).toEqual(['A', 'B', 'C']);
      });
    });
  },
  { environment: SECRET_OF_ENVIRONMENT },
);
