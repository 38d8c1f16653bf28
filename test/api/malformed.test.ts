import { beforeEach, describe, expect, test } from '@jest/globals';
import { anAgent, register } from '../support/factories';
import { exchange } from '../support/raw-connection';
import { count, describeApi, SECRET_OF_ENVIRONMENT } from './support/api';
import { expectJsonOrNothing, type RawRequest, rawRequest } from './support/raw-request';

// Goal: any bytes get a documented answer: Millime's JSON or Node's empty one, never HTML, never 500, and never a
// business code without a decision. Method: a raw socket, and one row per malformation.

const GOOD_BODY = '{"transactionId":"T1","agentId":"004711","amount":1}';
const FOUND = '{"code":"0","desc":"Amal Trabelsi","amount":"0"}';
const UNKNOWN_AGENT = '{"code":"1","desc":"","amount":"0"}';
const problem = (word: string): string => `{"error":"${word}"}`;

/** What is wrong, the request, and its one answer. `TOKEN` stands for a good token. */
type Row = readonly [what: string, request: RawRequest, status: number, text: string];

const AUTHORIZATION = 'Authorization: Bearer TOKEN';
const CLOSE = 'Connection: close';
const SELF = ['Host: x', AUTHORIZATION, CLOSE];
const CHECK = '/service/check/004711';
const check = (more: RawRequest & { readonly extra?: readonly string[] } = {}): RawRequest => {
  const { extra = [], ...rest } = more;
  return { target: CHECK, headers: [...SELF, ...extra], ...rest };
};
const confirm = (body: string, extra: readonly string[] = ['Content-Type: application/json']): RawRequest => ({
  method: 'POST',
  target: '/service/confirm',
  headers: [...SELF, ...extra, `Content-Length: ${body.length}`],
  body,
});
const refusedBy = (...headers: readonly string[]): RawRequest => ({
  target: CHECK,
  headers: ['Host: x', CLOSE, ...headers],
});
const NOT_ANSWERED: readonly [string, RawRequest][] = [
  ['CONNECT', check({ method: 'CONNECT', target: 'example.com:443' })],
  ['CONNECT of a path', check({ method: 'CONNECT' })],
];

const LINES: readonly Row[] = [
  ['HTTP/0.9', { target: '/healthz', headers: [] }, 400, problem('bad_request')],
  ['HTTP/1.0 with a good token', check({ version: '1.0' }), 200, FOUND],
  ['HTTP/1.2', check({ version: '1.2' }), 400, ''],
  ['HTTP/2.0', check({ version: '2.0' }), 400, problem('bad_request')],
  ['HTTP/9.9', check({ version: '9.9' }), 400, ''],
  ['no version number', check({ version: '' }), 400, ''],
  ['the preface of HTTP/2', { method: 'PRI', target: '*', version: '2.0', headers: [], body: 'SM\r\n\r\n' }, 400, ''],
  ['an unknown method', check({ method: 'FETCH' }), 400, ''],
  ['a method in small letters', check({ method: 'get' }), 400, ''],
  ['no method', check({ method: '' }), 400, ''],
  ['TRACE', check({ method: 'TRACE' }), 405, problem('method_not_allowed')],
  ['no target', check({ target: '' }), 400, ''],
  ['TLS', { method: '\x16\x03\x01\x02\x00\x01', headers: [] }, 400, ''],
  ['bytes that mean nothing', { method: '\xff\xfe\xfd', headers: [] }, 400, ''],
];

