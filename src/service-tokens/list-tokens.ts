import type { Database, Session } from '../db';
import { type Clock, type Instant, type Page, pageByKey } from '../kernel';
import type { ListedToken } from './minted-token';
import { openRevocationStore } from './revocation-store';
import { openServiceTokenStore } from './service-token-store';

/** The kind of a token, when it was minted or, of another issuer's token, revoked, and its jti. */
export type TokenKey = readonly [kind: string, at: Instant, jti: string];

export interface TokenQuery {
  readonly after?: TokenKey | undefined;
  readonly limit: number;
}

const MINTED = 'minted';
const FOREIGN = 'foreign';

/** A token with its place in the list. The revocation of a minted token is in the list of revocations, too. */
type Placed = Omit<ListedToken, 'state'> & { readonly key: TokenKey; readonly isListed: boolean };

/** Returns a page of the minted tokens, newest first, then of the revoked tokens of other issuers. */
export async function listTokens(
  { database, clock }: { database: Database; clock: Clock },
  { after: first, limit }: TokenQuery,
): Promise<Page<ListedToken, TokenKey>> {
  const { rows, next } = await database.read(
    (session) =>
      pageByKey<Placed, TokenKey>({
        read: (after, count) => tokensAfter(session, after, count),
        keyOf: ({ key }) => key,
        keep: ({ isListed }) => isListed,
        ...{ after: first, limit },
      }),
    { snapshot: true },
  );
  const now = clock.now();
  const listed = rows.map(({ jti, revokedAt, minted }) => ({
    ...{ jti, state: stateOf(minted?.expiresAt, revokedAt, now), revokedAt, minted },
  }));
  return { rows: listed, next };
}

async function tokensAfter(session: Session, after: TokenKey | undefined, count: number): Promise<Placed[]> {
  const place = after === undefined ? undefined : ([after[1], after[2]] as const);
  const isForeign = after?.[0] === FOREIGN;
  const minted = isForeign ? [] : await openServiceTokenStore(session).listMinted(place, count);
  const revoked = await openRevocationStore(session).list(isForeign ? place : undefined, count - minted.length);
  return [
    ...minted.map(({ token, revokedAt }): Placed => ({
      ...{ jti: token.jti, revokedAt, minted: token, isListed: true },
      key: [MINTED, token.issuedAt, token.jti],
    })),
    ...revoked.map(({ jti, revokedAt, isForeign: isListed }): Placed => ({
      ...{ jti, revokedAt, minted: undefined, isListed },
      key: [FOREIGN, revokedAt, jti],
    })),
  ];
}

function stateOf(expiresAt: Instant | undefined, revokedAt: Instant | undefined, now: Instant): ListedToken['state'] {
  if (revokedAt !== undefined || expiresAt === undefined) return 'revoked';
  return expiresAt <= now ? 'expired' : 'active';
}
