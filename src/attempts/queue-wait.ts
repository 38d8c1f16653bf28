import { doubledPauseMs, HOUR_MS, type Instant, MINUTE_MS } from '../kernel';

const WAIT_FIRST_MS = MINUTE_MS;
const WAIT_DOUBLED_MAX_MS = 30 * MINUTE_MS;
/** After a 403, which may be a ban: as long as Verify Payment pauses after one (open point 54). */
const BAN_WAIT_MIN_MS = 15 * MINUTE_MS;
/** The gateway may ask for a longer pause. After this time, one row tests whether it is still necessary. */
const RETRY_AFTER_MAX_MS = 6 * HOUR_MS;
/** The processes that share a wait have slightly different clocks. */
const CLOCK_MARGIN_MS = MINUTE_MS;

/** How long the queue of one table sends nothing to the gateway. */
export interface QueueWait {
  /** The number of consecutive unanswered calls. */
  readonly inARow: number;
  readonly resumesAt: Instant;
}

/** What one call shows about the gateway. */
export type CallSign =
  /** The gateway created it, or refused it for its own content. */
  | { readonly kind: 'answered' }
  /** The row has no answer. `isBan`: the gateway may have banned the caller. */
  | { readonly kind: 'unanswered'; readonly retryAfterMs: number | undefined; readonly isBan: boolean }
  /** Nothing was sent, so the gateway needs no pause. */
  | { readonly kind: 'not_sent' };

/**
 * Returns the wait that applies. A wait beyond the longest possible one was recorded with a wrong clock and is ignored.
 * Pure.
 */
export function currentWait(kept: QueueWait | undefined, now: Instant): QueueWait | undefined {
  const longestMs = Math.max(WAIT_DOUBLED_MAX_MS, RETRY_AFTER_MAX_MS) + CLOCK_MARGIN_MS;
  return kept === undefined || kept.resumesAt > now + longestMs ? undefined : kept;
}

/**
 * Returns the wait after a call. Each consecutive unanswered call doubles it, from a minute to half an hour, and the
 * gateway's own time can extend it. So an outage costs a few rows and no ban. Pure.
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
        doubledPauseMs(WAIT_FIRST_MS, inARow, WAIT_DOUBLED_MAX_MS),
        Math.min(Math.ceil(sign.retryAfterMs ?? 0), RETRY_AFTER_MAX_MS),
        sign.isBan ? BAN_WAIT_MIN_MS : 0,
      );
      return { inARow, resumesAt: now + waitMs };
    }
  }
}
