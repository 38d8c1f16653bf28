import { UNKNOWN_GRACE_MS } from '../../attempts';
import type { Instant } from '../../kernel';
import { isCheckout, type Payment } from '../payment';
import { sessionEndOf } from './checkout-terms';

/**
 * Returns from when on an unknown session counts as never paid, so that another one may be created. Undefined for an
 * attempt that was not sent, that the gateway created, or whose channel can be checked.
 */
export function abandonmentTime(
  payment: Pick<Payment, 'kind' | 'requestState' | 'sentAt' | 'terms'>,
): Instant | undefined {
  const { kind, requestState, sentAt } = payment;
  if (!isCheckout(kind) || sentAt === undefined) return undefined;
  if (requestState !== 'unknown' && requestState !== 'sending') return undefined;
  return sessionEndOf(payment, sentAt) + UNKNOWN_GRACE_MS;
}
