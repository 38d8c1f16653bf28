import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '../../../src/kernel';
import { createForeignKeys, type KeySource, KnownSignatures, verifyToken } from '../../../src/service-tokens/testing';
import { type FixedClock, fixedClock, type RecordingLogger, recordingLogger } from '../../support/fakes';
import { rocaKeyPair } from '../../unit/service-tokens/roca-key';
import {
  AUDIENCE,
  CLAIMS,
  encode,
  HEADER,
  ISSUER,
  KEY_BYTES,
  KEYS,
  keySource,
  NOW,
  signedToken,
} from '../../unit/service-tokens/signed-token';
import { type JwksServer, startJwksServer } from './jwks-server';

// Goal: tokens of a foreign issuer are valid exactly as long as the issuer's keys state, whatever its web server does.
// Method: a web server on this machine, and a monotonic clock that the test moves.

const FOREIGN = 'https://issuer.example';
const REFRESH_INTERVAL_MS = 10_000;
const RETRY_GAP_MS = 5_000;
/** Above the 3 s after which a fetch is given up, far below what an answer that never ends would take. */
const GIVEN_UP_MS = 10_000;

interface Pair {
  readonly kid: string;
  readonly alg: 'EdDSA' | 'ES256' | 'RS256';
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly privateKey: KeyObject;
}

function pair(
  kid: string,
  alg: Pair['alg'],
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
): Pair {
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
}

const ed = (kid: string): Pair => pair(kid, 'EdDSA', generateKeyPairSync('ed25519'));
const ec = (kid: string): Pair => pair(kid, 'ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }));
const rsa = (kid: string, bits = 2_048): Pair =>
  pair(kid, 'RS256', generateKeyPairSync('rsa', { modulusLength: bits }));
const without = (jwk: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !names.includes(name)));

function tokenOf({ kid, alg, privateKey }: Pair, claims: object = {}, header: object = { kid }): string {
  const input = `${encode({ alg, ...header })}.${encode({ ...CLAIMS, iss: FOREIGN, ...claims })}`;
  const bytes = Buffer.from(input);
  const signature =
    alg === 'EdDSA'
      ? sign(null, bytes, privateKey)
      : sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

let server: JwksServer;
let monotonic: FixedClock;
let logger: RecordingLogger;
let foreign: KeySource;
let signatures: KnownSignatures;
beforeEach(async () => {
  server = await startJwksServer();
  monotonic = fixedClock(0);
  logger = recordingLogger();
  foreign = createForeignKeys(server.url, logger, monotonic);
  signatures = new KnownSignatures();
});
afterEach(() => server.close());

async function isLetIn(token: string): Promise<boolean> {
  const issuers = new Map([
    [ISSUER, keySource(KEYS)],
    [FOREIGN, foreign],
  ]);
  const revocations = { has: async () => false, expire() {} };
  const verified = await verifyToken(
    {
      clock: fixedClock(NOW),
      logger,
      expected: { issuer: ISSUER, audience: AUDIENCE },
      issuers,
      revocations,
      signatures,
    },
    `Bearer ${token}`,
  );
  return verified !== undefined;
}

const UNAVAILABLE = { name: 'AppError', code: 'unavailable' };
const warnings = (): number => logger.events('service_tokens.jwks_bad').length;

describe('The keys of a foreign issuer', () => {
  test.each([
    ['EdDSA', ed],
    ['ES256', ec],
    ['RS256', rsa],
  ])("verify the issuer's tokens with %s, even if the key states no use", async (_alg, make) => {
    const said = make('said');
    const unsaid = make('unsaid');
    server.publish(said.jwk, without(unsaid.jwk, 'alg', 'use'));
    expect(await isLetIn(tokenOf(said))).toBe(true);
    expect(await isLetIn(tokenOf(unsaid))).toBe(true);
    expect(server.fetches).toBe(1);
  });

  test("never verify Millime's tokens, and Millime's keys never verify the issuer's", async () => {
    const his = ed('his');
    server.publish(his.jwk);
    expect(await isLetIn(tokenOf(his, { iss: ISSUER }))).toBe(false);
    expect(await isLetIn(signedToken(HEADER, { ...CLAIMS, iss: FOREIGN }))).toBe(false);
    expect(await isLetIn(signedToken())).toBe(true);
    expect(await isLetIn(tokenOf(his))).toBe(true);
  });

  test('are fetched once for concurrent callers', async () => {
    const his = ed('his');
    server.publish(his.jwk);
    const answers = await Promise.all(Array.from({ length: 50 }, () => isLetIn(tokenOf(his))));
    expect(answers).toEqual(Array(50).fill(true));
    expect(server.fetches).toBe(1);
  });

  test('verify a token without kid only if exactly one key fits', async () => {
    const one = ed('one');
    const two = ed('two');
    server.publish(one.jwk, ec('other algorithm').jwk);
    expect(await isLetIn(tokenOf(one, {}, {}))).toBe(true);
    server.publish(one.jwk, two.jwk);
    monotonic.advance(10 * MINUTE_MS + 1);
    expect(await isLetIn(tokenOf(one, {}, {}))).toBe(false);
    expect(await isLetIn(tokenOf(two))).toBe(true);
  });

  test('are fetched again for the first token of a new key, and no request fails', async () => {
    const old = ed('old');
    const next = ec('next');
    server.publish(old.jwk);
    expect(await isLetIn(tokenOf(old))).toBe(true);
    monotonic.advance(1);
    server.publish(next.jwk, old.jwk);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => isLetIn(tokenOf(index % 2 === 0 ? next : old))),
    );
    expect(answers).toEqual(Array(40).fill(true));
    expect(server.fetches).toBe(2);
  });

  test('stop verifying ten minutes after the issuer removed them', async () => {
    const old = ed('old');
    const next = ed('next');
    server.publish(old.jwk);
    expect(await isLetIn(tokenOf(old))).toBe(true);
    server.publish(next.jwk);
    monotonic.advance(10 * MINUTE_MS);
    expect(await isLetIn(tokenOf(old))).toBe(true);
    expect(server.fetches).toBe(1);
    monotonic.advance(1);
    expect(await isLetIn(tokenOf(old))).toBe(false);
    expect(await isLetIn(tokenOf(next))).toBe(true);
  });

  test('are not fetched for each of a thousand invented kids', async () => {
    const his = ed('his');
    server.publish(his.jwk);
    expect(await isLetIn(tokenOf(his))).toBe(true);
    for (let round = 0; round < 10; round += 1) {
      monotonic.advance(100);
      const forged = Array.from({ length: 100 }, (_, index) => tokenOf({ ...his, kid: `forged-${round}-${index}` }));
      const answers = await Promise.allSettled(forged.map(isLetIn));
      if (round === 0) expect(answers).toEqual(Array(100).fill({ status: 'fulfilled', value: false }));
      // While nobody may look, nobody can say whether such a token is good.
      else {
        expect(answers).toEqual(Array(100).fill({ status: 'rejected', reason: expect.objectContaining(UNAVAILABLE) }));
      }
    }
    expect(server.fetches).toBe(2);
    monotonic.advance(REFRESH_INTERVAL_MS);
    expect(await isLetIn(tokenOf({ ...his, kid: 'one more' }))).toBe(false);
    expect(server.fetches).toBe(3);
  });
});

