import type { KeyObject } from 'node:crypto';

/** The algorithms for which a key can be used. */
export const KEY_ALGORITHMS = ['HS256', 'EdDSA', 'ES256', 'RS256'] as const;
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

export function isKeyAlgorithm(value: unknown): value is KeyAlgorithm {
  return KEY_ALGORITHMS.some((alg) => alg === value);
}

/**
 * A key and its only algorithm. The token's header never selects the algorithm: a key that verifies with two of them
 * makes forgeries possible (RFC 8725 section 3.1).
 */
export interface ServiceKey {
  readonly kid: string | undefined;
  readonly alg: KeyAlgorithm;
  /**
   * The public part, or the secret. A KeyObject does not print its content, so a key cannot appear in a log or an
   * error.
   */
  readonly verifies: KeyObject;
}

export interface SigningKey {
  readonly kid: string;
  readonly alg: KeyAlgorithm;
  /** The private part, or the secret. */
  readonly signs: KeyObject;
}

/** All keys of one issuer at one moment. */
export interface KeySet {
  readonly byKid: ReadonlyMap<string, ServiceKey>;
  /** For tokens without `kid`: the key with the token's algorithm, if exactly one of these has it. */
  readonly withoutKid: readonly ServiceKey[];
}

/** Millime's own keys, of which some sign. */
export interface OwnKeySet extends KeySet {
  /** The active keys, in the order of the file; the first one signs by default. */
  readonly signing: readonly SigningKey[];
}

/** The source of one issuer's keys. */
export interface KeySource<Keys extends KeySet = KeySet> {
  /** Returns the keys as of a short time ago. */
  current(): Promise<Keys>;
  /**
   * Returns the current keys. For a token whose key is not among those that were `seen`, because its key may be new.
   */
  refresh(seen?: KeySet): Promise<Keys>;
}
