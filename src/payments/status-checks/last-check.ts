import type { Instant } from '../../kernel';
import type { Payment } from '../payment';

/** How far the clocks of our own processes may be apart before one of them is taken for wrong. */
const OUR_CLOCKS_APART_MAX_MS = 5_000;

/**
 * When a payment was last checked, as far as our clock can tell. A status check of the future was noted by a clock that
 * was wrong: it counts as none, because else no answer would be new until that time comes. Pure.
 */
export function lastCheckOf({ lastCheckAt }: Pick<Payment, 'lastCheckAt'>, now: Instant): Instant | undefined {
  return lastCheckAt !== undefined && lastCheckAt > now + OUR_CLOCKS_APART_MAX_MS ? undefined : lastCheckAt;
}
