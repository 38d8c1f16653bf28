import type { Instant } from '../kernel';

const MINUTE_MS = 60_000;
const WAIT_FIRST_MS = MINUTE_MS;
const WAIT_DOUBLED_MAX_MS = 30 * MINUTE_MS;
/** After a 403, which may be a ban: as long as no payment is asked about after one (open point 54). */
const BAN_WAIT_MIN_MS = 15 * MINUTE_MS;
/** However long the gateway asks us to wait, after this one row finds out whether it still means it. */
const RETRY_AFTER_MAX_MS = 6 * 60 * MINUTE_MS;
/** The clocks of the processes that share a wait are not quite the same. */
const CLOCK_MARGIN_MS = MINUTE_MS;

/** How long the queue of one table leaves the gateway alone. */
export interface QueueWait {
  /** Calls that were not answered, since the last one that was. */
  readonly inARow: number;
  readonly resumesAt: Instant;
}

/** What one call told of the gateway. */
export type CallSign =
  /** It was made, or refused for itself. */
  | { readonly kind: 'answered' }
  /** Nothing was said of the row. `isBan`: we may not ask at all for now. */
  | { readonly kind: 'unanswered'; readonly retryAfterMs: number | undefined; readonly isBan: boolean }
  /** Nothing left us, so the gateway needs no rest from it. */
  | { readonly kind: 'not_sent' };

/** The wait that counts. One beyond the longest was noted by a clock that was wrong, and holds nothing up. Pure. */
export function currentWait(kept: QueueWait | undefined, now: Instant): QueueWait | undefined {
  const longestMs = Math.max(WAIT_DOUBLED_MAX_MS, RETRY_AFTER_MAX_MS) + CLOCK_MARGIN_MS;
  return kept === undefined || kept.resumesAt > now + longestMs ? undefined : kept;
}

/**
 * What a call makes of the wait: each one in a row that was not answered doubles it, from a minute to half an hour, and
 * the gateway's own word makes it longer. So an outage costs a few rows and no ban. Pure.
 *
 * @returns undefined when nothing changes.
 */
export function waitAfter(kept: QueueWait | undefined, sign: CallSign, now: Instant): QueueWait | undefined {
  switch (sign.kind) {
    case 'not_sent':
      return undefined;
    case 'answered':
      return kept === undefined || kept.inARow === 0 ? undefined : { inARow: 0, resumesAt: now };
    case 'unanswered': {
      const inARow = (currentWait(kept, now)?.inARow ?? 0) + 1;
      const waitMs = Math.max(
        Math.min(WAIT_FIRST_MS * 2 ** (inARow - 1), WAIT_DOUBLED_MAX_MS),
        Math.min(Math.ceil(sign.retryAfterMs ?? 0), RETRY_AFTER_MAX_MS),
        sign.isBan ? BAN_WAIT_MIN_MS : 0,
      );
      return { inARow, resumesAt: now + waitMs };
    }
  }
}
