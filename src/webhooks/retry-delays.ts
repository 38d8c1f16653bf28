import type { Instant } from '../kernel';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A webhook that beat our own commit is matched by the first; one for a session that we lost may need days. */
const PARKED_PAUSES_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;
const PARKED_LATER_MS = 6 * HOUR_MS;
const PARKED_OLD_AFTER_MS = 7 * DAY_MS;

const LATER_AT_LEAST_MS = SECOND_MS;

/**
 * How long a webhook of an unknown payment rests after being tried `tries` times: 30 s, 2 and 10 minutes, an hour, then
 * six hours, and a day once it is a week old. It is kept for ever. Pure.
 */
export function parkedRetryDelayMs(tries: number, receivedAt: Instant, now: Instant): number {
  if (now - receivedAt > PARKED_OLD_AFTER_MS) return DAY_MS;
  return PARKED_PAUSES_MS[tries - 1] ?? PARKED_LATER_MS;
}

/**
 * How long to wait for the gateway: what was said, but never so short that one run of the worker takes it twice. Pure.
 */
export function laterRetryDelayMs(retryAfterMs: number): number {
  return Math.max(Math.ceil(retryAfterMs), LATER_AT_LEAST_MS);
}
