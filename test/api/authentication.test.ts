import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { KEY_ALGORITHMS } from '../../src/service-tokens';
import { startJwksServer } from '../integration/service-tokens/jwks-server';
import { anAgent, register, TESTER } from '../support/factories';
import { CLAIMS, encode, NOW_SECONDS, SECRET, signedToken, signSegments } from '../unit/service-tokens/signed-token';
import { count, describeApi, NOW, SECRET_OF_ENVIRONMENT, startApi } from './support/api';
import { type Answer, type Call, httpCall } from './support/http-call';
import { BROWSER_HEADERS } from './support/raw-request';

// Goal: a caller without a valid token learns nothing, whatever it sends. Method: every refusal is compared with one
// and the same answer, headers included.

const HEADER = { alg: 'HS256' };
const token = (claims: object = {}, header: object = {}): string =>
  signedToken({ ...HEADER, ...header }, { ...CLAIMS, ...claims }, { key: SECRET });
const without = (name: string): string =>
  signedToken(HEADER, Object.fromEntries(Object.entries(CLAIMS).filter(([claim]) => claim !== name)), { key: SECRET });
const GOOD = token();
const [headerPart = '', payloadPart = '', signaturePart = ''] = GOOD.split('.');

const BAD: readonly [string, string | undefined][] = [
  ['no header', undefined],
  ['an empty header', ''],
  ['the scheme alone', 'Bearer'],
  ['the scheme and a space', 'Bearer '],
  ['no scheme', GOOD],
  ['another scheme', `Basic ${GOOD}`],
  ['two spaces', `Bearer  ${GOOD}`],
  ['two tokens', `Bearer ${GOOD} ${GOOD}`],
  ['two tokens with a comma', `Bearer ${GOOD}, Bearer ${GOOD}`],
  ['garbage', 'Bearer garbage'],
  ['dots', 'Bearer ..'],
  ['two parts', `Bearer ${headerPart}.${payloadPart}`],
  ['four parts', `Bearer ${GOOD}.x`],
  ['no signature', `Bearer ${headerPart}.${payloadPart}.`],
  ['a signature of another token', `Bearer ${headerPart}.${payloadPart}.${token({ jti: 'x' }).split('.')[2] ?? ''}`],
  ['one character changed', `Bearer ${headerPart}.${payloadPart.replace(/^./, 'f')}.${signaturePart}`],
  ['padding', `Bearer ${GOOD}=`],
  ['10 kB', `Bearer ${'x'.repeat(10_000)}`],
  ['alg none', `Bearer ${encode({ alg: 'none' })}.${payloadPart}.`],
  ['alg None', `Bearer ${token({}, { alg: 'None' })}`],
  ['alg hs256', `Bearer ${token({}, { alg: 'hs256' })}`],
  ['alg HS512', `Bearer ${signedToken({ alg: 'HS512' }, CLAIMS, { key: SECRET, digest: 'sha512' })}`],
  ['alg RS256', `Bearer ${token({}, { alg: 'RS256' })}`],
  ['no alg', `Bearer ${signedToken({}, CLAIMS, { key: SECRET })}`],
  ['an unknown kid', `Bearer ${token({}, { kid: 'unknown' })}`],
  ['a kid that is a path', `Bearer ${token({}, { kid: '../../../../dev/null' })}`],
  ['a kid that is SQL', `Bearer ${token({}, { kid: "' or 1=1 --" })}`],
  ['a kid that is no text', `Bearer ${token({}, { kid: 1 })}`],
  ['a critical header', `Bearer ${token({}, { crit: ['exp'] })}`],
  ['another key', `Bearer ${signedToken(HEADER, CLAIMS, { key: `${SECRET}x` })}`],
  ['a payload that is no JSON', `Bearer ${signSegments(encode(HEADER), encode('{'), { key: SECRET })}`],
  ['expired a second ago', `Bearer ${token({ iat: NOW_SECONDS - 100, exp: NOW_SECONDS - 1 })}`],
  ['expired now', `Bearer ${token({ exp: NOW_SECONDS })}`],
  ['an expiry that is text', `Bearer ${token({ exp: String(NOW_SECONDS + 60) })}`],
  ['not valid yet', `Bearer ${token({ nbf: NOW_SECONDS + 61 })}`],
  ['issued in the future', `Bearer ${token({ iat: NOW_SECONDS + 61 })}`],
  ['401 days long', `Bearer ${token({ exp: NOW_SECONDS + 401 * 86_400 })}`],
  ['another issuer', `Bearer ${token({ iss: 'somebody' })}`],
  ['another audience', `Bearer ${token({ aud: 'somebody' })}`],
  ['a list of audiences', `Bearer ${token({ aud: [CLAIMS.aud] })}`],
  ...['iss', 'aud', 'sub', 'jti', 'iat', 'exp'].map((name): [string, string] => [
    `no ${name}`,
    `Bearer ${without(name)}`,
  ]),
];

