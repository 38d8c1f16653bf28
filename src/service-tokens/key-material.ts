import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject, sign, verify } from 'node:crypto';
import { guessableFault, isJsonObject, ownValue } from '../kernel';
import { decodeCanonicalBase64url } from './base64url';
import type { KeyAlgorithm } from './key-set';
import {
  HMAC_KEY_BYTES_MIN,
  RSA_BITS_MAX,
  RSA_BITS_MIN,
  RSA_EXPONENT_END,
  RSA_EXPONENT_MIN,
  UNKNOWN_CHARACTERS_MIN,
} from './limits';
import { hasRocaFingerprint } from './roca';

type Jwk = Readonly<Record<string, unknown>>;

export interface KeyMaterial {
  readonly verifies: KeyObject;
  /** The private part or the secret; undefined for a public key. */
  readonly signs: KeyObject | undefined;
}

interface KeyShape {
  readonly kty: string;
  readonly crv?: string;
  readonly publicFields: readonly string[];
  readonly privateFields: readonly string[];
  /** The digest name for node:crypto; null if the algorithm defines it. */
  readonly digest: string | null;
}

const SHAPES: Readonly<Record<Exclude<KeyAlgorithm, 'HS256'>, KeyShape>> = {
  EdDSA: { kty: 'OKP', crv: 'Ed25519', publicFields: ['x'], privateFields: ['d'], digest: null },
  ES256: { kty: 'EC', crv: 'P-256', publicFields: ['x', 'y'], privateFields: ['d'], digest: 'sha256' },
  RS256: {
    kty: 'RSA',
    publicFields: ['n', 'e'],
    privateFields: ['d', 'p', 'q', 'dp', 'dq', 'qi'],
    digest: 'sha256',
  },
};

/**
 * Reads the key of a JWK for one algorithm. Refuses a weak key, a key of another kind, and a key whose parts do not
 * match. Returns the fault as the end of a sentence that reveals nothing of the key.
 */
export function decodeKeyMaterial(jwk: Jwk, alg: KeyAlgorithm): KeyMaterial | string {
  return alg === 'HS256' ? decodeSecret(jwk) : decodePair(jwk, SHAPES[alg], alg);
}

/** Returns the fault of an HMAC secret, or undefined. `remedy` says how to replace a guessable one where it stands. */
export function secretFault(bytes: Uint8Array, remedy: string): string | undefined {
  if (bytes.length < HMAC_KEY_BYTES_MIN) return `is shorter than ${HMAC_KEY_BYTES_MIN} bytes`;
  if (isPublicKeyText(Buffer.from(bytes))) return 'is another kind of key written as text, which is not a secret';
  // An attacker with one token can try secrets without a limit, and then sign tokens in Millime's name.
  const reason = guessableFault(Buffer.from(bytes).toString('latin1'), { unknownMin: UNKNOWN_CHARACTERS_MIN });
  return reason === undefined ? undefined : `is easy to guess: it ${reason}; ${remedy}`;
}

/** No command reads the file while it contains such a key, so its entry has to go first. */
const REPLACE_FILED_KEY = 'delete its entry, then rotate the keys and mint a token';

function decodeSecret(jwk: Jwk): KeyMaterial | string {
  if (ownValue(jwk, 'kty') !== 'oct') return 'must have the kty "oct" for HS256';
  const bytes = decodeField(jwk, 'k');
  if (bytes === undefined) return 'must have its bytes in "k" as base64url without padding';
  const fault = secretFault(bytes, REPLACE_FILED_KEY);
  if (fault !== undefined) return fault;
  const secret = createSecretKey(bytes);
  return { verifies: secret, signs: secret };
}

function decodePair(jwk: Jwk, shape: KeyShape, alg: KeyAlgorithm): KeyMaterial | string {
  const { kty, crv, publicFields, privateFields, digest } = shape;
  if (ownValue(jwk, 'kty') !== kty) return `must have the kty "${kty}" for ${alg}`;
  if (crv !== undefined && ownValue(jwk, 'crv') !== crv) return `must have the crv "${crv}" for ${alg}`;
  const isPrivate = privateFields.some((field) => Object.hasOwn(jwk, field));
  const fields = isPrivate ? [...publicFields, ...privateFields] : publicFields;
  const missing = fields.find((field) => decodeField(jwk, field) === undefined);
  if (missing !== undefined) return `must have its "${missing}" as base64url without padding`;

  const common = { kty, ...(crv === undefined ? {} : { crv }) };
  const verifies = imported(() => createPublicKey({ format: 'jwk', key: { ...common, ...pick(jwk, publicFields) } }));
  if (verifies === undefined) return 'is not a key that can be used';
  const fault = rsaFault(verifies);
  if (fault !== undefined) return fault;
  if (!isPrivate) return { verifies, signs: undefined };
  const signs = imported(() => createPrivateKey({ format: 'jwk', key: { ...common, ...pick(jwk, fields) } }));
  if (signs === undefined) return 'is not a key that can be used';
  return fitTogether(signs, verifies, digest)
    ? { verifies, signs }
    : 'has a private part that does not belong to its public part';
}

function rsaFault(key: KeyObject): string | undefined {
  const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
  if (modulusLength === undefined || publicExponent === undefined) return undefined; // not an RSA key
  if (modulusLength < RSA_BITS_MIN) return `is shorter than ${RSA_BITS_MIN} bits`;
  if (modulusLength > RSA_BITS_MAX) return `is longer than ${RSA_BITS_MAX} bits`;
  if (publicExponent < RSA_EXPONENT_MIN || publicExponent >= RSA_EXPONENT_END || publicExponent % 2n === 0n) {
    return 'has a public exponent that is even, below 65537 or far above it';
  }
  const modulus = Buffer.from(String(key.export({ format: 'jwk' }).n), 'base64url').toString('hex');
  if (hasRocaFingerprint(BigInt(`0x${modulus}`))) {
    return 'was made by a faulty chip (ROCA, CVE-2017-15361), so that others can compute its private part';
  }
  return undefined;
}

/**
 * Returns whether the two parts match. With a typing error in one, Millime would sign tokens that no verifier accepts.
 */
function fitTogether(signs: KeyObject, verifies: KeyObject, digest: string | null): boolean {
  const probe = Buffer.from('millime');
  try {
    return verify(digest, probe, verifies, sign(digest, probe, signs));
  } catch {
    return false; // some mismatched parts cannot even sign
  }
}

/**
 * Returns whether a text is a public key. Used as an HMAC secret it would let anyone sign; this mix-up is the oldest
 * forgery of JWTs (RFC 8725 section 2.1).
 */
function isPublicKeyText(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').trimStart();
  if (/^(-----BEGIN |---- BEGIN |ssh-(rsa|ed25519|dss) |ecdsa-sha2-)/.test(text)) return true;
  if (text.startsWith('{')) return isJwkText(bytes.toString('utf8'));
  return imported(() => createPublicKey({ key: bytes, format: 'der', type: 'spki' })) !== undefined;
}

function isJwkText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && (Object.hasOwn(value, 'kty') || Object.hasOwn(value, 'keys'));
  } catch {
    return false; // a secret may begin with a brace
  }
}

/** Imports a key. Drops the library's message, which may quote the key. */
function imported(make: () => KeyObject): KeyObject | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function decodeField(jwk: Jwk, field: string): Buffer | undefined {
  const value = ownValue(jwk, field);
  return typeof value === 'string' ? decodeCanonicalBase64url(value) : undefined;
}

function pick(jwk: Jwk, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, ownValue(jwk, field)]));
}
