import { type Clock, DAY_MS, type Instant } from '../../kernel';

const RETRY_AFTER_MAX_MS = DAY_MS;

/**
 * Reads a Retry-After header, in seconds or as an HTTP date, as milliseconds; at most a day. Never throws, because a
 * bad header must not discard a valid answer.
 */
export function readRetryAfter(header: unknown, clock: Clock): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_MAX_MS);
  const instant = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  const now = nowOf(clock);
  if (Number.isNaN(instant) || now === undefined) return undefined;
  return Math.min(Math.max(0, instant - now), RETRY_AFTER_MAX_MS);
}

function nowOf(clock: Clock): Instant | undefined {
  try {
    return clock.now();
  } catch {
    return undefined; // the operation that needs the clock reports its fault
  }
}
