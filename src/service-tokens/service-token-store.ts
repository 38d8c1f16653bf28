import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';
import type { MintedToken } from './minted-token';

export interface Revocation {
  readonly jti: string;
  readonly revokedAt: Instant;
}

/** The minted tokens and the revoked jti, inside one transaction. Rows are only added. */
export interface ServiceTokenStore {
  recordMinted(token: MintedToken): Promise<void>;
  isMinted(jti: string): Promise<boolean>;
  hasMinted(): Promise<boolean>;
  /** Returns for each key when the last of its valid tokens expires. */
  lastExpiries(now: Instant): Promise<ReadonlyMap<string, Instant>>;
  /** The newest first. */
  listMinted(limit: number): Promise<{ token: MintedToken; revokedAt: Instant | undefined }[]>;
  recordRevocation(revocation: Revocation, recordedBy: string): Promise<void>;
  isRevoked(jti: string): Promise<boolean>;
  /** Revocations of tokens that Millime did not mint, the newest first. */
  listForeignRevocations(limit: number): Promise<Revocation[]>;
  countRevocations(): Promise<number>;
  revokedJtis(): Promise<Set<string>>;
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

const REVOCATION = rowCodec({ jti: column.text('jti'), revokedAt: column.number('revoked_at') });
const JTI = rowCodec({ jti: column.text('jti') });

/** A token, and when it was revoked. */
const LISTED = rowCodec({ ...TOKEN.fields, revokedAt: column.optional(column.number('revoked_at')) });
const LAST_EXPIRY = rowCodec({ kid: column.text('kid'), last: column.number('last') });
const COUNT = rowCodec({ total: column.number('total') });

export function openServiceTokenStore(session: Session): ServiceTokenStore {
  const minted = () => session('service_tokens as t').select(JTI.columns('t'));
  const revoked = () => session('service_token_revocations as r').select(JTI.columns('r'));
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
    async listMinted(limit) {
      const listed = await LISTED.all(
        session('service_tokens as t')
          .leftJoin('service_token_revocations as r', 'r.jti', 't.jti')
          .select(TOKEN.columns('t'))
          .select('r.revoked_at')
          .orderBy([
            { column: 't.issued_at', order: 'desc' },
            { column: 't.jti', order: 'desc' },
          ])
          .limit(limit),
      );
      return listed.map(({ revokedAt, ...token }) => ({ token, revokedAt }));
    },
    async recordRevocation(revocation, recordedBy) {
      await session('service_token_revocations').insert({ ...REVOCATION.write(revocation), recorded_by: recordedBy });
    },
    isRevoked: async (jti) => (await JTI.first(revoked().where('r.jti', jti).limit(1))) !== undefined,
    listForeignRevocations: (limit) =>
      REVOCATION.all(
        session('service_token_revocations as r')
          .leftJoin('service_tokens as t', 't.jti', 'r.jti')
          .select(REVOCATION.columns('r'))
          .whereNull('t.jti')
          .orderBy([
            { column: 'r.revoked_at', order: 'desc' },
            { column: 'r.jti', order: 'desc' },
          ])
          .limit(limit),
      ),
    async countRevocations() {
      const found = await COUNT.first(session('service_token_revocations as r').count({ total: '*' }));
      return found?.total ?? 0;
    },
    revokedJtis: async () => new Set((await JTI.all(revoked())).map(({ jti }) => jti)),
  };
}
