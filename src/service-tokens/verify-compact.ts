import { compactVerify, errors } from 'jose';
import { ownValue } from '../kernel';
import { decodeCanonicalBase64url } from './base64url';
import { decodeJsonObject } from './json-object';
import type { KeySet, ServiceKey } from './key-set';
import { TOKEN_BYTES_MAX } from './limits';
import { refused, type Refusal } from './refusal';

export interface VerifiedCompact {
  readonly ok: true;
  readonly kid: string | undefined;
  readonly payload: Uint8Array;
}

// Each would change what is signed or how (RFC 7515 section 4.1.11, RFC 7797), and we know no extension.
// `jku`, `x5u`, `jwk` and `x5c` are not looked at: keys come from our own set and from nowhere else.
const UNSUPPORTED_PARAMETERS = ['crit', 'b64'] as const;

/**
 * Checks the form and the signature of a compact JWS against our keys. Says nothing about its claims.
 * The form is checked before jose sees the token, because jose alone is more lenient than we may be.
 */
export async function verifyCompact(token: string, keys: KeySet): Promise<VerifiedCompact | Refusal> {
  if (token.length > TOKEN_BYTES_MAX) return refused('too_long');
  const segments = token.split('.');
  if (segments.length !== 3) return refused('not_compact');
  const [headerBytes, payload, signature] = segments.map(decodeCanonicalBase64url);
  if (headerBytes === undefined || payload === undefined || signature === undefined) return refused('not_canonical');

  const header = decodeJsonObject(headerBytes);
  if (header === undefined) return refused('bad_header');
  if (UNSUPPORTED_PARAMETERS.some((name) => Object.hasOwn(header, name))) return refused('unsupported_header');
  const key = keyFor(header, keys);
  if (key === undefined) return refused('unknown_key');
  if (ownValue(header, 'alg') !== key.alg) return refused('wrong_algorithm');

  return (await isSignedBy(token, key)) ? { ok: true, kid: key.kid, payload } : refused('bad_signature');
}

function keyFor(header: Readonly<Record<string, unknown>>, keys: KeySet): ServiceKey | undefined {
  if (!Object.hasOwn(header, 'kid')) return keys.withoutKid;
  const kid = header['kid'];
  return typeof kid === 'string' ? keys.byKid.get(kid) : undefined;
}

async function isSignedBy(token: string, key: ServiceKey): Promise<boolean> {
  try {
    await compactVerify(token, key.material, { algorithms: [key.alg] });
    return true;
  } catch (error) {
    // Anything else is a fault of ours, such as a key that does not fit its algorithm.
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}
