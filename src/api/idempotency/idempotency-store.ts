import { column, databaseNow, type Decoded, rowCodec, type Session } from '../../db';
import type { Instant } from '../../kernel';

const ROW = rowCodec({
  actorName: column.text('actor_name'),
  key: column.text('idempotency_key'),
  fingerprint: column.text('fingerprint'),
  requestId: column.text('request_id'),
  expiresAt: column.number('expires_at'),
  leaseUntil: column.number('lease_until'),
  status: column.optional(column.number('status')),
  headers: column.optional(column.json('headers', (value) => value as Readonly<Record<string, string>>)),
  body: column.optional(column.text('body')),
});

/** A request with an `Idempotency-Key`, and its answer once it has one. */
export type KeptRequest = Decoded<typeof ROW>;

/** The key of one actor. */
export type KeyOfActor = Pick<KeptRequest, 'actorName' | 'key'>;

/** An answer, with the fingerprint of the whole request. */
type KeptAnswer = Pick<KeptRequest, 'fingerprint' | 'status' | 'headers' | 'body'>;

/** The kept requests inside one transaction. */
export interface IdempotencyStore {
  /** Returns the request that owns the key, locked, and the database's time. */
  find(key: KeyOfActor): Promise<{ readonly kept: KeptRequest | undefined; readonly now: Instant }>;
  /** Adds a request. A second one with the same key fails with `duplicate_key`. */
  add(request: KeptRequest): Promise<void>;
  /** Gives the key to another request. */
  replace(request: KeptRequest): Promise<void>;
  /** Renews the lease of a request that still owns its key. */
  renew(key: KeyOfActor, requestId: string, leaseMs: number): Promise<void>;
  /** Keeps the answer of a request that still owns its key. */
  finish(key: KeyOfActor, requestId: string, answer: KeptAnswer): Promise<void>;
  /** Removes a request that stored nothing. */
  remove(key: KeyOfActor, requestId: string): Promise<void>;
  /** Removes at most `limit` expired requests. Returns their number. */
  removeExpired(limit: number): Promise<number>;
}

const TABLE = 'idempotency_keys';
const nameOf = ({ actorName, key }: KeyOfActor) => ({ actor_name: actorName, idempotency_key: key });

export function openIdempotencyStore(session: Session): IdempotencyStore {
  const owned = (key: KeyOfActor, requestId: string) => session(TABLE).where({ ...nameOf(key), request_id: requestId });
  return {
    async find({ actorName, key }) {
      const named = { 'i.actor_name': actorName, 'i.idempotency_key': key };
      const kept = await ROW.first(session(`${TABLE} as i`).select(ROW.columns('i')).where(named).forUpdate());
      return { kept, now: await databaseNow(session) };
    },
    async add(request) {
      await session(TABLE).insert(ROW.write(request));
    },
    async replace(request) {
      await session(TABLE).where(nameOf(request)).update(ROW.write(request));
    },
    async renew(key, requestId, leaseMs) {
      const leaseUntil = (await databaseNow(session)) + leaseMs;
      await owned(key, requestId).whereNull('status').update({ lease_until: leaseUntil });
    },
    async finish(key, requestId, { fingerprint, status, headers, body }) {
      const answer = { status, headers: JSON.stringify(headers), body };
      await owned(key, requestId).update({ fingerprint, ...answer });
    },
    async remove(key, requestId) {
      await owned(key, requestId).delete();
    },
    async removeExpired(limit) {
      const now = await databaseNow(session);
      const ids = rowCodec({ actorName: column.text('actor_name'), key: column.text('idempotency_key') });
      const expired = await ids.all(
        session(`${TABLE} as i`)
          .select(ids.columns('i'))
          .where('i.expires_at', '<', now)
          .orderBy('i.expires_at')
          .limit(limit),
      );
      for (const each of expired) await session(TABLE).where(nameOf(each)).where('expires_at', '<', now).delete();
      return expired.length;
    },
  };
}