const PATHS: readonly Row[] = [
  ['an encoding that is cut off', check({ target: '/service/check/%E0%A4%A' }), 200, UNKNOWN_AGENT],
  ['an encoded NUL', check({ target: '/service/check/%00' }), 200, UNKNOWN_AGENT],
  ['an encoded way out', check({ target: '/service/check/..%2f..%2fetc%2fpasswd' }), 200, UNKNOWN_AGENT],
  ['percent and no digits', check({ target: '/service/check/%zz' }), 200, UNKNOWN_AGENT],
  ['percent outside the id', check({ target: '/service/%zz' }), 404, problem('not_found')],
  ['percent outside everything', check({ target: '/%' }), 404, problem('not_found')],
  ['two slashes', check({ target: '//service/check/004711' }), 404, problem('not_found')],
  ['two slashes before the id', check({ target: '/service/check//004711' }), 404, problem('not_found')],
  ['a dot', check({ target: '/./service/check/004711' }), 404, problem('not_found')],
  ['two dots', check({ target: '/service/../service/check/004711' }), 404, problem('not_found')],
  ['a path parameter', check({ target: '/service/check/004711;v=1' }), 200, UNKNOWN_AGENT],
  ['a path parameter before', check({ target: '/service;v=1/check/004711' }), 404, problem('not_found')],
  ['a backslash', check({ target: '/service\\check\\004711' }), 404, problem('not_found')],
  ['a backslash in the id', check({ target: '/service/check/..\\004711' }), 200, UNKNOWN_AGENT],
  ['a fragment', check({ target: '/service/check/004711#x' }), 200, UNKNOWN_AGENT],
  ['a target with a host', check({ target: `http://x${CHECK}` }), 200, FOUND],
  ['a target with a host and a trailing slash', check({ target: `http://x${CHECK}/` }), 404, problem('not_found')],
  ['a target with a host alone', check({ target: 'http://x' }), 404, problem('not_found')],
  ['a target with another scheme', check({ target: 'file:///etc/passwd' }), 404, problem('not_found')],
  ['a target without a slash', check({ target: 'service/check/004711' }), 400, ''],
  ['an asterisk', check({ target: '*' }), 404, problem('not_found')],
  ['OPTIONS of an asterisk', check({ method: 'OPTIONS', target: '*' }), 404, problem('not_found')],
  ['a raw space', check({ target: '/service/check/00 4711' }), 400, ''],
  ['a raw tab', check({ target: '/service/check/00\t4711' }), 400, ''],
  ['a raw NUL', check({ target: '/service/check/00\x004711' }), 400, ''],
  ['raw bytes that are not ASCII', check({ target: '/service/check/caf\xc3\xa9' }), 400, ''],
  ['no id', check({ target: '/service/check/' }), 404, problem('not_found')],
];

const HEADERS: readonly Row[] = [
  ['a NUL', check({ extra: ['X: a\x00b'] }), 400, ''],
  ['a folded line', check({ extra: ['X: a', ' b'] }), 400, ''],
  ['a line without a colon', check({ extra: ['nonsense'] }), 400, ''],
  ['a name with a space', check({ extra: ['X y: a'] }), 400, ''],
  ['a space before the colon', check({ extra: ['X : a'] }), 400, ''],
  ['a name that is not ASCII', check({ extra: ['X\xe9: a'] }), 400, ''],
  ['no name', check({ extra: [': a'] }), 400, ''],
  ['a line end within', check({ extra: ['X: a\nY: b'] }), 400, ''],
  ['no host', { target: CHECK, headers: [AUTHORIZATION, CLOSE] }, 400, problem('bad_request')],
  ['two hosts', check({ extra: ['Host: y'] }), 400, problem('bad_request')],
  ['a length that is no number', check({ extra: ['Content-Length: abc'] }), 400, ''],
  ['a negative length', check({ extra: ['Content-Length: -1'] }), 400, ''],
  ['a length with a plus sign', check({ extra: ['Content-Length: +5'] }), 400, ''],
  ['a length in hexadecimal', check({ extra: ['Content-Length: 0x5'] }), 400, ''],
  ['a length that no number holds', check({ extra: [`Content-Length: ${'9'.repeat(30)}`] }), 400, ''],
  ['no length at all', check({ extra: ['Content-Length:'] }), 400, ''],
  ['an expectation that is unknown', check({ extra: ['Expect: a-miracle'] }), 200, FOUND],
  [
    'an upgrade to a web socket',
    check({ headers: [...SELF.slice(0, 2), 'Connection: Upgrade, close', 'Upgrade: websocket'] }),
    200,
    FOUND,
  ],
  [
    'an upgrade to HTTP/2',
    check({ headers: [...SELF.slice(0, 2), 'Connection: Upgrade, close', 'Upgrade: h2c'] }),
    200,
    FOUND,
  ],
  [
    'a chunked body where none is wanted',
    check({ extra: ['Transfer-Encoding: chunked'], body: '2\r\n{}\r\n0\r\n\r\n' }),
    200,
    FOUND,
  ],
  ['a body where none is wanted', check({ extra: ['Content-Length: 5'], body: 'hello' }), 200, FOUND],
  ['2,500 of them', check({ extra: Array.from({ length: 2_500 }, () => 'a:') }), 200, FOUND],
  ['a range', check({ extra: ['Range: bytes=0-1'] }), 200, FOUND],
  ['a method of another header', check({ extra: ['X-HTTP-Method-Override: DELETE'] }), 200, FOUND],
  [
    'a path of another header',
    check({ extra: ['X-Original-URL: /service/check/unknown', 'X-Rewrite-URL: /healthz'] }),
    200,
    FOUND,
  ],
];

