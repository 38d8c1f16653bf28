import { type ActOptions, requireGateway } from '../../attempts';
import { requireScope } from '../../identity';
import { newId } from '../../kernel';
import { type CreateOutcome, type PaymentsDeps, sendAttempt } from '../../payments';
import { hintUrl } from '../hint-url';
import type { StartPosRequest } from '../payment-channels';

/**
 * Sends a transaction to a terminal (interface section 4.4), once. It has no id of the gateway yet: the first status
 * check finds it by Millime's tracking id (open point 73). That also resolves an unknown outcome (open point 129).
 *
 * @throws AppError `bad_input`, `reference_live`, `misconfigured`, `forbidden`.
 */
export async function startPos(
  deps: PaymentsDeps,
  { idTerminal, serialNumber, amountMillimes, paymentMethod, reference, agentId }: StartPosRequest,
  options: ActOptions,
): Promise<CreateOutcome> {
  requireScope(options.actor, 'payments:write');
  const gateway = requireGateway(deps);
  const trackingId = newId();
  const terms = { idTerminal, serialNumber, amountMillimes, paymentMethod };
  // The webhook's path contains the hint token, so the stored terms omit it.
  const webhook = hintUrl(deps.settings, 'pos');
  const input = { ...terms, developerTrackingId: trackingId, ...(webhook === undefined ? {} : { webhook }) };
  return sendAttempt(
    deps,
    {
      trackingId,
      kind: 'pos',
      terms,
      amountMillimes,
      reference,
      agentId,
      check: () => gateway.check('pos.start', input),
      call: async () => {
        await gateway.pos.start(input);
        return {};
      },
      unknownCodes: ['outcome_unknown'],
    },
    options,
  );
}
