import { afterKey, column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';
import type { MintedToken } from './minted-token';

/** The minted tokens inside one transaction. Rows are only added. */
export interface ServiceTokenStore {
  recordMinted(token: MintedToken): Promise<void>;
  isMinted(jti: string): Promise<boolean>;
  hasMinted(): Promise<boolean>;
  /** Returns, for each key, when the last of its valid tokens expires. */
  lastExpiries(now: Instant): Promise<ReadonlyMap<string, Instant>>;
  /** Returns the first `count` minted tokens after a place in the list, newest first. */
  listMinted(
    after: readonly [issuedAt: Instant, jti: string] | undefined,
    count: number,
  ): Promise<{ token: MintedToken; revokedAt: Instant | undefined }[]>;
}

const TOKEN = rowCodec({
  jti: column.text('jti'),
  subject: column.text('subject'),
  kid: column.text('kid'),
  alg: column.text('alg'),
  issuedAt: column.number('issued_at'),
  expiresAt: column.number('expires_at'),
  recordedBy: column.text('recorded_by'),
});

const JTI = rowCodec({ jti: column.text('jti') });

/** A token with the time of its revocation. */
const LISTED = rowCodec({ ...TOKEN.fields, revokedAt: column.optional(column.number('revoked_at')) });
const LAST_EXPIRY = rowCodec({ kid: column.text('kid'), last: column.number('last') });

export function openServiceTokenStore(session: Session): ServiceTokenStore {
  const minted = () => session('service_tokens as t').select(JTI.columns('t'));
  return {
    async recordMinted(token) {
      await session('service_tokens').insert(TOKEN.write(token));
    },
    isMinted: async (jti) => (await JTI.first(minted().where('t.jti', jti).limit(1))) !== undefined,
    hasMinted: async () => (await JTI.first(minted().limit(1))) !== undefined,
    async lastExpiries(now) {
      const last = await LAST_EXPIRY.all(
        session('service_tokens as t')
          .leftJoin('service_token_revocations as r', 'r.jti', 't.jti')
          .select('t.kid')
          .max({ last: 't.expires_at' })
          .where('t.expires_at', '>', now)
          .whereNull('r.jti')
          .groupBy('t.kid'),
      );
      return new Map(last.map(({ kid, last: expiresAt }) => [kid, expiresAt]));
    },
    async listMinted(after, count) {
      const query = session('service_tokens as t')
        .leftJoin('service_token_revocations as r', 'r.jti', 't.jti')
        .select(TOKEN.columns('t'))
        .select('r.revoked_at');
      const order = { columns: ['t.issued_at', 't.jti'], order: 'desc', after } as const;
      const listed = await LISTED.all(afterKey(session, query, order, count));
      return listed.map(({ revokedAt, ...token }) => ({ token, revokedAt }));
    },
  };
}
