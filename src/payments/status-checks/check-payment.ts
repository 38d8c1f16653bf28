import { requireGateway } from '../../attempts';
import { AppError, type Instant, unreachable } from '../../kernel';
import type { Payment } from '../payment';
import { openPaymentStore } from '../payment-store';
import type { PaymentsDeps, StatusCheckOutcome } from '../payments';
import { checkPosStatus } from '../pos/check-pos';
import { checkQrStatus } from '../qr/check-qr';
import { checkWalletStatus } from '../wallet/check-wallet';
import { checkCheckoutStatus } from './check-checkout';
import { lastCheckOf } from './last-check';

/**
 * Asks the gateway about one payment of any kind and applies what it says. A status check that was answered at
 * `notBefore` or later will do: then the gateway is not asked.
 *
 * @throws AppError `not_found` for a payment that is not ours, `misconfigured`, or as `Database.transact` does.
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
  return checkByKind(deps, payment, options);
}

async function checkByKind(
  deps: PaymentsDeps,
  payment: Payment,
  options: { readonly notBefore?: Instant | undefined },
): Promise<StatusCheckOutcome> {
  const { kind } = payment;
  switch (kind) {
    case 'standard':
    case 'binding':
    case 'preauthorization':
    case 'split':
      return checkCheckoutStatus(deps, payment, options);
    case 'pos':
      return checkPosStatus(deps, payment);
    case 'qr':
      return checkQrStatus(deps, payment);
    case 'wallet':
      return checkWalletStatus(deps, payment);
    default:
      return unreachable(kind);
  }
}
