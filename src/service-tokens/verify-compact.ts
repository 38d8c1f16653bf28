import { compactVerify, errors } from 'jose';
import { ownValue } from '../kernel';
import type { KeySet, ServiceKey } from './key-set';
import type { ParsedCompact } from './parse-compact';
import { type Refusal, refused } from './refusal';

export interface VerifiedCompact {
  readonly ok: true;
  readonly kid: string | undefined;
}

/** Checks the signature of a compact JWS against the keys of one issuer. It does not check the claims. */
export async function verifyCompact(
  { token, header }: ParsedCompact,
  keys: KeySet,
): Promise<VerifiedCompact | Refusal> {
  const alg = ownValue(header, 'alg');
  const key = keyFor(header, alg, keys);
  if (key === undefined) return refused('unknown_key');
  if (alg !== key.alg) return refused('wrong_algorithm');
  return (await isSignedBy(token, key)) ? { ok: true, kid: key.kid } : refused('bad_signature');
}

function keyFor(header: ParsedCompact['header'], alg: unknown, keys: KeySet): ServiceKey | undefined {
  if (!Object.hasOwn(header, 'kid')) {
    const [key, ...others] = keys.withoutKid.filter((candidate) => candidate.alg === alg);
    return others.length === 0 ? key : undefined;
  }
  const kid = header['kid'];
  return typeof kid === 'string' ? keys.byKid.get(kid) : undefined;
}

async function isSignedBy(token: string, key: ServiceKey): Promise<boolean> {
  try {
    await compactVerify(token, key.verifies, { algorithms: [key.alg] });
    return true;
  } catch (error) {
    // Any other error is an internal fault, such as a key that does not match its algorithm.
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}
