import { rowsOf, type Row, type Session } from '../db';
import { toTotal, type Instant } from '../kernel';
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
  /** For each key, when the last of its tokens that are neither expired nor revoked at that time will expire. */
  lastExpiries(now: Instant): Promise<ReadonlyMap<string, Instant>>;
  /** The newest first. */
  listMinted(limit: number): Promise<{ token: MintedToken; revokedAt: Instant | undefined }[]>;
  recordRevocation(revocation: Revocation, recordedBy: string): Promise<void>;
  isRevoked(jti: string): Promise<boolean>;
  /** Revocations of tokens that we did not make, the newest first. */
  listForeignRevocations(limit: number): Promise<Revocation[]>;
  countRevocations(): Promise<number>;
  revokedJtis(): Promise<Set<string>>;
}

export function openServiceTokenStore(session: Session): ServiceTokenStore {
  return {
    async recordMinted(token) {
      await session('service_tokens').insert({
        jti: token.jti,
        subject: token.subject,
        kid: token.kid,
        alg: token.alg,
        issued_at: token.issuedAt,
        expires_at: token.expiresAt,
        recorded_by: token.recordedBy,
      });
    },
    async isMinted(jti) {
      return (await rowsOf(session('service_tokens as t').select('t.jti').where('t.jti', jti).limit(1))).length > 0;
    },
    async hasMinted() {
      return (await rowsOf(session('service_tokens as t').select('t.jti').limit(1))).length > 0;
    },
    async lastExpiries(now) {
      const rows = await rowsOf(
        session('service_tokens as t')
          .leftJoin('service_token_revocations as r', 'r.jti', 't.jti')
          .select('t.kid')
          .max({ last: 't.expires_at' })
          .where('t.expires_at', '>', now)
          .whereNull('r.jti')
          .groupBy('t.kid'),
      );
      return new Map(rows.map((row) => [row['kid'] as string, Number(row['last'])]));
    },
    async listMinted(limit) {
      const rows = await rowsOf(
        session('service_tokens as t')
          .leftJoin('service_token_revocations as r', 'r.jti', 't.jti')
          .select(
            't.jti',
            't.subject',
            't.kid',
            't.alg',
            't.issued_at',
            't.expires_at',
            't.recorded_by',
            'r.revoked_at',
          )
          .orderBy([
            { column: 't.issued_at', order: 'desc' },
            { column: 't.jti', order: 'desc' },
          ])
          .limit(limit),
      );
      return rows.map((row) => ({
        token: toMintedToken(row),
        revokedAt: row['revoked_at'] === null ? undefined : Number(row['revoked_at']),
      }));
    },
    async recordRevocation({ jti, revokedAt }, recordedBy) {
      await session('service_token_revocations').insert({ jti, revoked_at: revokedAt, recorded_by: recordedBy });
    },
    async isRevoked(jti) {
      const rows = await rowsOf(session('service_token_revocations as r').select('r.jti').where('r.jti', jti).limit(1));
      return rows.length > 0;
    },
    async listForeignRevocations(limit) {
      const rows = await rowsOf(
        session('service_token_revocations as r')
          .leftJoin('service_tokens as t', 't.jti', 'r.jti')
          .select('r.jti', 'r.revoked_at')
          .whereNull('t.jti')
          .orderBy([
            { column: 'r.revoked_at', order: 'desc' },
            { column: 'r.jti', order: 'desc' },
          ])
          .limit(limit),
      );
      return rows.map((row) => ({ jti: row['jti'] as string, revokedAt: Number(row['revoked_at']) }));
    },
    async countRevocations() {
      const [row] = await rowsOf(session('service_token_revocations as r').count({ total: '*' }));
      return Number(toTotal(row?.['total']));
    },
    async revokedJtis() {
      const rows = await rowsOf(session('service_token_revocations as r').select('r.jti'));
      return new Set(rows.map((row) => row['jti'] as string));
    },
  };
}

function toMintedToken(row: Row): MintedToken {
  return {
    jti: row['jti'] as string,
    subject: row['subject'] as string,
    kid: row['kid'] as string,
    alg: row['alg'] as string,
    issuedAt: Number(row['issued_at']),
    expiresAt: Number(row['expires_at']),
    recordedBy: row['recorded_by'] as string,
  };
}
