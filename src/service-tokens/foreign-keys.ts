import { createRemoteJWKSet, customFetch } from 'jose';
import { AppError, type Clock, DAY_MS, MINUTE_MS, monotonicClock } from '../kernel';
import type { Logger } from '../logging';
import { fetchBounded } from './fetch-bounded';
import { decodeForeignKeys } from './foreign-key-codec';
import type { KeySet, KeySource } from './key-set';

const FETCH_TIMEOUT_MS = 3_000;
/** A failed fetch is not repeated for this long, however many callers ask. */
const RETRY_GAP_MS = 5_000;
/** An unknown kid causes a fetch, at most one per interval: any caller can invent kids. */
const REFRESH_INTERVAL_MS = 10_000;
/** Older keys are fetched again before they serve, so that a key which the issuer removed stops by then. */
const REFRESH_AGE_MS = 10 * MINUTE_MS;
/** How long the last keys serve while the issuer cannot be reached. */
const KEYS_AGE_MAX_MS = DAY_MS;
/** While the last keys serve, a failed refresh is not repeated for this long, so that requests do not wait again and again. */
const REFRESH_RETRY_GAP_MS = MINUTE_MS;
const WARNING_GAP_MS = MINUTE_MS;

/**
 * Serves the public keys of a foreign issuer. Both calls throw AppError `unavailable` when the keys cannot be fetched: then
 * the validity of a token is unknown.
 */
export function createForeignKeys(jwksUrl: URL, logger: Logger, monotonic: Clock = monotonicClock): KeySource {
  // This function decides when to fetch, by the monotonic clock; jose fetches, once for all callers.
  const remote = createRemoteJWKSet(jwksUrl, {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cooldownDuration: REFRESH_INTERVAL_MS,
    cacheMaxAge: Infinity,
    [customFetch]: fetchBounded,
  });
  let held: { readonly keys: KeySet; readonly fetchedAt: number } | undefined;
  /** Set while the last fetch failed. */
  let failedAt: number | undefined;
  let warnedAt = -Infinity;
  let refreshedAt = -Infinity;
  let running: Promise<KeySet> | undefined;

  async function fetchKeys(): Promise<KeySet> {
    const fetchedAt = monotonic.now();
    try {
      await remote.reload();
      const { keys, ignored } = decodeForeignKeys(remote.jwks()?.keys ?? []);
      if (keys.withoutKid.length === 0) warn('foreign issuer has no usable key', { ignored });
      logger.debug('foreign issuer keys fetched', {
        event: 'service_tokens.jwks_fetched',
        kids: [...keys.byKid.keys()],
        ignored,
      });
      held = { keys, fetchedAt };
      failedAt = undefined;
      return keys;
    } catch (error) {
      failedAt = monotonic.now();
      warn('foreign issuer keys not fetched', { error });
      throw unavailable(error);
    } finally {
      running = undefined;
    }
  }

  function warn(message: string, fields: Readonly<Record<string, unknown>>): void {
    if (monotonic.now() - warnedAt < WARNING_GAP_MS) return;
    warnedAt = monotonic.now();
    logger.warn(message, { event: 'service_tokens.jwks_bad', ...fields });
  }

  async function fetchShared(): Promise<KeySet> {
    const isTooSoon = failedAt !== undefined && monotonic.now() - failedAt < RETRY_GAP_MS;
    if (running === undefined && isTooSoon) throw unavailable();
    running ??= fetchKeys();
    return running;
  }

  return {
    async current() {
      const last = held;
      const now = monotonic.now();
      if (last === undefined || now - last.fetchedAt > KEYS_AGE_MAX_MS) return fetchShared();
      if (now - last.fetchedAt <= REFRESH_AGE_MS) return last.keys;
      if (failedAt !== undefined && now - failedAt < REFRESH_RETRY_GAP_MS) return last.keys;
      try {
        return await fetchShared();
      } catch {
        return last.keys; // the failure is logged
      }
    },
    async refresh(seen) {
      const askedAt = monotonic.now();
      // A running fetch may have begun before the key was published; all callers wait for the next one.
      if (running !== undefined) await running;
      if (running !== undefined) return running;
      if (held !== undefined && held.fetchedAt > askedAt) return held.keys;
      if (held !== undefined && monotonic.now() - refreshedAt < REFRESH_INTERVAL_MS) {
        if (held.keys !== seen) return held.keys; // another caller refreshed meanwhile
        // 403 is final, so an unknown kid differs from one that cannot be fetched now.
        throw unavailable();
      }
      refreshedAt = monotonic.now();
      return fetchShared();
    },
  };
}

function unavailable(cause?: unknown): AppError {
  return new AppError('unavailable', 'SERVICE_JWT_JWKS_URL: the keys of the foreign issuer cannot be fetched now', {
    cause,
  });
}
