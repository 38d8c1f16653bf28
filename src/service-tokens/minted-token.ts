import type { Instant } from '../kernel';

/** The stored data of a minted token: everything except the token itself. */
export interface MintedToken {
  readonly jti: string;
  readonly subject: string;
  readonly kid: string;
  readonly alg: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
  readonly recordedBy: string;
}

/** A token in the list. A revoked token stays `revoked` after its expiry. */
export interface ListedToken {
  readonly jti: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly revokedAt: Instant | undefined;
  /** Undefined for a token of another issuer, of which Millime knows only the revocation. */
  readonly minted: MintedToken | undefined;
}
