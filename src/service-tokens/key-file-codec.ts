import { isJsonObject, isOutsideId, ownValue, parseStrictJson } from '../kernel';
import { decodeCanonicalBase64url } from './base64url';
import { hs256Key, KEY_ALGORITHMS, type SigningKey } from './key-set';
import { HMAC_KEY_BYTES_MIN } from './limits';

/** `active` keys sign and verify; `verify_only` ones are on their way in or out of use. */
const KEY_STATUSES = ['active', 'verify_only'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export interface FiledKey extends SigningKey {
  readonly status: KeyStatus;
}

/** What a key file says, or the one line that says what is wrong with it. The line never shows the file's content. */
export type KeyFileContent = { ok: true; keys: readonly FiledKey[] } | { ok: false; fault: string };

const DEPTH_MAX = 4;

/**
 * Reads a key file: `{"keys":[{"kid","kty":"oct","alg":"HS256","status":"active","k":"<base64url>"}]}`, a JWK set with
 * one field of ours. Other fields of a JWK (`use`, say) may stand there and mean nothing to us.
 */
export function decodeKeyFile(text: string): KeyFileContent {
  const json = parseStrictJson(text, { depthMax: DEPTH_MAX, refuseDuplicateKeys: true });
  if (!json.ok) return fault('is not valid JSON');
  const entries = isJsonObject(json.value) ? ownValue(json.value, 'keys') : undefined;
  if (!Array.isArray(entries)) return fault('has no list "keys"');
  if (entries.length === 0) return fault('holds no key');
  const keys: FiledKey[] = [];
  const kids = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const key = decodeKey(entry);
    if (typeof key === 'string') return fault(`key ${index + 1} ${key}`);
    if (kids.has(key.kid)) return fault(`key ${index + 1} has the kid of an earlier key`);
    kids.add(key.kid);
    keys.push(key);
  }
  return { ok: true, keys };
}

/** The file with one new key, as the first start writes it. */
export function encodeKeyFile(kid: string, bytes: Buffer): string {
  const key = { kid, kty: 'oct', alg: 'HS256', status: 'active', k: bytes.toString('base64url') };
  return `${JSON.stringify({ keys: [key] }, null, 2)}\n`;
}

function decodeKey(entry: unknown): FiledKey | string {
  if (!isJsonObject(entry)) return 'is not an object';
  const kid = ownValue(entry, 'kid');
  if (!isOutsideId(kid)) return 'has no usable kid';
  if (ownValue(entry, 'kty') !== 'oct') return 'must have the kty "oct"';
  if (!isOneOf(KEY_ALGORITHMS, ownValue(entry, 'alg'))) return `must have one of the alg ${KEY_ALGORITHMS.join(', ')}`;
  const status = ownValue(entry, 'status');
  if (!isOneOf(KEY_STATUSES, status)) return `must have one of the status ${KEY_STATUSES.join(', ')}`;
  const k = ownValue(entry, 'k');
  const bytes = typeof k === 'string' ? decodeCanonicalBase64url(k) : undefined;
  if (bytes === undefined) return 'must have its bytes in "k" as base64url without padding';
  if (bytes.length < HMAC_KEY_BYTES_MIN) return `is shorter than ${HMAC_KEY_BYTES_MIN} bytes`;
  return { ...hs256Key(kid, bytes), status };
}

function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return list.some((item) => item === value);
}

function fault(text: string): KeyFileContent {
  return { ok: false, fault: text };
}
