import { type Clock, DAY_MS, MINUTE_MS, monotonicClock } from '../kernel';
import type { Logger } from '../logging';
import { createForeignKeyFetcher, foreignKeysUnavailable } from './fetch-foreign-keys';
import type { KeySource } from './key-set';

/** An unknown kid causes a fetch, at most one per interval, because any caller can invent kids. */
const REFRESH_INTERVAL_MS = 10_000;
/** Older keys are fetched again before use, so that a key that the issuer removed stops working. */
const REFRESH_AGE_MS = 10 * MINUTE_MS;
/** How long the last keys are used while the issuer cannot be reached. */
const KEYS_AGE_MAX_MS = DAY_MS;
/** The wait after a failed refresh while the last keys are used, so that not every request waits for another fetch. */
const REFRESH_RETRY_GAP_MS = MINUTE_MS;

/**
 * Returns the public keys of a foreign issuer. Both calls throw AppError `unavailable` if the keys cannot be fetched,
 * because the validity of a token is then unknown.
 */
export function createForeignKeys(jwksUrl: URL, logger: Logger, monotonic: Clock = monotonicClock): KeySource {
  const fetcher = createForeignKeyFetcher(jwksUrl, logger, monotonic);
  let refreshedAt = -Infinity;
  return {
    async current() {
      const last = fetcher.last();
      const now = monotonic.now();
      if (last === undefined || now - last.fetchedAt > KEYS_AGE_MAX_MS) return fetcher.fetch();
      if (now - last.fetchedAt <= REFRESH_AGE_MS) return last.keys;
      if (fetcher.hasFailedWithin(REFRESH_RETRY_GAP_MS)) return last.keys;
      try {
        return await fetcher.fetch();
      } catch {
        return last.keys; // the failure is logged
      }
    },
    async refresh(seen) {
      const askedAt = monotonic.now();
      // A running fetch may have started before the key was published, so all callers wait for the next one.
      const running = fetcher.running();
      if (running !== undefined) await running;
      const next = fetcher.running();
      if (next !== undefined) return next;
      const last = fetcher.last();
      if (last !== undefined && last.fetchedAt > askedAt) return last.keys;
      if (last !== undefined && monotonic.now() - refreshedAt < REFRESH_INTERVAL_MS) {
        if (last.keys !== seen) return last.keys; // another caller refreshed meanwhile
        // A 403 would be final, so a key that cannot be fetched now must not count as an unknown kid.
        throw foreignKeysUnavailable();
      }
      refreshedAt = monotonic.now();
      return fetcher.fetch();
    },
  };
}
