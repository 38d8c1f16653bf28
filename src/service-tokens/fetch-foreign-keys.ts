import { createRemoteJWKSet, customFetch } from 'jose';
import { AppError, type Clock, MINUTE_MS } from '../kernel';
import type { Logger } from '../logging';
import { fetchBounded } from './fetch-bounded';
import { decodeForeignKeys } from './foreign-key-codec';
import type { KeySet } from './key-set';

const FETCH_TIMEOUT_MS = 3_000;
/** The wait after a failed fetch, for any number of callers. */
const RETRY_GAP_MS = 5_000;
const WARNING_GAP_MS = MINUTE_MS;

/** The last fetched keys of a foreign issuer. */
export interface FetchedKeys {
  readonly keys: KeySet;
  readonly fetchedAt: number;
}

/** Fetches the keys of a foreign issuer, with one fetch for all concurrent callers, and stores the last ones. */
export interface ForeignKeyFetcher {
  /** Returns the keys of the last successful fetch; undefined before it. */
  last(): FetchedKeys | undefined;
  running(): Promise<KeySet> | undefined;
  /** Returns whether the last fetch failed less than `gapMs` ago. */
  hasFailedWithin(gapMs: number): boolean;
  /**
   * Joins the running fetch, or starts one.
   *
   * @throws AppError `unavailable`, also shortly after a failed fetch.
   */
  fetch(): Promise<KeySet>;
}

export function createForeignKeyFetcher(jwksUrl: URL, logger: Logger, monotonic: Clock): ForeignKeyFetcher {
  // The callers decide by the monotonic clock when to fetch; jose fetches only on request.
  const remote = createRemoteJWKSet(jwksUrl, {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cacheMaxAge: Infinity,
    [customFetch]: fetchBounded,
  });
  let last: FetchedKeys | undefined;
  /** Set if the last fetch failed. */
  let failedAt: number | undefined;
  let warnedAt = -Infinity;
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
      last = { keys, fetchedAt };
      failedAt = undefined;
      return keys;
    } catch (error) {
      failedAt = monotonic.now();
      warn('foreign issuer keys not fetched', { error });
      throw foreignKeysUnavailable(error);
    } finally {
      running = undefined;
    }
  }

  function warn(message: string, fields: Readonly<Record<string, unknown>>): void {
    if (monotonic.now() - warnedAt < WARNING_GAP_MS) return;
    warnedAt = monotonic.now();
    logger.warn(message, { event: 'service_tokens.jwks_bad', ...fields });
  }

  const hasFailedWithin = (gapMs: number): boolean => failedAt !== undefined && monotonic.now() - failedAt < gapMs;

  return {
    last: () => last,
    running: () => running,
    hasFailedWithin,
    async fetch() {
      if (running === undefined && hasFailedWithin(RETRY_GAP_MS)) throw foreignKeysUnavailable();
      running ??= fetchKeys();
      return running;
    },
  };
}

export function foreignKeysUnavailable(cause?: unknown): AppError {
  return new AppError('unavailable', 'SERVICE_JWT_JWKS_URL: the keys of the foreign issuer cannot be fetched now', {
    cause,
  });
}
