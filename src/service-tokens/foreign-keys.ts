import { type Clock, DAY_MS, MINUTE_MS, monotonicClock } from '../kernel';
import type { Logger } from '../logging';
import { createForeignKeyFetcher, foreignKeysUnavailable } from './fetch-foreign-keys';
import type { KeySource } from './key-set';

/** An unknown kid causes a fetch, at most one per interval: any caller can invent kids. */
const REFRESH_INTERVAL_MS = 10_000;
/** Older keys are fetched again before they serve, so that a key which the issuer removed stops by then. */
const REFRESH_AGE_MS = 10 * MINUTE_MS;
/** How long the last keys serve while the issuer cannot be reached. */
const KEYS_AGE_MAX_MS = DAY_MS;
/** While the last keys serve, a failed refresh is not repeated for this long, so that requests do not wait again and again. */
const REFRESH_RETRY_GAP_MS = MINUTE_MS;

/**
 * Serves the public keys of a foreign issuer. Both calls throw AppError `unavailable` when the keys cannot be fetched: then
 * the validity of a token is unknown.
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
      // A running fetch may have begun before the key was published; all callers wait for the next one.
      const running = fetcher.running();
      if (running !== undefined) await running;
      const next = fetcher.running();
      if (next !== undefined) return next;
      const last = fetcher.last();
      if (last !== undefined && last.fetchedAt > askedAt) return last.keys;
      if (last !== undefined && monotonic.now() - refreshedAt < REFRESH_INTERVAL_MS) {
        if (last.keys !== seen) return last.keys; // another caller refreshed meanwhile
        // 403 is final, so an unknown kid differs from one that cannot be fetched now.
        throw foreignKeysUnavailable();
      }
      refreshedAt = monotonic.now();
      return fetcher.fetch();
    },
  };
}
