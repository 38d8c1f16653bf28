import { requireScope } from '../identity';
import { millimes, newId } from '../kernel';
import { sendAttempt } from './begin-attempt';
import { toGatewayFault } from './gateway-fault';
import { hintUrl } from './hint-url';
import { newPayment } from './new-payment';
import { FIRST_LOOK_AFTER_MS } from './next-channel-look';
import type { ActOptions, CreateOutcome, PaymentsDeps, StartPosRequest } from './payments';
import { requireGateway } from './require-gateway';

/**
 * Sends a transaction to a terminal (interface section 4.4), once. It has no id of the gateway yet: the first look finds
 * that by our own tracking id (open point 73), which also settles an outcome that nobody knows (open point 129).
 *
 * @throws AppError `bad_input` with a detail per field, `conflict`, `misconfigured`, `forbidden`.
 */
export async function startPos(
  deps: PaymentsDeps,
  { idTerminal, serialNumber, amountMillimes, paymentMethod, reference, agentId }: StartPosRequest,
  { actor, dryRun }: ActOptions,
): Promise<CreateOutcome> {
  requireScope(actor, 'payments:write');
  const gateway = requireGateway(deps);
  const trackingId = newId();
  const terms = { idTerminal, serialNumber, amountMillimes, paymentMethod };
  // Its path has the hint token, so it is no part of the terms that are kept.
  const webhook = hintUrl(deps.settings, 'pos');
  const input = { ...terms, developerTrackingId: trackingId, ...(webhook === undefined ? {} : { webhook }) };
  try {
    gateway.check('pos.start', input);
  } catch (error) {
    throw toGatewayFault(error);
  }
  const sentAt = deps.clock.now();
  const amount = millimes(amountMillimes);
  const payment = newPayment({
    trackingId,
    kind: 'pos',
    reference,
    agentId,
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
    call: async () => {
      await gateway.pos.start(input);
      return {};
    },
    unknownCodes: ['outcome_unknown'],
    firstLookAt: sentAt + FIRST_LOOK_AFTER_MS,
  });
}
