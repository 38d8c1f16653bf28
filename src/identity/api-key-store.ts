import { rowsOf, type Row, type Session } from '../db';
import { assert, type Instant } from '../kernel';
import type { ApiKey } from './api-key';
import { SCOPES } from './scope';

const COLUMNS = [
  'k.id',
  'k.name',
  'k.scopes',
  'k.secret_hash',
  'k.created_at',
  'k.expires_at',
  'k.recorded_by',
  'r.revoked_at',
] as const;

export interface StoredKey {
  readonly key: ApiKey;
  readonly secretHash: Buffer;
}

/** The API keys inside one transaction. Rows are only added; a key that has a revocation is no longer good. */
export interface ApiKeyStore {
  add(key: Omit<ApiKey, 'revokedAt'>, secretHash: Buffer): Promise<void>;
  find(id: string): Promise<StoredKey | undefined>;
  /** The newest first. */
  list(limit: number): Promise<ApiKey[]>;
  /** Whether any key is neither revoked nor expired. */
  hasGood(now: Instant): Promise<boolean>;
  /** A second revocation of one key fails with `duplicate_key`. */
  revoke(id: string, reason: string, at: Instant, recordedBy: string): Promise<void>;
}

export function openApiKeys(session: Session): ApiKeyStore {
  const keys = () => session('api_keys as k').leftJoin('api_key_revocations as r', 'r.key_id', 'k.id');
  return {
    async add(key, secretHash) {
      await session('api_keys').insert({
        id: key.id,
        name: key.name,
        scopes: [...key.scopes].join(' '),
        secret_hash: secretHash.toString('hex'),
        created_at: key.createdAt,
        expires_at: key.expiresAt ?? null,
        recorded_by: key.recordedBy,
      });
    },
    async find(id) {
      const [row] = await rowsOf(
        keys()
          .select(...COLUMNS)
          .where('k.id', id),
      );
      return row === undefined ? undefined : toStoredKey(row);
    },
    async list(limit) {
      const rows = await rowsOf(
        keys()
          .select(...COLUMNS)
          .orderBy([
            { column: 'k.created_at', order: 'desc' },
            { column: 'k.id', order: 'desc' },
          ])
          .limit(limit),
      );
      return rows.map((row) => toStoredKey(row).key);
    },
    async hasGood(now) {
      const rows = await rowsOf(
        keys()
          .select('k.id')
          .whereNull('r.key_id')
          .where((good) => void good.whereNull('k.expires_at').orWhere('k.expires_at', '>', now))
          .limit(1),
      );
      return rows.length > 0;
    },
    async revoke(id, reason, at, recordedBy) {
      await session('api_key_revocations').insert({ key_id: id, revoked_at: at, reason, recorded_by: recordedBy });
    },
  };
}

function toStoredKey(row: Row): StoredKey {
  const names = (row['scopes'] as string).split(' ');
  const secretHash = Buffer.from(row['secret_hash'] as string, 'hex');
  assert(secretHash.length === 32, 'a digest has 32 bytes');
  return {
    key: {
      id: row['id'] as string,
      name: row['name'] as string,
      // A scope that this version does not know gives nothing.
      scopes: new Set(SCOPES.filter((scope) => names.includes(scope))),
      createdAt: Number(row['created_at']),
      expiresAt: row['expires_at'] === null ? undefined : Number(row['expires_at']),
      recordedBy: row['recorded_by'] as string,
      revokedAt: row['revoked_at'] === null ? undefined : Number(row['revoked_at']),
    },
    secretHash,
  };
}
