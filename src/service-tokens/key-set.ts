import { createSecretKey, type KeyObject } from 'node:crypto';

/** The algorithms that a key can be bound to. */
export const KEY_ALGORITHMS = ['HS256'] as const;
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

/**
 * A key and the one algorithm that it is for. The token's header never chooses the algorithm: a key that verifies in
 * two ways is how forgeries are made (RFC 8725 section 3.1).
 */
export interface ServiceKey {
  readonly kid: string | undefined;
  readonly alg: KeyAlgorithm;
  /** Opaque to printing, so that a key cannot slip into a log or an error. */
  readonly material: KeyObject;
}

export interface SigningKey extends ServiceKey {
  readonly kid: string;
}

/** Every key that a token can be verified with at one moment. */
export interface KeySet {
  readonly byKid: ReadonlyMap<string, ServiceKey>;
  /** The key of SERVICE_JWT_SECRET: for tokens without `kid`, and never for signing. */
  readonly withoutKid: ServiceKey | undefined;
  /** What we sign with; undefined when no key of ours is active. */
  readonly signing: SigningKey | undefined;
}

export function hs256Key(kid: string, bytes: Uint8Array): SigningKey {
  return { kid, alg: 'HS256', material: createSecretKey(bytes) };
}

/** The key of SERVICE_JWT_SECRET, whose bytes are the text's own. */
export function secretKey(secret: string): ServiceKey {
  return { kid: undefined, alg: 'HS256', material: createSecretKey(secret, 'utf8') };
}
