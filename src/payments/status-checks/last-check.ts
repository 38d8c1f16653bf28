import { type Instant, SECOND_MS } from '../../kernel';
import type { Payment } from '../payment';

/** How far the clocks of Millime's own processes may differ before one counts as wrong. */
const OUR_CLOCKS_APART_MAX_MS = 5 * SECOND_MS;

/**
 * Returns when a payment was last checked. A check in the future was recorded with a wrong clock and is ignored;
 * otherwise every answer until then would count as old. Pure.
 */
export function lastCheckOf({ lastCheckAt }: Pick<Payment, 'lastCheckAt'>, now: Instant): Instant | undefined {
  return lastCheckAt !== undefined && lastCheckAt > now + OUR_CLOCKS_APART_MAX_MS ? undefined : lastCheckAt;
}
