import { type ActOptions, requireGateway } from '../../attempts';
import { requireScope } from '../../identity';
import { newId } from '../../kernel';
import { type CreateOutcome, type PaymentsDeps, sendAttempt } from '../../payments';
import { hintUrl } from '../hint-url';
import type { WalletPayRequest } from '../payment-channels';

const FOR_A_PERSON = 'the earlier attempt may have moved money; a person must decide about its break outcome_unknown';

/**
 * Pays an amount from a linked wallet (interface section 4.3). The call has no idempotency key and moves money, so it
 * is sent once (open point 70). It is never posted: the interface states neither its amount nor its settlement.
 *
 * @throws AppError `bad_input`, `reference_live`, `misconfigured`, `forbidden`.
 */
export async function payFromWallet(
  deps: PaymentsDeps,
  { phoneNumber, trackingId: walletTrackingId, amountMillimes, product, reference }: WalletPayRequest,
  options: ActOptions,
): Promise<CreateOutcome> {
  requireScope(options.actor, 'payments:refund');
  const gateway = requireGateway(deps);
  // The customer's tracking id names the wallet; Millime's names the payment.
  const terms = { phoneNumber, trackingId: walletTrackingId, amountMillimes, product };
  // The webhook's path contains the hint token, so the stored terms omit it.
  const webhook = hintUrl(deps.settings, 'partner');
  const input = { ...terms, ...(webhook === undefined ? {} : { webhook }) };
  const outcome = await sendAttempt(
    deps,
    {
      trackingId: newId(),
      kind: 'wallet',
      terms,
      amountMillimes,
      reference,
      agentId: undefined,
      check: () => gateway.check('wallet.pay', input),
      call: async () => ({ gatewayId: (await gateway.wallet.pay(input)).blockchainRef }),
      unknownCodes: ['outcome_unknown'],
    },
    options,
  );
  return isForAPerson(outcome) ? { ...outcome, reason: FOR_A_PERSON } : outcome;
}

/**
 * Returns whether a person must resolve the outcome, because operations of the wallet may be the payment. Any other
 * unknown payment is checked again.
 */
function isForAPerson(outcome: CreateOutcome): outcome is Extract<CreateOutcome, { kind: 'unknown' }> {
  if (outcome.kind !== 'unknown') return false;
  const { requestState, nextCheckAt } = outcome.payment;
  return requestState === 'unknown' && nextCheckAt === undefined;
}
