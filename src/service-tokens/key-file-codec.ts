import { isJsonObject, isOutsideId, ownValue, parseStrictJson } from '../kernel';
import { decodeKeyMaterial, type KeyMaterial } from './key-material';
import { isKeyAlgorithm, KEY_ALGORITHMS, type ServiceKey, type SigningKey } from './key-set';
import { usageFault } from './key-usage';

/** `active` keys sign and verify; `verify_only` keys do not sign yet, or no longer. */
const KEY_STATUSES = ['active', 'verify_only'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export interface FiledKey extends ServiceKey {
  readonly kid: string;
  readonly status: KeyStatus;
  /** Whether the file contains the private part or the secret, which removing the entry would destroy. */
  readonly isSecret: boolean;
  /** Set for keys that sign, which are the active ones. */
  readonly signing: SigningKey | undefined;
}

/** The content of a key file, or its fault in one line that never reveals the content. */
export type KeyFileContent = { ok: true; keys: readonly FiledKey[] } | { ok: false; fault: string };

const DEPTH_MAX = 4;

/**
 * Reads a key file: `{"keys":[{"kid","kty","alg","status",…}]}`, a JWK set with the additional field `status`. Every
 * key names its only algorithm. An empty list is valid: deleting the last key is deliberate. Unknown fields of a JWK
 * are ignored.
 */
export function decodeKeyFile(text: string): KeyFileContent {
  const json = parseStrictJson(text, { depthMax: DEPTH_MAX, refuseDuplicateKeys: true });
  if (!json.ok) return fault('is not valid JSON');
  const entries = isJsonObject(json.value) ? ownValue(json.value, 'keys') : undefined;
  if (!Array.isArray(entries)) return fault('has no list "keys"');
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

function decodeKey(entry: unknown): FiledKey | string {
  if (!isJsonObject(entry)) return 'is not an object';
  const kid = ownValue(entry, 'kid');
  if (!isOutsideId(kid)) return 'has no usable kid';
  const alg = ownValue(entry, 'alg');
  if (!isKeyAlgorithm(alg)) return `must have one of the alg ${KEY_ALGORITHMS.join(', ')}`;
  const status = KEY_STATUSES.find((known) => known === ownValue(entry, 'status'));
  if (status === undefined) return `must have one of the status ${KEY_STATUSES.join(', ')}`;
  const material = decodeKeyMaterial(entry, alg);
  if (typeof material === 'string') return material;
  if (status === 'active' && material.signs === undefined) return 'is active and has no private part';
  const misused = usageFault(entry, usesOf(alg === 'HS256', status, material));
  if (misused !== undefined) return misused;
  return {
    kid,
    alg,
    status,
    verifies: material.verifies,
    isSecret: material.signs !== undefined,
    signing: status === 'active' && material.signs !== undefined ? { kid, alg, signs: material.signs } : undefined,
  };
}

/**
 * Returns the accepted key_ops. Those of a private key concern only its private part, so a key that may sign may also
 * verify.
 */
function usesOf(isHmac: boolean, status: KeyStatus, { signs }: KeyMaterial): readonly ('sign' | 'verify')[][] {
  if (isHmac) return status === 'active' ? [['sign', 'verify']] : [['verify']];
  if (signs === undefined) return [['verify']];
  return status === 'active' ? [['sign']] : [['sign'], ['verify']];
}

function fault(text: string): KeyFileContent {
  return { ok: false, fault: text };
}
