import { createHmac, createSecretKey } from 'node:crypto';
import type { KeySet, KeySource } from '../../../src/service-tokens/testing';
import { hmacKey } from '../../support/hmac-key';

export const KID = '01K9ZZZZZZZZZZZZZZZZZZZZZZ';
export const KEY_BYTES = hmacKey('signed');
export const SECRET = hmacKey('environment').toString('hex');
export const ISSUER = 'millime';
export const AUDIENCE = 'service-settlement';
export const NOW = Date.parse('2026-03-02T09:00:00.000Z');
export const NOW_SECONDS = NOW / 1_000;

export const KEYS: KeySet = {
  byKid: new Map([[KID, { kid: KID, alg: 'HS256', verifies: createSecretKey(KEY_BYTES) }]]),
  withoutKid: [{ kid: undefined, alg: 'HS256', verifies: createSecretKey(Buffer.from(SECRET)) }],
};

/** Keys that never change. */
export function keySource(keys: KeySet): KeySource {
  return { current: async () => keys, refresh: async () => keys };
}

export const HEADER = { alg: 'HS256', typ: 'JWT', kid: KID };

export const CLAIMS = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'gateway',
  jti: 'jti-1',
  iat: NOW_SECONDS - 10,
  exp: NOW_SECONDS + 3_600,
};

/** Signs by hand, so that nothing between the test and the verifier tidies the token up. Strings are taken as they stand. */
export function signedToken(
  header: unknown = HEADER,
  claims: unknown = CLAIMS,
  { key = KEY_BYTES, digest = 'sha256' }: { key?: Buffer | string; digest?: string } = {},
): string {
  return signSegments(encode(header), encode(claims), { key, digest });
}

export function signSegments(
  header: string,
  payload: string,
  { key = KEY_BYTES, digest = 'sha256' }: { key?: Buffer | string; digest?: string } = {},
): string {
  const input = `${header}.${payload}`;
  return `${input}.${createHmac(digest, key).update(input).digest('base64url')}`;
}

export function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}
