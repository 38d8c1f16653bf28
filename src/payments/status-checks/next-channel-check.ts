import { nextPendingCheck, SESSION_GRACE_MS } from '../../attempts';
import { HOUR_MS, type Instant, SECOND_MS } from '../../kernel';

/** How long after sending the first check is due. */
export const FIRST_CHECK_AFTER_MS = 30 * SECOND_MS;

/**
 * Returns when a payment without a session is checked next: 30 s, 2, 5 and 15 minutes and an hour after its start, then
 * daily, and never after `followedUntil`. Pure.
 */
export function nextChannelCheck(
  followed: { readonly startedAt: Instant; readonly followedUntil: Instant },
  now: Instant,
): Instant | undefined {
  if (now >= followed.followedUntil) return undefined;
  // Places the check after the end of a session an hour after the start.
  const sessionEndsAt = followed.startedAt + HOUR_MS - SESSION_GRACE_MS;
  return nextPendingCheck({ startedAt: followed.startedAt, sessionEndsAt }, now);
}
