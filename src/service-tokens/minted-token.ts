import type { Instant } from '../kernel';

/** What is stored of a minted token: everything but the token. */
export interface MintedToken {
  readonly jti: string;
  readonly subject: string;
  readonly kid: string;
  readonly alg: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
  readonly recordedBy: string;
}

/** A token as the list shows it. A revoked token stays `revoked` after it would have expired. */
export interface ListedToken {
  readonly jti: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly revokedAt: Instant | undefined;
  /** Undefined for a token of another issuer, of which only the revocation is known. */
  readonly minted: MintedToken | undefined;
}
