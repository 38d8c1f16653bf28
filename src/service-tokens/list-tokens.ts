import type { Database } from '../db';
import type { Clock, Instant } from '../kernel';
import type { ListedToken } from './minted-token';
import { openRevocationStore } from './revocation-store';
import { openServiceTokenStore } from './service-token-store';

/** The maximum of each kind. People mint a handful of tokens a year. */
const LISTED_MAX = 10_000;

/** Lists the minted tokens, newest first, then revoked tokens of other issuers. */
export async function listTokens({ database, clock }: { database: Database; clock: Clock }): Promise<ListedToken[]> {
  const { minted, foreign } = await database.read(
    async (session) => ({
      minted: await openServiceTokenStore(session).listMinted(LISTED_MAX),
      foreign: await openRevocationStore(session).listForeign(LISTED_MAX),
    }),
    { snapshot: true },
  );
  const now = clock.now();
  return [
    ...minted.map(({ token, revokedAt }) => ({
      jti: token.jti,
      state: stateOf(token.expiresAt, revokedAt, now),
      revokedAt,
      minted: token,
    })),
    ...foreign.map(({ jti, revokedAt }) => ({ jti, state: 'revoked' as const, revokedAt, minted: undefined })),
  ];
}

function stateOf(expiresAt: Instant, revokedAt: Instant | undefined, now: Instant): ListedToken['state'] {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt <= now ? 'expired' : 'active';
}
