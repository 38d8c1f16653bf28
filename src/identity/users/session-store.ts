import { column, type Decoded, rowCodec, type Session } from '../../db';
import { type Instant, MINUTE_MS } from '../../kernel';

/** A session that is not used so long ends. */
export const SESSION_IDLE_MS = 30 * MINUTE_MS;
/** The last use is written at most so often. */
const USE_WRITTEN_MS = MINUTE_MS;

const ROW = rowCodec({
  id: column.text('id'),
  tokenDigest: column.text('token_digest'),
  userId: column.text('user_id'),
  address: column.text('address'),
  startedAt: column.number('started_at'),
  provedAt: column.number('proved_at'),
  usedAt: column.number('used_at'),
  expiresAt: column.number('expires_at'),
  enrollingSecret: column.optional(column.text('enrolling_secret')),
});
const USER_NAME = rowCodec({ userName: column.text('name') });
const FOUND = rowCodec({ ...ROW.fields, ...USER_NAME.fields });

/** A session without its token, of which only the digest is stored. */
export type SessionRow = Decoded<typeof ROW>;

/** The sessions of users inside one transaction. */
export interface SessionStore {
  add(row: SessionRow): Promise<void>;
  /** Returns the session of a token and the name of its user, if it has not ended. */
  find(tokenDigest: string, now: Instant): Promise<Decoded<typeof FOUND> | undefined>;
  findById(id: string, now: Instant): Promise<SessionRow | undefined>;
  /** Returns the sessions of a user that have not ended, newest first. */
  listOf(userId: string, now: Instant): Promise<SessionRow[]>;
  /** Writes the last use, unless another request wrote it in the last minute. */
  touch(id: string, now: Instant): Promise<void>;
  change(id: string, change: Partial<Pick<SessionRow, 'provedAt' | 'enrollingSecret'>>): Promise<void>;
  /** Returns whether the session existed. */
  remove(id: string): Promise<boolean>;
  /** Removes every session of a user. Returns their number. */
  removeOf(userId: string): Promise<number>;
  /** Removes at most `limit` sessions that ended. Returns their number. */
  removeEnded(now: Instant, limit: number): Promise<number>;
}

const TABLE = 'user_sessions';

/** Returns whether the last use was written too long ago to stand for a use now. */
export function isUseStale({ usedAt }: Pick<SessionRow, 'usedAt'>, now: Instant): boolean {
  return now - usedAt >= USE_WRITTEN_MS;
}

export function openSessions(session: Session): SessionStore {
  const current = (now: Instant) =>
    session(`${TABLE} as s`)
      .where('s.used_at', '>', now - SESSION_IDLE_MS)
      .where('s.expires_at', '>', now);
  return {
    async add(row) {
      await session(TABLE).insert(ROW.write(row));
    },
    find: (tokenDigest, now) =>
      FOUND.first(
        current(now)
          .join('users as u', 'u.id', 's.user_id')
          .select([...ROW.columns('s'), ...USER_NAME.columns('u')])
          .where('s.token_digest', tokenDigest),
      ),
    findById: (id, now) => ROW.first(current(now).select(ROW.columns('s')).where('s.id', id)),
    listOf: (userId, now) =>
      ROW.all(current(now).select(ROW.columns('s')).where('s.user_id', userId).orderBy('s.id', 'desc')),
    async touch(id, now) {
      await session(TABLE)
        .where({ id })
        .where('used_at', '<=', now - USE_WRITTEN_MS)
        .update({ used_at: now });
    },
    async change(id, change) {
      await session(TABLE).where({ id }).update(ROW.write(change));
    },
    remove: async (id) => (await session(TABLE).where({ id }).delete()) === 1,
    removeOf: (userId) => session(TABLE).where({ user_id: userId }).delete(),
    async removeEnded(now, limit) {
      const ended = session(`${TABLE} as s`)
        .select(ROW.columns('s'))
        .where('s.used_at', '<=', now - SESSION_IDLE_MS)
        .orderBy('s.used_at')
        .limit(limit);
      const rows = await ROW.all(ended);
      for (const { id, usedAt } of rows) await session(TABLE).where({ id, used_at: usedAt }).delete();
      return rows.length;
    },
  };
}