/** What the caller sees, less what changes with the second. */
function seen({ status, headers, text }: Answer): unknown {
  const { date: _date, ...rest } = headers;
  return { status, headers: rest, text };
}

const REFUSED = {
  status: 403,
  headers: {
    ...BROWSER_HEADERS,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    'content-length': '21',
  },
  text: '{"error":"forbidden"}',
};

describeApi(
  'authentication of the gateway',
  (current) => {
    const send = (authorization: string | undefined, call: Call): Promise<Answer> => {
      const header = authorization === undefined ? {} : { Authorization: authorization };
      return httpCall(current.api.port, { ...call, headers: { ...call.headers, ...header } });
    };
    const confirm = {
      method: 'POST',
      path: '/service/confirm',
      headers: { 'Content-Type': 'application/json' },
      body: '{"transactionId":"T1","agentId":"004711","amount":1}',
    };

    beforeEach(() => {
      current.api.setClock(NOW);
      return register(current.api.millime, anAgent());
    });

    test('accepts a valid token', async () => {
      expect((await send(`Bearer ${GOOD}`, { path: '/service/check/004711' })).status).toBe(200);
      expect((await send(`bearer ${GOOD}`, confirm)).text).toBe('{"code":"0"}');
    });

    test.each(BAD)(
      'S1, S2, S3, S4: answers an invalid token with the same 403 on both endpoints: %s',
      async (_what, authorization) => {
        expect(seen(await send(authorization, { path: '/service/check/004711' }))).toEqual(REFUSED);
        expect(seen(await send(authorization, confirm))).toEqual(REFUSED);
        expect(await count(current.api.millime, 'agent_confirmations')).toBe(0);
      },
    );

    describe('S5: checks the token before anything else in a request', () => {
      const json = { 'Content-Type': 'application/json' };
      const CALLS: readonly [string, Call, number][] = [
        ['an unknown agent', { path: '/service/check/unknown' }, 200],
        ['a malformed percent-encoding', { path: '/service/check/%E0%A4%A' }, 200],
        ['a trailing slash', { path: '/service/check/004711/' }, 404],
        ['an unknown path', { path: '/service/agents' }, 404],
        ['an unknown path with a malformed encoding', { path: '/service/%zz' }, 404],
        ['the prefix alone', { path: '/service' }, 404],
        ['another method', { method: 'DELETE', path: '/service/check/004711' }, 405],
        ['OPTIONS', { method: 'OPTIONS', path: '/service/confirm' }, 405],
        ['GET on confirm', { path: '/service/confirm' }, 405],
        ['a body that is too large', { ...confirm, body: 'x'.repeat(16 * 1_024 + 1) }, 413],
        ['a body of a megabyte', { ...confirm, body: 'x'.repeat(1_024 * 1_024) }, 413],
        ['a body that is no JSON', { ...confirm, body: 'x' }, 400],
        ['no body', { method: 'POST', path: '/service/confirm', headers: json }, 400],
        ['another content type', { ...confirm, headers: { 'Content-Type': 'text/plain' } }, 415],
        ['a compressed body', { ...confirm, headers: { ...json, 'Content-Encoding': 'gzip' } }, 415],
        ['a bad amount', { ...confirm, body: '{"transactionId":"T1","agentId":"004711","amount":0}' }, 200],
        ['a conditional request', { path: '/service/check/004711', headers: { 'If-None-Match': '*' } }, 200],
      ];

      test.each(CALLS)('%s', async (_what, call, status) => {
        expect(seen(await send('Bearer bad', call))).toEqual(REFUSED);
        expect(seen(await send(undefined, call))).toEqual(REFUSED);
        expect((await send(`Bearer ${GOOD}`, call)).status).toBe(status);
      });

      test('HEAD', async () => {
        const head = { method: 'HEAD', path: '/service/check/004711' };
        expect(seen(await send('Bearer bad', head))).toEqual({ ...REFUSED, text: '' });
        expect((await send(`Bearer ${GOOD}`, head)).status).toBe(405);
      });
    });

    test('S2: refuses a token from the second in which it expires', async () => {
      const { api } = current;
      const authorization = `Bearer ${token({ jti: 'short', exp: NOW_SECONDS + 60 })}`;
      api.setClock('2026-03-02T09:00:59.999Z');
      expect((await send(authorization, { path: '/service/check/004711' })).status).toBe(200);
      api.setClock('2026-03-02T09:01:00.000Z');
      expect(seen(await send(authorization, { path: '/service/check/004711' }))).toEqual(REFUSED);
    });
  },
  { environment: SECRET_OF_ENVIRONMENT },
);

