import type { Instant } from '../../kernel';
import { isCheckout, type Payment } from '../payment';
import { sessionEndOf } from './checkout-terms';

/** The gateway's last webhook about a session comes within this time of its end (open point 129). */
const LAST_WEBHOOK_AFTER_MS = 40 * 60_000;

/**
 * From when on a session that we know nothing of counts as never paid, and another one may be made; undefined for an
 * attempt of which that cannot be said, because it was not sent, or is made, or is of a channel that can be asked
 * about.
 */
export function abandonmentTime(
  payment: Pick<Payment, 'kind' | 'requestState' | 'sentAt' | 'terms'>,
): Instant | undefined {
  const { kind, requestState, sentAt } = payment;
  if (!isCheckout(kind) || sentAt === undefined) return undefined;
  if (requestState !== 'unknown' && requestState !== 'sending') return undefined;
  return sessionEndOf(payment, sentAt) + LAST_WEBHOOK_AFTER_MS;
}
