import { requireGateway } from '../../attempts';
import { AppError, type Instant } from '../../kernel';
import { isCheckout } from '../payment';
import { openPaymentStore } from '../payment-store';
import type { PaymentsDeps, StatusCheckOutcome } from '../payments';
import { checkChannelStatus } from './check-channel';
import { checkCheckoutStatus } from './check-checkout';
import { lastCheckOf } from './last-check';

/**
 * Checks one payment of any kind at the gateway, and applies the answer. If an answer since `notBefore` exists, the
 * gateway is not asked.
 *
 * @throws AppError `not_found` for an unknown payment, `misconfigured`, or as `Database.transact` does.
 */
export async function checkPaymentStatus(
  deps: PaymentsDeps,
  trackingId: string,
  options: { readonly notBefore?: Instant | undefined } = {},
): Promise<StatusCheckOutcome> {
  requireGateway(deps);
  const payment = await deps.database.read((session) => openPaymentStore(session).find(trackingId));
  if (payment === undefined) throw new AppError('not_found', { thing: 'payment', id: trackingId });
  const { notBefore } = options;
  const lastCheckAt = lastCheckOf(payment, deps.clock.now());
  if (notBefore !== undefined && lastCheckAt !== undefined && lastCheckAt >= notBefore) {
    return { kind: 'looked', payment };
  }
  return isCheckout(payment.kind) ? checkCheckoutStatus(deps, payment, options) : checkChannelStatus(deps, payment);
}
