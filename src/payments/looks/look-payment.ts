import { AppError, unreachable, type Instant } from '../../kernel';
import { lastLookOf } from './last-look';
import { lookAtCheckout } from './look-checkout';
import { lookAtPos } from '../pos/look-pos';
import { lookAtQr } from '../qr/look-qr';
import { lookAtWallet } from '../wallet/look-wallet';
import type { Payment } from '../payment';
import { openPaymentBook } from '../payment-store';
import type { LookOutcome, PaymentsDeps } from '../payments';
import { requireGateway } from '../require-gateway';

/**
 * Asks the gateway about one payment of any kind and applies what it says. A look that was answered at `notBefore` or
 * later will do: then nobody is asked.
 *
 * @throws AppError `not_found` for a payment that is not ours, `misconfigured`, or as `Database.transact` does.
 */
export async function lookAtPayment(
  deps: PaymentsDeps,
  trackingId: string,
  options: { readonly notBefore?: Instant | undefined } = {},
): Promise<LookOutcome> {
  requireGateway(deps);
  const payment = await deps.database.read((session) => openPaymentBook(session).find(trackingId));
  if (payment === undefined) throw new AppError('not_found', `no payment ${JSON.stringify(trackingId)}`);
  const { notBefore } = options;
  const lastLookAt = lastLookOf(payment, deps.clock.now());
  if (notBefore !== undefined && lastLookAt !== undefined && lastLookAt >= notBefore)
    return { kind: 'looked', payment };
  return lookByKind(deps, payment, options);
}

async function lookByKind(
  deps: PaymentsDeps,
  payment: Payment,
  options: { readonly notBefore?: Instant | undefined },
): Promise<LookOutcome> {
  const { kind } = payment;
  switch (kind) {
    case 'standard':
    case 'binding':
    case 'preauthorization':
    case 'split':
      return lookAtCheckout(deps, payment, options);
    case 'pos':
      return lookAtPos(deps, payment);
    case 'qr':
      return lookAtQr(deps, payment);
    case 'wallet':
      return lookAtWallet(deps, payment);
    default:
      return unreachable(kind);
  }
}
