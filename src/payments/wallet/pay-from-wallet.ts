import { requireScope } from '../../identity';
import { newId } from '../../kernel';
import { sendAttempt } from '../attempts/send-attempt';
import { hintUrl } from '../attempts/hint-url';
import type { ActOptions, CreateOutcome, PaymentsDeps, WalletPayRequest } from '../payments';
import { requireGateway } from '../require-gateway';

const FOR_A_PERSON =
  'the attempt before it may have moved money, and no look can tell: a person must decide (`breaks list`, outcome_unknown)';

/**
 * Takes an amount out of a linked wallet (interface section 4.3). It has no key and moves money, so it is sent once
 * (open point 70). Nothing of it is posted: the interface gives neither its amount nor its settlement.
 *
 * @throws AppError `bad_input` with a detail per field, `conflict`, `misconfigured`, `forbidden`.
 */
export async function payFromWallet(
  deps: PaymentsDeps,
  { phoneNumber, trackingId: walletTrackingId, amountMillimes, product, reference }: WalletPayRequest,
  options: ActOptions,
): Promise<CreateOutcome> {
  requireScope(options.actor, 'payments:refund');
  const gateway = requireGateway(deps);
  // The customer's tracking id, which names the wallet; ours names the payment.
  const terms = { phoneNumber, trackingId: walletTrackingId, amountMillimes, product };
  // Its path has the hint token, so it is no part of the terms that are kept.
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

/** Its wallet has operations that may be it. Whatever else is unknown is checked again. */
function isForAPerson(outcome: CreateOutcome): outcome is Extract<CreateOutcome, { kind: 'unknown' }> {
  if (outcome.kind !== 'unknown') return false;
  const { requestState, nextCheckAt } = outcome.payment;
  return requestState === 'unknown' && nextCheckAt === undefined;
}
