import { constants, createHmac, createSecretKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { RefusalReason } from '../../../src/service-tokens/refusal';
import { type KeySet, type KeySource, KnownSignatures, type ServiceKey } from '../../../src/service-tokens/testing';
import { type VerifiedToken, verifyToken } from '../../../src/service-tokens/verify-token';
import { fixedClock, recordingLogger } from '../../support/fakes';
import { hmacKey } from '../../support/hmac-key';
import {
  AUDIENCE,
  CLAIMS,
  encode,
  HEADER,
  ISSUER,
  KEY_BYTES,
  KEYS,
  keySource,
  KID,
  NOW,
  NOW_SECONDS,
  SECRET,
  signedToken,
  signSegments,
} from './signed-token';

// Goal: only a completely valid header is accepted. Method: one table of bad headers, each a valid one with one fault
// and signed again with the right key, so that only the check under test can refuse it.

interface Verdict {
  readonly verified: VerifiedToken | undefined;
  readonly reason: unknown;
  readonly revocationsAsked: readonly string[];
  readonly log: string;
}

async function verdictOn(
  header: string | undefined,
  now = NOW,
  issuers: ReadonlyMap<string, KeySource> = new Map([[ISSUER, keySource(KEYS)]]),
  isRevoked = false,
  signatures = new KnownSignatures(),
): Promise<Verdict> {
  const logger = recordingLogger();
  const revocationsAsked: string[] = [];
  const verified = await verifyToken(
    {
      clock: fixedClock(now),
      logger,
      expected: { issuer: ISSUER, audience: AUDIENCE },
      issuers,
      revocations: {
        has: async (jti) => {
          revocationsAsked.push(jti);
          return isRevoked;
        },
        expire() {},
      },
      signatures,
    },
    header,
  );
  const reason = logger.events('service_tokens.refused')[0]?.fields['reason'];
  return { verified, reason, revocationsAsked, log: JSON.stringify(logger.entries) };
}

const bearer = (token: string): string => `Bearer ${token}`;
const withClaims = (claims: object): string => bearer(signedToken(HEADER, { ...CLAIMS, ...claims }));
const withoutClaim = (name: string): string =>
  bearer(signedToken(HEADER, Object.fromEntries(Object.entries(CLAIMS).filter(([claim]) => claim !== name))));
const withHeader = (header: object): string => bearer(signedToken({ ...HEADER, ...header }));
const good = signedToken();
const [goodHeader = '', goodPayload = '', goodSignature = ''] = good.split('.');
const rsaPublicPem = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

const GOOD: readonly [string, string][] = [
  ['as we make them', bearer(good)],
  ['the scheme in small letters', `bearer ${good}`],
  ['the scheme in capitals', `BEARER ${good}`],
  ['without kid, signed with SERVICE_JWT_SECRET', bearer(signedToken({ alg: 'HS256' }, CLAIMS, { key: SECRET }))],
  ['S31: without a typ', bearer(signedToken({ alg: 'HS256', kid: KID }))],
  ['S31: with the typ in small letters', withHeader({ typ: 'jwt' })],
  ['S31: with the whole media type', withHeader({ typ: 'application/JWT' })],
  ['expiring in a second', withClaims({ exp: NOW_SECONDS + 1 })],
  ['living exactly 400 days', withClaims({ iat: NOW_SECONDS, exp: NOW_SECONDS + 400 * 86_400 })],
  ['issued by a clock that is 60 s ahead', withClaims({ iat: NOW_SECONDS + 60 })],
  ['not before a minute from now', withClaims({ nbf: NOW_SECONDS + 60 })],
  ['with claims that we do not know', withClaims({ scope: ['a', { b: 1 }] })],
  [
    'with jku, x5u, jwk and x5c beside a key of Millime',
    withHeader({
      jku: 'https://attacker.example/keys',
      x5u: 'https://attacker.example/cert',
      jwk: { kty: 'oct', k: encode('k'.repeat(32)) },
      x5c: ['AAAA'],
    }),
  ],
];

test.each(GOOD)('S3: accepts a token %s', async (_name, header) => {
  const { verified, reason, revocationsAsked } = await verdictOn(header);
  expect(reason).toBeUndefined();
  expect(verified).toMatchObject({ subject: 'gateway', jti: 'jti-1' });
  expect(revocationsAsked).toEqual(['jti-1']);
});

test("returns the subject, the token's id, the key and the expiry", async () => {
  expect((await verdictOn(bearer(good))).verified).toEqual({
    subject: 'gateway',
    jti: 'jti-1',
    kid: KID,
    expiresAt: CLAIMS.exp * 1_000,
  });
});

const BAD: readonly [string, string | undefined, RefusalReason][] = [
  // The header of the request
  ['no header', undefined, 'no_header'],
  ['an empty header', '', 'not_bearer'],
  ['a bare token', good, 'not_bearer'],
  ['the scheme alone', 'Bearer', 'not_bearer'],
  ['no token after the scheme', 'Bearer ', 'not_compact'],
  ['garbage', 'Bearer garbage', 'not_compact'],
  ['another scheme', `Basic ${good}`, 'not_bearer'],
  ['a space before the scheme', ` Bearer ${good}`, 'not_bearer'],
  ['two spaces', `Bearer  ${good}`, 'not_canonical'],
  ['a tab for the space', `Bearer\t${good}`, 'not_bearer'],
  ['a trailing space', `Bearer ${good} `, 'not_canonical'],
  ['a trailing newline', `Bearer ${good}\n`, 'not_canonical'],
  ['two tokens', `Bearer ${good}, Bearer ${good}`, 'not_compact'],
  ['two tokens and a comma', `Bearer ${good},${good}`, 'not_compact'],
  ['a token of 5 kB', withClaims({ filler: 'x'.repeat(3_750) }), 'too_long'],
  // The form of the token
  ['two segments', bearer(`${goodHeader}.${goodPayload}`), 'not_compact'],
  ['four segments', bearer(`${good}.`), 'not_compact'],
  ['an empty signature', bearer(`${goodHeader}.${goodPayload}.`), 'not_canonical'],
  ['an empty header segment', bearer(`.${goodPayload}.${goodSignature}`), 'not_canonical'],
  ['an empty payload', bearer(signSegments(goodHeader, '')), 'not_canonical'],
  ['padding after the signature', bearer(`${good}=`), 'not_canonical'],
  ['padding in a signed payload', bearer(signSegments(goodHeader, `${goodPayload}=`)), 'not_canonical'],
  ['a space in a signed payload', bearer(signSegments(goodHeader, ` ${goodPayload}`)), 'not_canonical'],
  [
    'the alphabet of plain base64',
    bearer(
      signSegments(
        goodHeader,
        encode(`{"a":"${'\u00ff'.repeat(9)}>?"}`)
          .replaceAll('-', '+')
          .replaceAll('_', '/') + '+',
      ),
    ),
    'not_canonical',
  ],
  [
    'stray bits at the end of the signature',
    bearer(`${goodHeader}.${goodPayload}.${withStrayBits(goodSignature)}`),
    'not_canonical',
  ],
  ['a token inside a token', bearer(signedToken({ ...HEADER, cty: 'JWT' }, good)), 'bad_payload'],
  [
    'the JSON serialization',
    bearer(JSON.stringify({ protected: goodHeader, payload: goodPayload, signature: goodSignature })),
    'not_compact',
  ],
  // The header of the token
  ['a header that is not JSON', bearer(signedToken('{"alg":"HS256"')), 'bad_header'],
  ['a header that is a list', bearer(signedToken([HEADER])), 'bad_header'],
  ['a header that is null', bearer(signedToken('null')), 'bad_header'],
  ['a header with alg twice', bearer(signedToken(`{"alg":"none","alg":"HS256","kid":"${KID}"}`)), 'bad_header'],
  ['a header with kid twice', bearer(signedToken(`{"alg":"HS256","kid":"x","kid":"${KID}"}`)), 'bad_header'],
  ['a header that starts with a byte order mark', bearer(signedToken(`\ufeff${JSON.stringify(HEADER)}`)), 'bad_header'],
  ['no alg', bearer(signedToken({ kid: KID })), 'wrong_algorithm'],
  ...['none', 'None', 'NONE', 'nOnE', 'hs256', 'Hs256', 'HS256 ', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA', ''].map(
    (alg): [string, string, RefusalReason] => [`alg ${JSON.stringify(alg)}`, withHeader({ alg }), 'wrong_algorithm'],
  ),
  ['alg as a list', withHeader({ alg: ['HS256'] }), 'wrong_algorithm'],
  [
    'alg HS512, signed with it',
    bearer(signedToken({ ...HEADER, alg: 'HS512' }, CLAIMS, { digest: 'sha512' })),
    'wrong_algorithm',
  ],
  ['alg none and no signature', bearer(`${encode({ ...HEADER, alg: 'none' })}.${goodPayload}.`), 'not_canonical'],
  [
    'alg RS256 with an HMAC of a public key',
    bearer(signedToken({ ...HEADER, alg: 'RS256' }, CLAIMS, { key: rsaPublicPem })),
    'wrong_algorithm',
  ],
  ['an HMAC of a public key', bearer(signedToken(HEADER, CLAIMS, { key: rsaPublicPem })), 'bad_signature'],
  ['an unknown kid', withHeader({ kid: 'other' }), 'unknown_key'],
  ['a kid that is a path', withHeader({ kid: '../../x' }), 'unknown_key'],
  ['a kid that is SQL', withHeader({ kid: "' or 1=1 --" }), 'unknown_key'],
  ...['at+jwt', 'logout+jwt', 'JOSE', '', 'JWT ', 'xJWT', 'application/at+jwt', 'text/jwt', null, 1, ['JWT']].map(
    (typ): [string, string, RefusalReason] => [
      `S31: the typ ${JSON.stringify(typ)}`,
      withHeader({ typ }),
      'wrong_type',
    ],
  ),
  ['a kid of 2 kB', withHeader({ kid: 'x'.repeat(2_000) }), 'unknown_key'],
  ['a kid of 10 kB', withHeader({ kid: 'x'.repeat(10_000) }), 'too_long'],
  ['a kid of the prototype', withHeader({ kid: '__proto__' }), 'unknown_key'],
  ['an empty kid', withHeader({ kid: '' }), 'unknown_key'],
  ['a kid that is null', withHeader({ kid: null }), 'unknown_key'],
  ['a kid that is a number', withHeader({ kid: 1 }), 'unknown_key'],
  ['a kid that is a list', withHeader({ kid: [KID] }), 'unknown_key'],
  ['no kid, signed with a key of the file', bearer(signedToken({ alg: 'HS256' })), 'bad_signature'],
  ['a kid of the file, signed with the secret', bearer(signedToken(HEADER, CLAIMS, { key: SECRET })), 'bad_signature'],
  [
    'an unknown kid, signed with the secret',
    bearer(signedToken({ ...HEADER, kid: 'x' }, CLAIMS, { key: SECRET })),
    'unknown_key',
  ],
  ['crit', withHeader({ crit: ['exp'] }), 'unsupported_header'],
  ['an empty crit', withHeader({ crit: [] }), 'unsupported_header'],
  ['b64 false, announced', withHeader({ b64: false, crit: ['b64'] }), 'unsupported_header'],
  ['b64 false', withHeader({ b64: false }), 'unsupported_header'],
  [
    'a jwk that it is signed with',
    bearer(signedToken({ ...HEADER, jwk: { kty: 'oct', k: encode('k'.repeat(32)) } }, CLAIMS, { key: 'k'.repeat(32) })),
    'bad_signature',
  ],
  [
    'a jku and no key of Millime',
    bearer(signedToken({ alg: 'HS256', kid: 'x', jku: 'http://127.0.0.1:1/keys' })),
    'unknown_key',
  ],
  // The signature
  ['another key', bearer(signedToken(HEADER, CLAIMS, { key: hmacKey('another') })), 'bad_signature'],
  ['an empty key', bearer(signedToken(HEADER, CLAIMS, { key: '' })), 'bad_signature'],
  [
    'another payload',
    bearer(`${goodHeader}.${encode({ ...CLAIMS, sub: 'intruder' })}.${goodSignature}`),
    'bad_signature',
  ],
  [
    'half a signature',
    bearer(
      `${goodHeader}.${goodPayload}.${Buffer.from(goodSignature, 'base64url').subarray(0, 16).toString('base64url')}`,
    ),
    'bad_signature',
  ],
  // The claims
  ['a payload that is not JSON', bearer(signedToken(HEADER, 'foo')), 'bad_payload'],
  ['a payload that is a list', bearer(signedToken(HEADER, [CLAIMS])), 'bad_payload'],
  [
    'a payload that is not UTF-8',
    bearer(signSegments(goodHeader, Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url'))),
    'bad_payload',
  ],
  ['exp twice', bearer(signedToken(HEADER, JSON.stringify(CLAIMS).replace('{', '{"exp":1,'))), 'bad_payload'],
  [
    'exp twice, once escaped',
    bearer(signedToken(HEADER, JSON.stringify(CLAIMS).replace('{', '{"\\u0065xp":1,'))),
    'bad_payload',
  ],
  [
    'claims nested without end',
    bearer(signedToken(HEADER, `{"a":${'['.repeat(900)}${']'.repeat(900)}}`)),
    'bad_payload',
  ],
  ['its claims in __proto__', bearer(signedToken(HEADER, `{"__proto__":${JSON.stringify(CLAIMS)}}`)), 'wrong_issuer'],
  ['no iss', withoutClaim('iss'), 'wrong_issuer'],
  ...['other', 'Millime', 'millime ', '', null, 1, ['millime'], { iss: 'millime' }].map(
    (iss): [string, string, RefusalReason] => [`iss ${JSON.stringify(iss)}`, withClaims({ iss }), 'wrong_issuer'],
  ),
  ['no aud', withoutClaim('aud'), 'wrong_audience'],
  ...['other', 'SERVICE-SETTLEMENT', '', null, 1, [AUDIENCE], [AUDIENCE, 'other']].map(
    (aud): [string, string, RefusalReason] => [`aud ${JSON.stringify(aud)}`, withClaims({ aud }), 'wrong_audience'],
  ),
  ['no sub', withoutClaim('sub'), 'bad_subject'],
  ...['', ' gateway', 'a\nb', 'x'.repeat(256), null, 1, ['gateway'], true].map(
    (sub): [string, string, RefusalReason] => [`sub ${JSON.stringify(sub)}`, withClaims({ sub }), 'bad_subject'],
  ),
  ['no jti', withoutClaim('jti'), 'bad_jti'],
  ...['', 'jti-1 ', 'a\u0000b', 'x'.repeat(256), null, 1, ['jti-1'], {}].map((jti): [string, string, RefusalReason] => [
    `jti ${JSON.stringify(jti)}`,
    withClaims({ jti }),
    'bad_jti',
  ]),
  ['no iat', withoutClaim('iat'), 'bad_times'],
  ['no exp', withoutClaim('exp'), 'bad_times'],
  ...['iat', 'exp', 'nbf'].flatMap((claim) =>
    [String(NOW_SECONDS + 30), null, true, [NOW_SECONDS + 30], NOW_SECONDS + 30.5, 2 ** 53, {}].map(
      (value): [string, string, RefusalReason] => [
        `${claim} ${JSON.stringify(value)}`,
        withClaims({ [claim]: value }),
        'bad_times',
      ],
    ),
  ),
  [
    'exp 1e400',
    bearer(signedToken(HEADER, JSON.stringify({ ...CLAIMS, exp: 0 }).replace('"exp":0', '"exp":1e400'))),
    'bad_times',
  ],
  [
    'iat -1e400',
    bearer(signedToken(HEADER, JSON.stringify({ ...CLAIMS, iat: 0 }).replace('"iat":0', '"iat":-1e400'))),
    'bad_times',
  ],
  ['exp in milliseconds', withClaims({ exp: CLAIMS.exp * 1_000 }), 'lifetime_too_long'],
  ['exp before iat', withClaims({ iat: NOW_SECONDS, exp: NOW_SECONDS - 1 }), 'bad_times'],
  ['exp at iat', withClaims({ iat: NOW_SECONDS + 30, exp: NOW_SECONDS + 30 }), 'bad_times'],
  ['expired by one second', withClaims({ exp: NOW_SECONDS - 1 }), 'expired'],
  ['expiring now', withClaims({ exp: NOW_SECONDS }), 'expired'],
  ['iat 61 s ahead', withClaims({ iat: NOW_SECONDS + 61 }), 'issued_in_future'],
  ['nbf 61 s ahead', withClaims({ nbf: NOW_SECONDS + 61 }), 'not_yet_valid'],
  ['a lifetime of 401 days', withClaims({ iat: NOW_SECONDS, exp: NOW_SECONDS + 401 * 86_400 }), 'lifetime_too_long'],
  [
    'a lifetime of 400 days and a second',
    withClaims({ iat: NOW_SECONDS, exp: NOW_SECONDS + 400 * 86_400 + 1 }),
    'lifetime_too_long',
  ],
  ['iat long ago', withClaims({ iat: 0 }), 'lifetime_too_long'],
];

test.each(BAD)('S1, S2, S3: refuses %s', async (_name, header, expectedReason) => {
  const { verified, reason, revocationsAsked, log } = await verdictOn(header);
  expect(verified).toBeUndefined();
  expect(reason).toBe(expectedReason);
  expect(revocationsAsked).toEqual([]);
  if (header !== undefined && header.length > 10) expect(log).not.toContain(header.slice(7));
});

test('accepts a token of 4,096 characters and refuses one with one more', async () => {
  const longest = Array.from({ length: 1_000 }, (_, more) => withClaims({ filler: 'x'.repeat(2_500 + more) })).find(
    ({ length }) => length === bearer('').length + 4_096,
  );
  expect((await verdictOn(longest)).verified).toBeDefined();
  expect((await verdictOn(`${longest}x`)).reason).toBe('too_long');
});

test('refuses a revoked token, and logs its id', async () => {
  const { verified, reason, log } = await verdictOn(bearer(good), undefined, undefined, true);
  expect([verified, reason]).toEqual([undefined, 'revoked']);
  expect(log).toContain(CLAIMS.jti);
});

test('S2: checks the expiry at every call, even of a token that was valid before', async () => {
  expect((await verdictOn(bearer(good), CLAIMS.exp * 1_000 - 1)).verified).toBeDefined();
  expect((await verdictOn(bearer(good), CLAIMS.exp * 1_000)).verified).toBeUndefined();
});

test('refuses every token with one bit of its signature turned', async () => {
  const signature = Buffer.from(goodSignature, 'base64url');
  for (let bit = 0; bit < signature.length * 8; bit += 1) {
    const forged = Buffer.from(signature);
    forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const { reason } = await verdictOn(bearer(`${goodHeader}.${goodPayload}.${forged.toString('base64url')}`));
    expect(reason).toBe('bad_signature');
  }
});

/** Another text for the same bytes: 32 bytes leave two bits of the last character unused. */
function withStrayBits(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.slice(-1)) + 1);
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(text, 'base64url'));
  return other;
}