describeApi('a revoked token', (current) => {
  const PROMISED_MS = 1_000;

  test('is refused at once by the server that revoked it, and within a second by others', async () => {
    const { api, harness } = current;
    const other = await startApi(harness.url, {
      environment: { SERVICE_JWT_KEYS_FILE: api.millime.config.serviceTokens.keysFile },
    });
    await register(api.millime, anAgent()); // checks of unknown ids are limited, and the loop below makes many
    try {
      const call = { path: '/service/check/004711', headers: { Authorization: api.bearer } };
      expect([(await api.call(call)).status, (await other.call(call)).status]).toEqual([200, 200]);
      const [, payload = ''] = api.bearer.split('.');
      const { jti } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { jti: string };
      const revokedAt = performance.now();
      await api.millime.serviceTokens.revoke(jti, TESTER);
      expect(seen(await api.call(call))).toEqual(REFUSED);

      let answer = await other.call(call);
      while (answer.status === 200 && performance.now() - revokedAt < PROMISED_MS) answer = await other.call(call);
      expect(seen(answer)).toEqual(REFUSED);
      expect((await other.check('004711')).status).toBe(200); // with its own token
    } finally {
      await other.close();
    }
  });
});

describeApi('tokens of every algorithm', (current) => {
  const CALL = { path: '/service/check/unknown' };
  const withToken = (bearerToken: string): Call => ({
    ...CALL,
    headers: { Authorization: `Bearer ${bearerToken}` },
  });

  test.each(KEY_ALGORITHMS)('S1: accepts a new token of %s and refuses every altered copy', async (alg) => {
    const { api } = current;
    const { serviceTokens } = api.millime;
    await serviceTokens.rotate({ alg, retire: false, actor: TESTER });
    const minted = await serviceTokens.mint({ subject: 'gateway', ttlSeconds: 60, alg, actor: TESTER });
    expect((await api.call(withToken(minted.token))).status).toBe(200);
    const [head = '', payload = '', signature = ''] = minted.token.split('.');
    const otherHead = (change: object): string =>
      encode({ ...(JSON.parse(Buffer.from(head, 'base64url').toString()) as object), ...change });
    const flipped = Buffer.from(signature, 'base64url');
    flipped[0] = (flipped[0] ?? 0) ^ 1;
    for (const forged of [
      `${head}.${payload}.${flipped.toString('base64url')}`,
      `${head}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
      `${otherHead({ alg: 'none' })}.${payload}.`,
      ...KEY_ALGORITHMS.filter((other) => other !== alg).map(
        (other) => `${otherHead({ alg: other })}.${payload}.${signature}`,
      ),
      `${otherHead({ kid: 'unknown' })}.${payload}.${signature}`,
      `${head}.${payload.replace(/^./, 'f')}.${signature}`,
    ]) {
      expect(seen(await api.call(withToken(forged)))).toEqual(REFUSED);
    }
  });
});

describeApi('tokens of a foreign issuer', (current) => {
  const FOREIGN = 'https://issuer.example';
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const his = (claims: object = {}): string => {
    const input = `${encode({ alg: 'EdDSA', kid: 'his' })}.${encode({ ...CLAIMS, iss: FOREIGN, ...claims })}`;
    return `Bearer ${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
  };
  const check = (authorization: string): Call => ({
    path: '/service/check/unknown',
    headers: { Authorization: authorization },
  });

  test('are accepted if signed with the issuer’s keys and get 503 while those keys are unreachable', async () => {
    const issuer = await startJwksServer();
    issuer.publish({ ...publicKey.export({ format: 'jwk' }), kid: 'his', alg: 'EdDSA' });
    const environment = {
      ...SECRET_OF_ENVIRONMENT,
      SERVICE_JWT_JWKS_URL: issuer.url.href,
      SERVICE_JWT_JWKS_ISSUER: FOREIGN,
    };
    const api = await startApi(current.harness.url, { environment });
    try {
      expect((await api.call(check(his()))).status).toBe(200);
      expect((await api.call(check(`Bearer ${GOOD}`))).status).toBe(200);
      expect(seen(await api.call(check(his({ iss: CLAIMS.iss }))))).toEqual(REFUSED);
      expect(seen(await api.call(check(his({ exp: NOW_SECONDS }))))).toEqual(REFUSED);
      expect(seen(await api.call(check(his({ aud: 'somebody' }))))).toEqual(REFUSED);
      expect(seen(await api.call(check(`Bearer ${token({ iss: FOREIGN })}`)))).toEqual(REFUSED);
    } finally {
      await issuer.close();
      await api.close();
    }
    const cutOff = await startApi(current.harness.url, { environment });
    try {
      expect(await cutOff.call(check(his()))).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
      expect((await cutOff.call(check(`Bearer ${GOOD}`))).status).toBe(200);
    } finally {
      await cutOff.close();
    }
  });
});
