import { doubledPauseMs, type Instant, MINUTE_MS, SECOND_MS } from '../../kernel';

/** How often someone tried, and when this was counted last. */
export interface Tries {
  readonly tries: number;
  readonly countedAt: Instant;
}

const FREE_FAILURES = 5;
const FIRST_WAIT_MS = SECOND_MS;
const WAIT_MAX_MS = 15 * MINUTE_MS;

const ADDRESS_WINDOW_MS = MINUTE_MS;
const ADDRESS_TRIES_MAX = 20;

/** Returns how long the next try must wait after failures. Pure. */
export function waitAfterFailures({ tries, countedAt }: Tries, now: Instant): number {
  if (tries < FREE_FAILURES) return 0;
  const pause = doubledPauseMs(FIRST_WAIT_MS, tries - FREE_FAILURES + 1, WAIT_MAX_MS);
  return Math.max(0, countedAt + pause - now);
}

/** Returns how long the next try of an address must wait, whatever names it tries. Pure. */
export function waitOfAddress({ tries, countedAt }: Tries, now: Instant): number {
  return tries < ADDRESS_TRIES_MAX ? 0 : Math.max(0, countedAt + ADDRESS_WINDOW_MS - now);
}

/** Counts one more try of an address in its window of a minute. Pure. */
export function countOfAddress({ tries, countedAt }: Tries, now: Instant): Tries {
  return now - countedAt < ADDRESS_WINDOW_MS ? { tries: tries + 1, countedAt } : { tries: 1, countedAt: now };
}
