import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { newId } from '../kernel';
import type { KeyAlgorithm } from './key-set';
import { HMAC_KEY_BYTES_MIN, RSA_BITS_MADE } from './limits';

const generate = promisify(generateKeyPair);

/** A new key as a JWK of the key file. It is secret: never log or print it. */
export interface NewKey {
  readonly kid: string;
  readonly alg: KeyAlgorithm;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Creates an active key with a new kid. */
export async function makeKey(alg: KeyAlgorithm): Promise<NewKey> {
  const kid = newId();
  return { kid, alg, entry: { kid, alg, use: 'sig', status: 'active', ...(await makeParts(alg)) } };
}

async function makeParts(alg: KeyAlgorithm): Promise<Readonly<Record<string, unknown>>> {
  switch (alg) {
    case 'HS256':
      return { kty: 'oct', k: randomBytes(HMAC_KEY_BYTES_MIN).toString('base64url') };
    case 'EdDSA':
      return (await generate('ed25519')).privateKey.export({ format: 'jwk' });
    case 'ES256':
      return (await generate('ec', { namedCurve: 'P-256' })).privateKey.export({ format: 'jwk' });
    case 'RS256':
      return (await generate('rsa', { modulusLength: RSA_BITS_MADE })).privateKey.export({ format: 'jwk' });
  }
}
