import type { Instant } from '../../kernel';

const MINUTE_MS = 60_000;
const WAIT_FIRST_MS = MINUTE_MS;
/** The longest wait: what was sent before then holds nothing up. */
export const QUEUE_WAIT_MAX_MS = 30 * MINUTE_MS;
/** With so many in a row the wait is the longest. */
export const UNANSWERED_COUNTED_MAX = 6;

/** What the rows tell of the calls that were made last. */
export interface SentLately {
  /** When those were sent that said nothing of their row, the newest first. `UNANSWERED_COUNTED_MAX` of them will do. */
  readonly unansweredAt: readonly Instant[];
  /** When the newest was sent that was made, or refused for itself. */
  readonly answeredAt: Instant | undefined;
}

/**
 * From when on a queue may send again: each call in a row that was not answered doubles the wait, from a minute to half an
 * hour. So an outage costs a few rows and no ban, over restarts and in all processes. Pure.
 *
 * @returns undefined when the last call was answered.
 */
export function queueResumesAt({ unansweredAt, answeredAt }: SentLately): Instant | undefined {
  const inARow = unansweredAt.filter((sentAt) => answeredAt === undefined || sentAt >= answeredAt);
  const [newest] = inARow;
  if (newest === undefined) return undefined;
  return newest + Math.min(WAIT_FIRST_MS * 2 ** (inARow.length - 1), QUEUE_WAIT_MAX_MS);
}
