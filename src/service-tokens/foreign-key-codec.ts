import { isJsonObject, isOutsideId, ownValue } from '../kernel';
import { decodeKeyMaterial } from './key-material';
import type { KeyAlgorithm, KeySet, ServiceKey } from './key-set';
import { usageFault } from './key-usage';

type Jwk = Readonly<Record<string, unknown>>;
type PublicAlgorithm = Exclude<KeyAlgorithm, 'HS256'>;

/** HS256 is missing because a published secret is not a secret. */
const ALGORITHM_OF: Readonly<Record<string, PublicAlgorithm>> = { OKP: 'EdDSA', EC: 'ES256', RSA: 'RS256' };

export interface ForeignKeySet {
  readonly keys: KeySet;
  /** Why the other keys of the set are not used, one line each. An issuer may publish keys for other programs. */
  readonly ignored: readonly string[];
}

/** Reads the JWK set of a foreign issuer: the usable keys, and the reasons against the others. */
export function decodeForeignKeys(entries: readonly unknown[]): ForeignKeySet {
  const keys: ServiceKey[] = [];
  const ignored: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const key = isJsonObject(entry) ? decodeKey(entry) : 'is not an object';
    if (typeof key === 'string') ignored.push(`key ${index + 1} ${key}`);
    else keys.push(key);
  }
  const byKid = new Map<string, ServiceKey>();
  const usable = keys.filter((key) => {
    // Two keys with one kid are ambiguous.
    const isAmbiguous = key.kid !== undefined && keys.some((other) => other !== key && other.kid === key.kid);
    if (isAmbiguous) ignored.push('a key has the kid of another one');
    else if (key.kid !== undefined) byKid.set(key.kid, key);
    return !isAmbiguous;
  });
  return { keys: { byKid, withoutKid: usable }, ignored };
}

function decodeKey(jwk: Jwk): ServiceKey | string {
  const kid = ownValue(jwk, 'kid');
  if (kid !== undefined && !isOutsideId(kid)) return 'has no usable kid';
  const kty = ownValue(jwk, 'kty');
  const alg = typeof kty === 'string' ? ownValue(ALGORITHM_OF, kty) : undefined;
  if (!isPublicAlgorithm(alg)) return `must have one of the kty ${Object.keys(ALGORITHM_OF).join(', ')}`;
  // A key without an algorithm is used with the only known algorithm of its kind.
  if (Object.hasOwn(jwk, 'alg') && ownValue(jwk, 'alg') !== alg) return `must have the alg ${alg} for its kty`;
  const misused = usageFault(jwk, [['verify']]);
  if (misused !== undefined) return misused;
  const material = decodeKeyMaterial(jwk, alg);
  if (typeof material === 'string') return material;
  if (material.signs !== undefined) return 'is published with its private part, so any reader can sign with it';
  return { kid, alg, verifies: material.verifies };
}

function isPublicAlgorithm(alg: unknown): alg is PublicAlgorithm {
  return Object.values(ALGORITHM_OF).some((known) => known === alg);
}
