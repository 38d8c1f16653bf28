import { column, rowCodec, type Session } from '../../db';
import { DAY_MS, type Instant } from '../../kernel';

/** A browser is known so long after its last sign-in. */
const KNOWN_MS = 180 * DAY_MS;

const ROW = rowCodec({
  tokenDigest: column.text('token_digest'),
  userId: column.text('user_id'),
  usedAt: column.number('used_at'),
});

/** The browsers from which users signed in, inside one transaction. They prove nothing: their tries are counted apart. */
export interface DeviceStore {
  add(tokenDigest: string, userId: string, at: Instant): Promise<void>;
  isOf(tokenDigest: string, userId: string): Promise<boolean>;
  touch(tokenDigest: string, at: Instant): Promise<void>;
  /** Removes at most `limit` browsers that were not used for long. Returns their number. */
  removeEnded(now: Instant, limit: number): Promise<number>;
}

const TABLE = 'user_devices';

export function openDevices(session: Session): DeviceStore {
  const rows = () => session(`${TABLE} as d`).select(ROW.columns('d'));
  return {
    async add(tokenDigest, userId, at) {
      await session(TABLE).insert(ROW.write({ tokenDigest, userId, usedAt: at }));
    },
    async isOf(tokenDigest, userId) {
      return (await ROW.first(rows().where({ 'd.token_digest': tokenDigest, 'd.user_id': userId }))) !== undefined;
    },
    async touch(tokenDigest, at) {
      await session(TABLE).where({ token_digest: tokenDigest }).update({ used_at: at });
    },
    async removeEnded(now, limit) {
      const unused = rows()
        .where('d.used_at', '<=', now - KNOWN_MS)
        .orderBy('d.used_at')
        .limit(limit);
      const found = await ROW.all(unused);
      for (const { tokenDigest, usedAt } of found) {
        await session(TABLE).where({ token_digest: tokenDigest, used_at: usedAt }).delete();
      }
      return found.length;
    },
  };
}
