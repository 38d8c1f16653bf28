import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../kernel';

/** The first pause is for a webhook that arrives before Millime's own commit; a lost session may need days. */
const PARKED_PAUSES_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;
const PARKED_LATER_MS = 6 * HOUR_MS;
const PARKED_OLD_AFTER_MS = 7 * DAY_MS;

const LATER_AT_LEAST_MS = SECOND_MS;

/**
 * Returns how long a webhook about an unknown payment waits after `tries` attempts: 30 s, 2 and 10 minutes, an hour,
 * then six hours, and a day once it is a week old. Pure.
 */
export function parkedRetryDelayMs(tries: number, receivedAt: Instant, now: Instant): number {
  if (now - receivedAt > PARKED_OLD_AFTER_MS) return DAY_MS;
  return PARKED_PAUSES_MS[tries - 1] ?? PARKED_LATER_MS;
}

/**
 * Returns how long to wait for the gateway: the time that it names, but long enough that one run does not process the
 * entry twice. Pure.
 */
export function laterRetryDelayMs(retryAfterMs: number): number {
  return Math.max(Math.ceil(retryAfterMs), LATER_AT_LEAST_MS);
}
