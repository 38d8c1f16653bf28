import type { Database } from '../db';
import { AppError, createRefresher } from '../kernel';
import { openRevocationStore } from './revocation-store';

/**
 * How long a reading of the revocations is used, so that a revocation takes effect in every process within a second.
 */
const REVOCATIONS_AGE_MAX_MS = 500;

export interface Revocations {
  /**
   * Returns whether a jti is revoked.
   *
   * @throws AppError `unavailable` when the database cannot answer, because a revoked token must not pass during an
   * outage.
   */
  has(jti: string): Promise<boolean>;
  /** Makes the next call read the database. */
  expire(): void;
}

/** Keeps the revoked jti in memory. People revoke only a few, so one small read serves every request. */
export function createRevocations(database: Database): Revocations {
  let revoked: ReadonlySet<string> = new Set();
  const refresher = createRefresher(REVOCATIONS_AGE_MAX_MS, async () => {
    try {
      revoked = await database.read(async (session) => {
        const store = openRevocationStore(session);
        // Rows are only added, so the same number of rows means the same rows.
        return (await store.count()) === revoked.size ? revoked : store.jtis();
      });
    } catch (error) {
      throw new AppError('unavailable', 'the revocations of service tokens cannot be read now', { cause: error });
    }
  });
  return {
    async has(jti) {
      await refresher.fresh();
      return revoked.has(jti);
    },
    expire: () => refresher.expire(),
  };
}
