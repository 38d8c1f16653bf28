import { column, rowCodec, type Session } from '../../db';
import { DAY_MS, type Instant, MINUTE_MS } from '../../kernel';
import type { Tries } from './slow-down';

/** Failures are forgotten so long after the last one. */
const REMEMBERED_MS = DAY_MS;
/** At most one failure of a key is recorded in this time, so that a flood cannot fill the audit trail. */
const RECORDED_EVERY_MS = MINUTE_MS;

const ROW = rowCodec({
  keyDigest: column.text('key_digest'),
  tries: column.number('tries'),
  countedAt: column.number('counted_at'),
});

/** The counts of tries inside one transaction. A key is a digest, so that no typed name is stored. */
export interface TryStore {
  /** Returns the count of a key and locks it until the transaction ends. */
  hold(keyDigest: string, now: Instant): Promise<Tries>;
  write(keyDigest: string, tries: Tries): Promise<void>;
  /** Takes one try back that was no failure. */
  takeBack(keyDigest: string): Promise<void>;
  /** Returns whether a failure of the key is to be recorded now, and remembers that it was. */
  claimRecord(keyDigest: string, now: Instant): Promise<boolean>;
  /** Removes at most `limit` forgotten counts. Returns their number. */
  removeEnded(now: Instant, limit: number): Promise<number>;
}

const TABLE = 'sign_in_tries';

export function openTries(session: Session): TryStore {
  return {
    async hold(keyDigest, now) {
      const row = { ...ROW.write({ keyDigest, tries: 0, countedAt: now }) };
      await session.insert([{ table: TABLE, rows: [row], whenTaken: { key: 'key_digest' } }]);
      const query = session(`${TABLE} as t`).select(ROW.columns('t')).where('t.key_digest', keyDigest).forUpdate();
      const found = await ROW.first(query);
      const isRemembered = found !== undefined && now - found.countedAt < REMEMBERED_MS;
      return isRemembered ? { tries: found.tries, countedAt: found.countedAt } : { tries: 0, countedAt: now };
    },
    async write(keyDigest, { tries, countedAt }) {
      await session(TABLE).where({ key_digest: keyDigest }).update(ROW.write({ tries, countedAt }));
    },
    async takeBack(keyDigest) {
      const less = { tries: session.fragment('tries - 1') };
      await session(TABLE).where({ key_digest: keyDigest }).where('tries', '>', 0).update(less);
    },
    async claimRecord(keyDigest, now) {
      const claimed = await session(TABLE)
        .where({ key_digest: keyDigest })
        .where((due) => void due.whereNull('recorded_at').orWhere('recorded_at', '<=', now - RECORDED_EVERY_MS))
        .update({ recorded_at: now });
      return claimed === 1;
    },
    async removeEnded(now, limit) {
      const forgotten = session(`${TABLE} as t`)
        .select(ROW.columns('t'))
        .where('t.counted_at', '<=', now - REMEMBERED_MS)
        .orderBy('t.counted_at')
        .limit(limit);
      const rows = await ROW.all(forgotten);
      for (const { keyDigest, countedAt } of rows) {
        await session(TABLE).where({ key_digest: keyDigest, counted_at: countedAt }).delete();
      }
      return rows.length;
    },
  };
}
