import { nextPendingCheck, SESSION_GRACE_MS } from '../../attempts';
import type { Instant } from '../../kernel';

/** When the first check of what was just sent is due. */
export const FIRST_CHECK_AFTER_MS = 30_000;

const HOUR_MS = 60 * 60 * 1_000;
/** How much a day of status checks is, in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

/**
 * When a payment that has no session is checked next: 30 s, 2, 5 and 15 minutes and an hour after it began, then
 * daily, and after `followedUntil` never. Pure.
 */
export function nextChannelCheck(
  followed: { readonly startedAt: Instant; readonly followedUntil: Instant },
  now: Instant,
): Instant | undefined {
  if (now >= followed.followedUntil) return undefined;
  // The status check after the end of a session, here an hour after the start.
  const sessionEndsAt = followed.startedAt + HOUR_MS - SESSION_GRACE_MS;
  return nextPendingCheck({ startedAt: followed.startedAt, sessionEndsAt }, now);
}
