import type { Database } from '../db';
import { AppError, createRefresher } from '../kernel';
import { openServiceTokenStore } from './service-token-store';

/** What was read of the revocations decides for this long, so that one takes effect in every process within a second. */
const REVOCATIONS_AGE_MAX_MS = 500;

export interface Revocations {
  /** @throws AppError `unavailable` when the database cannot say: a revoked token must not pass because of an outage. */
  has(jti: string): Promise<boolean>;
  /** The next question is answered from the database. */
  expire(): void;
}

/** The revoked jti, kept in memory. They are few, each made by a person, so one small read serves every request. */
export function createRevocations(database: Database): Revocations {
  let revoked: ReadonlySet<string> = new Set();
  const refresher = createRefresher(REVOCATIONS_AGE_MAX_MS, async () => {
    try {
      revoked = await database.read(async (session) => {
        const store = openServiceTokenStore(session);
        // Rows are only ever added, so the same number of rows means the same rows.
        return (await store.countRevocations()) === revoked.size ? revoked : store.revokedJtis();
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