test('the table of bad tokens is signed with a key that the verifier knows', () => {
  expect(KEYS.byKid.get(KID)?.verifies.export()).toEqual(KEY_BYTES);
});

describe('A verifier of several algorithms and issuers', () => {
  const FOREIGN = 'https://issuer.example';
  const ed = generateKeyPairSync('ed25519');
  const foreignEd = generateKeyPairSync('ed25519');
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const own: KeySet = {
    byKid: new Map<string, ServiceKey>([
      [KID, { kid: KID, alg: 'HS256', verifies: createSecretKey(KEY_BYTES) }],
      ['ed', { kid: 'ed', alg: 'EdDSA', verifies: ed.publicKey }],
      ['ec', { kid: 'ec', alg: 'ES256', verifies: ec.publicKey }],
      ['rsa', { kid: 'rsa', alg: 'RS256', verifies: rsa.publicKey }],
    ]),
    withoutKid: [],
  };
  const foreignKey: ServiceKey = { kid: 'foreign', alg: 'EdDSA', verifies: foreignEd.publicKey };
  const foreign: KeySet = { byKid: new Map([['foreign', foreignKey]]), withoutKid: [foreignKey] };
  const issuers = new Map([
    [ISSUER, keySource(own)],
    [FOREIGN, keySource(foreign)],
  ]);
  const signers: Readonly<Record<string, (input: Buffer) => Buffer>> = {
    ed: (input) => sign(null, input, ed.privateKey),
    foreign: (input) => sign(null, input, foreignEd.privateKey),
    ec: (input) => sign('sha256', input, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
    'ec in DER': (input) => sign('sha256', input, ec.privateKey),
    rsa: (input) => sign('sha256', input, rsa.privateKey),
    'rsa with PSS': (input) => sign('sha256', input, { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }),
    'hmac of the RSA key': (input) =>
      createHmac('sha256', rsa.publicKey.export({ type: 'spki', format: 'pem' }))
        .update(input)
        .digest(),
  };

  function token(signer: string, header: object, claims: object = {}): string {
    const input = `${encode(header)}.${encode({ ...CLAIMS, ...claims })}`;
    return bearer(`${input}.${signers[signer]!(Buffer.from(input)).toString('base64url')}`);
  }

  test.each([
    ['EdDSA', token('ed', { alg: 'EdDSA', kid: 'ed' })],
    ['ES256', token('ec', { alg: 'ES256', kid: 'ec' })],
    ['RS256', token('rsa', { alg: 'RS256', kid: 'rsa' })],
    ['HS256', bearer(good)],
    ['EdDSA of the foreign issuer', token('foreign', { alg: 'EdDSA', kid: 'foreign' }, { iss: FOREIGN })],
    ['EdDSA of the foreign issuer without kid', token('foreign', { alg: 'EdDSA' }, { iss: FOREIGN })],
  ])('accepts a token of %s', async (_name, header) => {
    const { verified, reason } = await verdictOn(header, NOW, issuers);
    expect(reason).toBeUndefined();
    expect(verified?.jti).toBe(CLAIMS.jti);
  });

  test.each<[string, string, RefusalReason]>([
    ['our iss with the key of the foreign issuer', token('foreign', { alg: 'EdDSA', kid: 'foreign' }), 'unknown_key'],
    [
      "Millime's iss with the foreign issuer's key under a kid of Millime",
      token('foreign', { alg: 'EdDSA', kid: 'ed' }),
      'bad_signature',
    ],
    ['the foreign iss with a key of ours', token('ed', { alg: 'EdDSA', kid: 'ed' }, { iss: FOREIGN }), 'unknown_key'],
    [
      'the foreign iss with a key of Millime under the foreign kid',
      token('ed', { alg: 'EdDSA', kid: 'foreign' }, { iss: FOREIGN }),
      'bad_signature',
    ],
    ['the foreign iss with our secret', bearer(signedToken(HEADER, { ...CLAIMS, iss: FOREIGN })), 'unknown_key'],
    [
      'an iss that is neither',
      token('ed', { alg: 'EdDSA', kid: 'ed' }, { iss: 'https://other.example' }),
      'wrong_issuer',
    ],
    [
      'both iss',
      bearer(signedToken(HEADER, JSON.stringify(CLAIMS).replace('{', `{"iss":"${FOREIGN}",`))),
      'bad_payload',
    ],
    ['iss of the prototype', token('ed', { alg: 'EdDSA', kid: 'ed' }, { iss: '__proto__' }), 'wrong_issuer'],
    ['no kid where several of our keys could be meant', token('ed', { alg: 'EdDSA' }), 'unknown_key'],
    ['alg RS256 with the kid of the EC key', token('rsa', { alg: 'RS256', kid: 'ec' }), 'wrong_algorithm'],
    ['alg ES256 with the kid of the RSA key', token('ec', { alg: 'ES256', kid: 'rsa' }), 'wrong_algorithm'],
    ['alg PS256, signed with it', token('rsa with PSS', { alg: 'PS256', kid: 'rsa' }), 'wrong_algorithm'],
    ['alg RS256, signed with PSS', token('rsa with PSS', { alg: 'RS256', kid: 'rsa' }), 'bad_signature'],
    ['alg Ed25519 for EdDSA', token('ed', { alg: 'Ed25519', kid: 'ed' }), 'wrong_algorithm'],
    ['an EC signature in DER', token('ec in DER', { alg: 'ES256', kid: 'ec' }), 'bad_signature'],
    ['an HMAC with the RSA public key', token('hmac of the RSA key', { alg: 'HS256', kid: 'rsa' }), 'wrong_algorithm'],
    ['the signature of another algorithm', token('ed', { alg: 'ES256', kid: 'ec' }), 'bad_signature'],
  ])('refuses %s', async (_name, header, expectedReason) => {
    const { verified, reason } = await verdictOn(header, NOW, issuers);
    expect(verified).toBeUndefined();
    expect(reason).toBe(expectedReason);
  });

  test('refreshes the keys only for an unknown kid', async () => {
    const looks: string[] = [];
    const late: KeySource = {
      current: async () => (looks.push('current'), KEYS),
      refresh: async () => (looks.push('again'), own),
    };
    const sources = new Map([[ISSUER, late]]);
    expect((await verdictOn(token('ed', { alg: 'EdDSA', kid: 'ed' }), NOW, sources)).verified).toBeDefined();
    expect(looks).toEqual(['current', 'again']);
    looks.length = 0;
    await verdictOn(bearer(good), NOW, sources);
    await verdictOn(bearer(`${good.slice(0, -4)}AAAA`), NOW, sources);
    await verdictOn(withHeader({ alg: 'none' }), NOW, sources);
    expect(looks).toEqual(['current', 'current', 'current']);
  });
});

describe('A token that was verified before', () => {
  const MINUTE = 60_000;
  const keysThatChange = (): { issuers: ReadonlyMap<string, KeySource>; change: (keys: KeySet) => void } => {
    let keys: KeySet = KEYS;
    const source = { current: async () => keys, refresh: async () => keys };
    return { issuers: new Map([[ISSUER, source]]), change: (next) => (keys = next) };
  };

  test('is accepted without another computation of its signature', async () => {
    const signatures = new KnownSignatures();
    let lookups = 0;
    const byKid = { get: (kid: string) => ((lookups += 1), KEYS.byKid.get(kid)) } as KeySet['byKid'];
    const issuers = new Map([[ISSUER, keySource({ ...KEYS, byKid })]]);
    const first = await verdictOn(bearer(good), NOW, issuers, false, signatures);
    const second = await verdictOn(`bearer ${good}`, NOW, issuers, false, signatures);
    expect(second.verified).toEqual(first.verified);
    expect([lookups, second.revocationsAsked]).toEqual([1, ['jti-1']]);
  });

  test('is refused from the instant at which it expires', async () => {
    const signatures = new KnownSignatures();
    const at = async (now: number): Promise<unknown> =>
      (await verdictOn(bearer(good), now, undefined, false, signatures)).reason;
    expect(await at(CLAIMS.exp * 1_000 - 1)).toBeUndefined();
    expect(await at(CLAIMS.exp * 1_000)).toBe('expired');
    expect(await at(CLAIMS.exp * 1_000 - MINUTE)).toBeUndefined();
  });

  test('is refused when it is revoked', async () => {
    const signatures = new KnownSignatures();
    expect((await verdictOn(bearer(good), NOW, undefined, false, signatures)).verified).toBeDefined();
    const revoked = await verdictOn(bearer(good), NOW, undefined, true, signatures);
    expect([revoked.verified, revoked.reason]).toEqual([undefined, 'revoked']);
  });

  test('is refused when its key is removed, and accepted when it is back', async () => {
    const signatures = new KnownSignatures();
    const { issuers, change } = keysThatChange();
    const verdict = async (): Promise<unknown> =>
      (await verdictOn(bearer(good), NOW, issuers, false, signatures)).reason;
    expect(await verdict()).toBeUndefined();
    change({ byKid: new Map(), withoutKid: [] });
    expect(await verdict()).toBe('unknown_key');
    change({ ...KEYS });
    expect(await verdict()).toBeUndefined();
  });

  test('does not vouch for a token with another signature, header or issuer', async () => {
    const signatures = new KnownSignatures();
    await verdictOn(bearer(good), NOW, undefined, false, signatures);
    const forged = `${goodHeader}.${goodPayload}.${goodSignature.slice(0, -2)}AA`;
    expect((await verdictOn(bearer(forged), NOW, undefined, false, signatures)).reason).toBe('bad_signature');
    const elsewhere = new Map([['https://other.example', keySource(KEYS)]]);
    expect((await verdictOn(bearer(good), NOW, elsewhere, false, new KnownSignatures())).reason).toBe('wrong_issuer');
  });

  test('is forgotten after 1,000 later ones', async () => {
    const signatures = new KnownSignatures();
    const source = keySource(KEYS);
    const signed = { ok: true, issuer: ISSUER, payload: CLAIMS, kid: KID, source, keys: KEYS } as const;
    for (let index = 0; index <= 1_000; index += 1) signatures.remember(`token ${index}`, signed);
    expect(await signatures.find('token 0')).toBeUndefined();
    expect(await signatures.find('token 1')).toBe(signed);
  });
});
