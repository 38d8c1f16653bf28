import { afterKey, column, type Decoded, rowCodec, rowsOf, type Session } from '../../db';
import { assert, type Instant, type Page, pageByKey } from '../../kernel';
import { SCOPES } from '../scope';
import type { ApiKey } from './api-key';

const KEY = rowCodec({
  id: column.text('id'),
  name: column.text('name'),
  scopes: column.text('scopes'),
  secretHash: column.text('secret_hash'),
  createdAt: column.number('created_at'),
  expiresAt: column.optional(column.number('expires_at')),
  recordedBy: column.text('recorded_by'),
});

const REVOCATION = rowCodec({ revokedAt: column.optional(column.number('revoked_at')) });
/** A key with its revocation. */
const FOUND = rowCodec({ ...KEY.fields, ...REVOCATION.fields });

/** The time and the id of a key, by which the list is sorted. */
export type ApiKeyKey = readonly [createdAt: Instant, id: string];

export interface ApiKeyQuery {
  /** Only keys of this owner. */
  readonly name?: string | undefined;
  readonly after?: ApiKeyKey | undefined;
  readonly limit: number;
}

export interface StoredKey {
  readonly key: ApiKey;
  readonly secretHash: Buffer;
}

/** The API keys inside one transaction. Rows are only added; a key with a revocation is not active. */
export interface ApiKeyStore {
  add(key: Omit<ApiKey, 'revokedAt'>, secretHash: Buffer): Promise<void>;
  find(id: string): Promise<StoredKey | undefined>;
  /** Locks a key until the transaction ends. */
  hold(id: string): Promise<void>;
  /** Returns a page of keys, newest first. */
  list(query: ApiKeyQuery): Promise<Page<ApiKey, ApiKeyKey>>;
  /** Returns whether any key is neither revoked nor expired. */
  hasActive(now: Instant): Promise<boolean>;
  /** Adds a revocation. A second one for the same key fails with `duplicate_key`. */
  revoke(id: string, reason: string, at: Instant, recordedBy: string): Promise<void>;
}

export function openApiKeys(session: Session): ApiKeyStore {
  const keys = () => session('api_keys as k').leftJoin('api_key_revocations as r', 'r.key_id', 'k.id');
  const found = () => keys().select(KEY.columns('k')).select(REVOCATION.columns('r'));
  return {
    async add({ scopes, ...key }, secretHash) {
      const row = KEY.write({ ...key, scopes: [...scopes].join(' '), secretHash: secretHash.toString('hex') });
      await session('api_keys').insert(row);
    },
    async find(id) {
      const row = await FOUND.first(found().where('k.id', id));
      return row === undefined ? undefined : toStoredKey(row);
    },
    async hold(id) {
      await rowsOf(session('api_keys as k').select('k.id').where('k.id', id).forUpdate());
    },
    list: ({ name, after: first, limit }) =>
      pageByKey<ApiKey, ApiKeyKey>({
        async read(after, count) {
          const order = { columns: ['k.created_at', 'k.id'], order: 'desc', after } as const;
          const query = name === undefined ? found() : found().where('k.name', name);
          const rows = await FOUND.all(afterKey(session, query, order, count));
          return rows.map((row) => toStoredKey(row).key);
        },
        keyOf: ({ createdAt, id }) => [createdAt, id],
        ...{ after: first, limit },
      }),
    async hasActive(now) {
      const rows = await rowsOf(
        keys()
          .select('k.id')
          .whereNull('r.key_id')
          .where((active) => void active.whereNull('k.expires_at').orWhere('k.expires_at', '>', now))
          .limit(1),
      );
      return rows.length > 0;
    },
    async revoke(id, reason, at, recordedBy) {
      await session('api_key_revocations').insert({ key_id: id, revoked_at: at, reason, recorded_by: recordedBy });
    },
  };
}

function toStoredKey({ scopes, secretHash: hex, ...key }: Decoded<typeof FOUND>): StoredKey {
  const names = scopes.split(' ');
  const secretHash = Buffer.from(hex, 'hex');
  assert(secretHash.length === 32, 'a digest has 32 bytes');
  // A scope that this version does not know grants nothing.
  return { key: { ...key, scopes: new Set(SCOPES.filter((scope) => names.includes(scope))) }, secretHash };
}