describe('An unusable key of a foreign issuer', () => {
  const strong = rsa('his');
  const secret = { kty: 'oct', k: KEY_BYTES.toString('base64url') };

  test.each<[string, () => { token: string; keys: object[] }]>([
    [
      'a secret',
      () => ({
        token: signedToken({ ...HEADER, kid: 'oct' }, { ...CLAIMS, iss: FOREIGN }),
        keys: [{ ...secret, kid: 'oct', alg: 'HS256' }],
      }),
    ],
    [
      'a secret that does not say what it is for',
      () => ({
        token: signedToken({ ...HEADER, kid: 'oct' }, { ...CLAIMS, iss: FOREIGN }),
        keys: [{ ...secret, kid: 'oct' }],
      }),
    ],
    [
      'RSA of 1024 bits',
      () => {
        const weak = rsa('weak', 1_024);
        return { token: tokenOf(weak), keys: [weak.jwk] };
      },
    ],
    [
      'S31: RSA of a faulty chip',
      () => {
        const roca = pair('his', 'RS256', rocaKeyPair());
        return { token: tokenOf(roca), keys: [roca.jwk] };
      },
    ],
    ['RSA for PS256', () => ({ token: tokenOf(strong), keys: [{ ...strong.jwk, alg: 'PS256' }] })],
    ['RSA that says ES256', () => ({ token: tokenOf(strong), keys: [{ ...strong.jwk, alg: 'ES256' }] })],
    ['for encryption', () => ({ token: tokenOf(strong), keys: [{ ...strong.jwk, use: 'enc' }] })],
    ['without verify in key_ops', () => ({ token: tokenOf(strong), keys: [{ ...strong.jwk, key_ops: ['encrypt'] }] })],
    [
      'published with its private part',
      () => ({ token: tokenOf(strong), keys: [{ ...strong.privateKey.export({ format: 'jwk' }), kid: 'his' }] }),
    ],
    ['one of two with one kid', () => ({ token: tokenOf(strong), keys: [strong.jwk, ed('his').jwk] })],
    ['without a kid, for a token with one', () => ({ token: tokenOf(strong), keys: [without(strong.jwk, 'kid')] })],
  ])('is ignored, and the others are used: %s', async (_name, make) => {
    const good = ed('good');
    const { token, keys } = make();
    server.publish(...keys, good.jwk);
    expect(await isLetIn(token)).toBe(false);
    expect(await isLetIn(tokenOf(good))).toBe(true);
  });

  test('and is the only one: refused, and warned of', async () => {
    server.publish({ ...secret, kid: 'oct' });
    expect(await isLetIn(tokenOf(strong))).toBe(false);
    expect(warnings()).toBe(1);
    expect(JSON.stringify(logger.entries)).not.toContain(secret.k);
  });
});

