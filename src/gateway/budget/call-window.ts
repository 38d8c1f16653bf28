import { type Instant, MINUTE_MS } from '../../kernel';

/** The gateway counts calls by the minute (interface section 8). */
export const WINDOW_MS = MINUTE_MS;

/** The start instants of the last minute's calls, oldest first. */
export type CallStarts = readonly Instant[];

export type SlotTaken =
  | { readonly kind: 'taken'; readonly starts: CallStarts }
  | { readonly kind: 'full'; readonly starts: CallStarts; readonly retryAfterMs: number };

/**
 * Takes one of `limit` calls from the minute that ends now. Guarantees that no 60 s interval contains more than `limit`
 * starts. When the minute is full, `starts` is the same object unless it needed a correction. Pure.
 */
export function takeSlot(starts: CallStarts, now: Instant, limit: number): SlotTaken {
  const past = startsNotAfter(starts, now);
  const live = past.filter((start) => start > now - WINDOW_MS).sort((a, b) => a - b);
  const blocking = live.at(-limit);
  if (blocking === undefined) return { kind: 'taken', starts: [...live, now] };
  return { kind: 'full', starts: past, retryAfterMs: blocking + WINDOW_MS - now };
}

/** Returns a full minute, which replaces unreadable starts. */
export function fullWindow(now: Instant, limit: number): CallStarts {
  return Array.from({ length: limit }, () => now);
}

/**
 * Returns the starts with future ones set to now. A future start was recorded before the clock stepped back; without
 * this a wait could exceed a minute.
 */
function startsNotAfter(starts: CallStarts, now: Instant): CallStarts {
  return starts.some((start) => start > now) ? starts.map((start) => Math.min(start, now)) : starts;
}
