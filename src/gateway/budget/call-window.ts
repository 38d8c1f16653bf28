import type { Instant } from '../../kernel';

/** The gateway counts calls by the minute (interface section 8). */
export const WINDOW_MS = 60_000;

/** The instants at which the calls of the last minute began, oldest first. */
export type CallStarts = readonly Instant[];

export type SlotTaken =
  | { readonly kind: 'taken'; readonly starts: CallStarts }
  | { readonly kind: 'full'; readonly starts: CallStarts; readonly retryAfterMs: number };

/**
 * Takes one of `limit` calls of the minute that ends now. Exact: no minute, wherever it begins, has more than `limit`
 * starts. When the minute is full, `starts` is the same object unless it had to be corrected. Pure.
 */
export function takeSlot(starts: CallStarts, now: Instant, limit: number): SlotTaken {
  const past = startsNotAfter(starts, now);
  const live = past.filter((start) => start > now - WINDOW_MS).sort((a, b) => a - b);
  const blocking = live.at(-limit);
  if (blocking === undefined) return { kind: 'taken', starts: [...live, now] };
  return { kind: 'full', starts: past, retryAfterMs: blocking + WINDOW_MS - now };
}

/** A full minute: what stands in for starts that cannot be read. */
export function fullWindow(now: Instant, limit: number): CallStarts {
  return Array.from({ length: limit }, () => now);
}

/** What began in the future began before the clock stepped back. It counts as now: a wait is never over a minute. */
function startsNotAfter(starts: CallStarts, now: Instant): CallStarts {
  return starts.some((start) => start > now) ? starts.map((start) => Math.min(start, now)) : starts;
}
