import { sha256Hex } from '../kernel';
import type { KeySet, KeySource } from './key-set';

/** The tokens in use at one time are few: the gateway has one, and two while it changes. */
const KNOWN_MAX = 1_000;

/** A token whose form, issuer, type and signature are right. Its claims are checked at each use. */
export interface SignedToken {
  readonly ok: true;
  readonly issuer: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly kid: string | undefined;
  readonly source: KeySource;
  /** The keys with which it was verified. */
  readonly keys: KeySet;
}

/**
 * Remembers signed tokens, so that a signature is computed once and not for each request. It keeps a digest of each
 * token, never the token. A remembered token counts only while its source still returns the same set of keys, and a
 * source returns a new set after each change. Bounded: the oldest is forgotten.
 */
export class KnownSignatures {
  readonly #tokens = new Map<string, SignedToken>();

  async find(token: string): Promise<SignedToken | undefined> {
    const digest = sha256Hex(token);
    const known = this.#tokens.get(digest);
    if (known === undefined) return undefined;
    if ((await known.source.current()) === known.keys) return known;
    this.#tokens.delete(digest);
    return undefined;
  }

  remember(token: string, signed: SignedToken): void {
    this.#tokens.set(sha256Hex(token), signed);
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > KNOWN_MAX && oldest !== undefined) this.#tokens.delete(oldest);
  }

  forget(token: string): void {
    this.#tokens.delete(sha256Hex(token));
  }
}