describe('A fetch of foreign keys that fails', () => {
  const his = ed('his');
  const big = Buffer.from(JSON.stringify({ keys: [his.jwk], filler: 'x'.repeat(10 * 1_024 * 1_024) }));
  const good = JSON.stringify({ keys: [his.jwk] });

  const BAD: readonly [string, Parameters<JwksServer['answer']>[0]][] = [
    ['500', (_request, response) => response.writeHead(500).end(good)],
    ['201', (_request, response) => response.writeHead(201).end(good)],
    [
      'HTML',
      (_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>login</html>'),
    ],
    ['JSON without keys', (_request, response) => response.writeHead(200).end('{"keys":{}}')],
    ['nothing', (_request, response) => response.writeHead(200).end()],
    ['a broken connection', (request) => request.destroy()],
    [
      'a redirect to good keys',
      (request, response) => {
        if (request.url === '/moved') response.writeHead(200).end(good);
        else response.writeHead(302, { Location: '/moved' }).end();
      },
    ],
    ['a body of 10 MB', (_request, response) => response.writeHead(200).end(big)],
    [
      'a body of 10 MB, packed into a few kB',
      (_request, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(big)),
    ],
  ];

  test.each(BAD)('%s: his tokens are unavailable, ours are let in, and healing is seen', async (_name, how) => {
    server.answer(how);
    await expect(isLetIn(tokenOf(his))).rejects.toMatchObject(UNAVAILABLE);
    expect(await isLetIn(signedToken())).toBe(true);
    server.publish(his.jwk);
    monotonic.advance(RETRY_GAP_MS - 1);
    await expect(isLetIn(tokenOf(his))).rejects.toMatchObject(UNAVAILABLE);
    expect(server.fetches).toBe(1);
    monotonic.advance(1);
    expect(await isLetIn(tokenOf(his))).toBe(true);
    expect(warnings()).toBe(1);
  });

  test.each<[string, Parameters<JwksServer['answer']>[0]]>([
    ['no answer at all', () => undefined],
    [
      'a body that drips',
      (_request, response) => {
        response.writeHead(200).write('{"keys":[');
        const drip = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('ends after three seconds: %s', async (_name, how) => {
    server.answer(how);
    const startedAt = performance.now();
    await expect(isLetIn(tokenOf(his))).rejects.toMatchObject(UNAVAILABLE);
    expect(performance.now() - startedAt).toBeLessThan(GIVEN_UP_MS);
  });

  test('is attempted once in five seconds and logged once a minute, however many callers ask', async () => {
    server.answer((_request, response) => response.writeHead(500).end());
    for (let second = 0; second < 20; second += 1) {
      const answers = await Promise.allSettled(Array.from({ length: 20 }, () => isLetIn(tokenOf(his))));
      expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
      monotonic.advance(1_000);
    }
    expect(server.fetches).toBe(4);
    expect(warnings()).toBe(1);
    monotonic.advance(MINUTE_MS);
    await expect(isLetIn(tokenOf(his))).rejects.toMatchObject(UNAVAILABLE);
    expect(warnings()).toBe(2);
  });

  test('leaves keys of ten minutes ago in use and is repeated once a minute', async () => {
    server.publish(his.jwk);
    expect(await isLetIn(tokenOf(his))).toBe(true);
    server.answer((request) => request.destroy());
    monotonic.advance(10 * MINUTE_MS + 1);
    for (const fetches of [2, 2, 3]) {
      expect(await isLetIn(tokenOf(his))).toBe(true);
      expect(server.fetches).toBe(fetches);
      monotonic.advance(MINUTE_MS / 2);
    }
  });

  test('leaves the last keys in use for a day, and an unknown kid is unavailable rather than refused', async () => {
    server.publish(his.jwk);
    expect(await isLetIn(tokenOf(his))).toBe(true);
    await server.close();
    monotonic.advance(24 * 60 * MINUTE_MS);
    expect(await isLetIn(tokenOf(his))).toBe(true); // this one starts a refresh, which fails
    await expect(isLetIn(tokenOf(ed('new')))).rejects.toMatchObject(UNAVAILABLE);
    expect(await isLetIn(tokenOf(his))).toBe(true);
    monotonic.advance(1);
    await expect(isLetIn(tokenOf(his))).rejects.toMatchObject(UNAVAILABLE);
    expect(await isLetIn(signedToken())).toBe(true);
  });
});