const TOKENS: readonly Row[] = (
  [
    ['none', refusedBy()],
    ['an empty one', refusedBy('Authorization:')],
    ['the scheme alone', refusedBy('Authorization: Bearer')],
    ['one that is no token', refusedBy('Authorization: Bearer \x01')],
    ['bytes that are not ASCII', refusedBy('Authorization: Bearer \xc3\xa9')],
    ['dots', refusedBy('Authorization: Bearer ...')],
    ['brackets', refusedBy('Authorization: Bearer {}.{}.{}')],
    ['a good one and a bad one', refusedBy(AUTHORIZATION, 'Authorization: Bearer other')],
    ['a bad one and a good one', refusedBy('Authorization: Bearer other', AUTHORIZATION)],
    ['a good one twice', refusedBy(AUTHORIZATION, AUTHORIZATION)],
    ['a good one and an empty one', refusedBy(AUTHORIZATION, 'Authorization:')],
    [
      'a good one and one behind 2,500 headers',
      refusedBy(AUTHORIZATION, ...Array.from({ length: 2_500 }, () => 'a:'), 'Authorization: x'),
    ],
    ['a good one in a cookie', refusedBy('Cookie: Authorization=Bearer TOKEN')],
    ['a good one for the proxy', refusedBy('Proxy-Authorization: Bearer TOKEN')],
    ['a good one in the query', { ...refusedBy(), target: `${CHECK}?access_token=TOKEN` }],
  ] as const
).map(([what, request]): Row => [
  what,
  request,
  what === 'one that is no token' ? 400 : 403,
  what === 'one that is no token' ? '' : problem('forbidden'),
]);

