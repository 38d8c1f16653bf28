import type { KeyObject } from 'node:crypto';

/** The algorithms that a key can be bound to. */
export const KEY_ALGORITHMS = ['HS256', 'EdDSA', 'ES256', 'RS256'] as const;
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

export function isKeyAlgorithm(value: unknown): value is KeyAlgorithm {
  return KEY_ALGORITHMS.some((alg) => alg === value);
}

/**
 * A key and the one algorithm that it is for. The token's header never chooses the algorithm: a key that verifies in
 * two ways is how forgeries are made (RFC 8725 section 3.1).
 */
export interface ServiceKey {
  readonly kid: string | undefined;
  readonly alg: KeyAlgorithm;
  /** The public part, or the secret. Opaque to printing, so that a key cannot slip into a log or an error. */
  readonly verifies: KeyObject;
}

export interface SigningKey {
  readonly kid: string;
  readonly alg: KeyAlgorithm;
  /** The private part, or the secret. */
  readonly signs: KeyObject;
}

/** Every key of one issuer at one moment. */
export interface KeySet {
  readonly byKid: ReadonlyMap<string, ServiceKey>;
  /** For tokens without `kid`: the one of these that has the token's algorithm, when there is just one. */
  readonly withoutKid: readonly ServiceKey[];
}

/** Our own keys: with some of them we sign. */
export interface OwnKeySet extends KeySet {
  /** The active keys, in the order of the file: the first signs when nothing else is asked for. */
  readonly signing: readonly SigningKey[];
}

/** Where the keys of one issuer come from. */
export interface KeySource<Keys extends KeySet = KeySet> {
  /** The keys as they were a short time ago. */
  current(): Promise<Keys>;
  /**
   * The keys as they are now: for a token whose key is not among those that were `seen`, because it may have been added
   * just before.
   */
  refresh(seen?: KeySet): Promise<Keys>;
}
