import { DAY_MS, doubledPauseMs, type Instant, MINUTE_MS, SECOND_MS } from '../kernel';

/** Counted from the request: most customers pay immediately or not at all (open point 54). */
const PENDING_CHECKS_AFTER_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
/** How long after the end of its session a payment may still be in transit. */
export const SESSION_GRACE_MS = MINUTE_MS;

/** How late the gateway may list or report a request of unknown outcome (open point 129). */
export const UNKNOWN_GRACE_MS = 40 * MINUTE_MS;

/** How long Millime follows a request of unknown outcome (open point 129). */
export const UNKNOWN_FOLLOWED_MS = 5 * DAY_MS;

/** How many working days Millime checks a payment whose status does not become final (open point 15). */
export const UNKNOWN_WORKING_DAYS_MAX = 5;

const FAILED_PAUSE_FIRST_MS = 30 * SECOND_MS;

/**
 * Returns when a pending attempt is checked next: 30 s, 2, 5 and 15 minutes after its start, a minute after its session
 * ends, then daily. Pure.
 */
export function nextPendingCheck(
  pending: { readonly startedAt: Instant; readonly sessionEndsAt: Instant | undefined },
  now: Instant,
): Instant {
  const { startedAt, sessionEndsAt } = pending;
  const planned = PENDING_CHECKS_AFTER_MS.map((afterMs) => startedAt + afterMs);
  if (sessionEndsAt !== undefined) planned.push(sessionEndsAt + SESSION_GRACE_MS);
  return Math.min(now + DAY_MS, ...planned.filter((at) => at > now));
}

/** Returns how long to wait after this number of consecutive failed checks: 30 s, doubling up to a day. Pure. */
export function pauseAfterFailuresMs(failures: number): number {
  return doubledPauseMs(FAILED_PAUSE_FIRST_MS, failures, DAY_MS);
}