const BODIES: readonly Row[] = [
  ['nothing', confirm(''), 400, problem('empty_body')],
  ['a byte order mark', confirm(`\xef\xbb\xbf${GOOD_BODY}`), 400, problem('not_json')],
  ['bytes that are not UTF-8', confirm('{"transactionId":"\xff"}'), 400, problem('not_utf8')],
  ['an overlong NUL', confirm('{"transactionId":"\xc0\x80"}'), 400, problem('not_utf8')],
  ['a lone surrogate in UTF-8', confirm('{"transactionId":"\xed\xa0\x80"}'), 400, problem('not_utf8')],
  ['a raw control character', confirm('{"transactionId":"\x01"}'), 400, problem('not_json')],
  ['NaN', confirm('{"amount":NaN}'), 400, problem('not_json')],
  ['Infinity', confirm('{"amount":-Infinity}'), 400, problem('not_json')],
  ['a number in hexadecimal', confirm('{"amount":0x10}'), 400, problem('not_json')],
  ['a number with a leading zero', confirm('{"amount":01}'), 400, problem('not_json')],
  ['a number with a plus sign', confirm('{"amount":+1}'), 400, problem('not_json')],
  ['single quotes', confirm("{'amount':1}"), 400, problem('not_json')],
  ['a key without quotes', confirm('{amount:1}'), 400, problem('not_json')],
  ['a comment', confirm(`/* */${GOOD_BODY}`), 400, problem('not_json')],
  ['a comment to the end of the line', confirm(`${GOOD_BODY}//`), 400, problem('not_json')],
  ['a trailing comma', confirm('{"amount":1,}'), 400, problem('not_json')],
  ['something behind', confirm(`${GOOD_BODY}]`), 400, problem('not_json')],
  ['a NUL behind', confirm(`${GOOD_BODY}\x00`), 400, problem('not_json')],
  ['the magic of a hijacked array', confirm(`)]}',\n${GOOD_BODY}`), 400, problem('not_json')],
  ['an array', confirm(`[${GOOD_BODY}]`), 400, problem('not_an_object')],
  ['a text', confirm('"x"'), 400, problem('not_an_object')],
  ['a number', confirm('7'), 400, problem('not_an_object')],
  ['null', confirm('null'), 400, problem('not_an_object')],
  ['1,500 levels', confirm('['.repeat(1_500) + ']'.repeat(1_500)), 400, problem('too_deep')],
  [
    'two content types',
    confirm(GOOD_BODY, ['Content-Type: application/json', 'Content-Type: text/plain']),
    415,
    problem('unsupported_media_type'),
  ],
  [
    'two content types, the good one last',
    confirm(GOOD_BODY, ['Content-Type: text/plain', 'Content-Type: application/json']),
    415,
    problem('unsupported_media_type'),
  ],
  [
    'one content type twice',
    confirm(GOOD_BODY, ['Content-Type: application/json', 'Content-Type: application/json']),
    415,
    problem('unsupported_media_type'),
  ],
  [
    'two encodings',
    confirm(GOOD_BODY, ['Content-Type: application/json', 'Content-Encoding: identity', 'Content-Encoding: gzip']),
    415,
    problem('unsupported_media_type'),
  ],
  [
    'a form',
    confirm('transactionId=T1&agentId=004711&amount=1', ['Content-Type: application/x-www-form-urlencoded']),
    415,
    problem('unsupported_media_type'),
  ],
];

describeApi(
  'F20: malformed requests',
  (current) => {
    const send = (request: RawRequest): ReturnType<typeof exchange> =>
      exchange(current.api.port, rawRequest(request).replaceAll('TOKEN', current.api.bearer.slice('Bearer '.length)));

    beforeEach(() => register(current.api.millime, anAgent()));

    async function expectNothingHappened(): Promise<void> {
      const { millime } = current.api;
      const tables = ['agent_confirmations', 'confirm_refusals', 'recon_breaks', 'ledger_transactions'];
      expect(await Promise.all(tables.map((table) => count(millime, table)))).toEqual([0, 0, 0, 0]);
      const alive = await send(check());
      expect(alive.map(({ status, text }) => [status, text])).toEqual([[200, FOUND]]);
    }

    describe.each([
      ['the first line', LINES],
      ['a path', PATHS],
      ['a header', HEADERS],
      ['a token', TOKENS],
      ['a body', BODIES],
    ])('in %s', (_where, table) => {
      test.each(table)('%s', async (_what, request, status, text) => {
        const answers = await send(request);
        expect(answers.map((answer) => [answer.status, answer.text])).toEqual([[status, text]]);
        answers.forEach(expectJsonOrNothing);
        await expectNothingHappened();
      });
    });

    test.each(NOT_ANSWERED)('closes the connection without an answer: %s', async (_what, request) => {
      expect(await send(request)).toEqual([]);
      await expectNothingHappened();
    });
  },
  { environment: SECRET_OF_ENVIRONMENT },
);
