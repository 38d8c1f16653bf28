import { requireGateway } from '../../attempts';
import { isGatewayError } from '../../gateway';
import { assert, type Instant } from '../../kernel';
import type { ChannelAnswer } from '../channel';
import { type Payment, startOf } from '../payment';
import { openPaymentObservations } from '../payment-observation-store';
import { openPaymentStore, type PaymentChange } from '../payment-store';
import type { PaymentsDeps, StatusCheckOutcome } from '../payments';
import { applyStatusCheck } from './apply-status-check';
import { channelFacts, toStatusCheckDecision } from './channel-facts';
import { postponeCheck, recordFailedCheck } from './record-failed-check';

/**
 * Asks the gateway about a payment of a channel without sessions, and applies the answer.
 *
 * @throws AppError `misconfigured`, or as `Database.transact` does.
 */
export async function checkChannelStatus(deps: PaymentsDeps, payment: Payment): Promise<StatusCheckOutcome> {
  const gateway = requireGateway(deps);
  const { requestState, trackingId } = payment;
  if (requestState !== 'made' && requestState !== 'unknown') return { kind: 'nothing_to_ask', payment };
  const observedAt = deps.clock.now();
  const { isTest } = deps.settings;
  let answer: ChannelAnswer;
  try {
    answer = await deps.observeChannel({ gateway, payment, startedAt: startOf(payment), observedAt, isTest });
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return recordFailedCheck(deps, payment, error);
  }
  switch (answer.kind) {
    case 'answered':
      return applyAnswer(deps, { trackingId, observedAt }, answer);
    case 'ended':
      return endRequest(deps, trackingId, answer.change);
    case 'not_asked': {
      const { retryAfterMs, reason } = answer;
      await postponeCheck(deps, trackingId, observedAt + retryAfterMs);
      return { kind: 'later', retryAfterMs, affectsAll: false, reason };
    }
  }
}

async function applyAnswer(
  deps: PaymentsDeps,
  asked: { readonly trackingId: string; readonly observedAt: Instant },
  { observation, decide }: Extract<ChannelAnswer, { kind: 'answered' }>,
): Promise<StatusCheckOutcome> {
  const { trackingId, observedAt } = asked;
  const applied = await applyStatusCheck(
    deps,
    { observation: { ...observation, ...asked }, eventsCoveredUntil: observedAt },
    async ({ payment, mismatches: known }, session) => {
      const store = openPaymentStore(session);
      const state = { payment, observedAt, source: observation.source, known };
      const decision = await decide(channelFacts(state, deps), {
        session,
        observations: () => openPaymentObservations(session).ofPayment(trackingId),
        isKnown: async (gatewayId) => (await store.byGatewayId(gatewayId)) !== undefined,
      });
      return toStatusCheckDecision(state, deps, decision);
    },
  );
  return { kind: 'looked', payment: applied.payment };
}

/** Ends a request whose payment no customer ever saw, so it cannot be paid. */
async function endRequest(
  { database }: PaymentsDeps,
  trackingId: string,
  change: PaymentChange,
): Promise<StatusCheckOutcome> {
  const payment = await database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const before = await store.lock(trackingId);
      assert(before !== undefined, 'a checked payment exists');
      if (before.requestState !== 'unknown') return before;
      await store.change(before, change);
      return { ...before, ...change };
    },
    { retryUnknownOutcome: true },
  );
  return { kind: 'nothing_to_ask', payment };
}
