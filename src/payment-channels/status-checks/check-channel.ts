import { assert } from '../../kernel';
import type { Payment, PaymentsDeps, StatusCheckOutcome } from '../../payments';
import { checkPosStatus } from '../pos/check-pos';
import { checkQrStatus } from '../qr/check-qr';
import { checkWalletStatus } from '../wallet/check-wallet';

/**
 * Checks a payment of a channel without sessions at the gateway, and applies the answer.
 *
 * @throws AppError `misconfigured`, or as `Database.transact` does.
 */
export async function checkChannelStatus(deps: PaymentsDeps, payment: Payment): Promise<StatusCheckOutcome> {
  const { kind } = payment;
  if (kind === 'pos') return checkPosStatus(deps, payment);
  if (kind === 'qr') return checkQrStatus(deps, payment);
  assert(kind === 'wallet', 'a channel without sessions is POS, QR or wallet');
  return checkWalletStatus(deps, payment);
}
