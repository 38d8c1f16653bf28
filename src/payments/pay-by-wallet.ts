import { requireScope } from '../identity';
import { millimes, newId } from '../kernel';
import { sendAttempt } from './begin-attempt';
import { toGatewayFault } from './gateway-fault';
import { hintUrl } from './hint-url';
import { newPayment } from './new-payment';
import { FIRST_LOOK_AFTER_MS } from './next-channel-look';
import type { ActOptions, CreateOutcome, PaymentsDeps, WalletPayRequest } from './payments';
import { requireGateway } from './require-gateway';

/**
 * Takes an amount out of a linked wallet (interface section 4.3). It has no key and moves money, so it is sent once
 * (open point 70). Nothing of it is posted: the interface gives neither its amount nor its settlement.
 *
 * @throws AppError `bad_input` with a detail per field, `conflict`, `misconfigured`, `forbidden`.
 */
export async function payByWallet(
  deps: PaymentsDeps,
  { phoneNumber, trackingId: walletTrackingId, amountMillimes, product, reference }: WalletPayRequest,
  { actor, dryRun }: ActOptions,
): Promise<CreateOutcome> {
  requireScope(actor, 'payments:refund');
  const gateway = requireGateway(deps);
  // The customer's tracking id, which names the wallet; ours names the payment.
  const terms = { phoneNumber, trackingId: walletTrackingId, amountMillimes, product };
  // Its path has the hint token, so it is no part of the terms that are kept.
  const webhook = hintUrl(deps.settings, 'partner');
  const input = { ...terms, ...(webhook === undefined ? {} : { webhook }) };
  try {
    gateway.check('wallet.pay', input);
  } catch (error) {
    throw toGatewayFault(error);
  }
  const sentAt = deps.clock.now();
  const amount = millimes(amountMillimes);
  const payment = newPayment({
    trackingId: newId(),
    kind: 'wallet',
    reference,
    agentId: undefined,
    amount,
    ourShare: amount,
    terms,
    isTest: deps.settings.isTest,
    requestState: 'sending',
    requestedAt: sentAt,
    sentAt,
    recordedBy: actor.name,
  });
  return sendAttempt(deps, {
    payment,
    actor,
    dryRun,
    call: async () => ({ gatewayId: (await gateway.wallet.pay(input)).blockchainRef }),
    unknownCodes: ['outcome_unknown'],
    firstLookAt: sentAt + FIRST_LOOK_AFTER_MS,
  });
}
