import { instantOf, requireGateway } from '../../attempts';
import { isGatewayError, type VerifiedPayment } from '../../gateway';
import { assert, type Instant, parseInstant, SECOND_MS } from '../../kernel';
import type { Payment } from '../payment';
import type { PaymentsDeps, StatusCheckOutcome } from '../payments';
import { applyStatusCheck } from './apply-status-check';
import { decideStatusCheck } from './decide-status-check';
import type { CheckoutAnswer } from './find-mismatches';
import { CHECK_SPACING_MS, postponeCheck, recordFailedCheck } from './record-failed-check';
import { recordNotFound } from './record-not-found';

/** The minimum wait if an answer is too old although its spacing should have ended. */
const RETRY_MIN_MS = SECOND_MS;

/**
 * Asks Verify Payment about a payment of the hosted checkout (interface section 4.1), and applies the answer. Within
 * the client's spacing it returns an earlier answer. If that was requested before `notBefore`, or before a trigger, the
 * next status check is planned for the end of the spacing.
 *
 * @throws AppError `misconfigured`, or as `Database.transact` does.
 */
export async function checkCheckoutStatus(
  deps: PaymentsDeps,
  payment: Payment,
  { notBefore }: { readonly notBefore?: Instant | undefined } = {},
): Promise<StatusCheckOutcome> {
  const gateway = requireGateway(deps);
  const { trackingId, gatewayId } = payment;
  if (payment.requestState !== 'made' || gatewayId === undefined) return { kind: 'nothing_to_ask', payment };
  const cameAt = deps.clock.now();
  let verified: VerifiedPayment;
  try {
    verified = await gateway.payments.verify(gatewayId);
  } catch (error) {
    if (isGatewayError(error, 'not_found')) return recordNotFound(deps, payment, cameAt);
    if (isGatewayError(error)) return recordFailedCheck(deps, payment, error);
    throw error;
  }
  const answer = readAnswer(verified);
  const { observedAt } = answer;
  const askedAt = instantOf(verified.askedAt);
  const applied = await applyStatusCheck(
    deps,
    {
      observation: {
        trackingId,
        source: 'verify',
        observedAt,
        status: answer.status,
        settlementStatus: answer.settlementStatus,
        method: answer.type,
        amount: answer.amount,
        detail: JSON.stringify(verified.raw),
      },
      eventsCoveredUntil: eventsCoveredUntil({ askedAt, cameAt, reused: verified.reused }),
    },
    (facts) => decideStatusCheck(facts, answer, deps),
  );
  const now = deps.clock.now();
  const spacingEndsAt = observedAt + CHECK_SPACING_MS;
  const { nextCheckAt } = applied.payment;
  if (nextCheckAt !== undefined && nextCheckAt <= now) {
    await postponeCheck(deps, trackingId, Math.max(spacingEndsAt, now + RETRY_MIN_MS));
  }
  if (notBefore !== undefined && (askedAt === undefined || askedAt < notBefore)) {
    const retryAfterMs = Math.max(spacingEndsAt - now, RETRY_MIN_MS);
    return { kind: 'later', retryAfterMs, affectsAll: false, reason: 'the last answer is too old, and it is too soon' };
  }
  return { kind: 'looked', payment: applied.payment };
}

/**
 * Returns until when the answer covers events. An event after the request may be missing from it. Another process's
 * request may even precede an event of the same millisecond. Pure.
 */
function eventsCoveredUntil({
  askedAt,
  cameAt,
  reused,
}: {
  readonly askedAt: Instant | undefined;
  readonly cameAt: Instant;
  readonly reused: boolean;
}): Instant | undefined {
  if (askedAt === undefined) return undefined;
  const isOurs = !reused && askedAt >= cameAt;
  return isOurs ? askedAt : askedAt - 1;
}

function readAnswer(verified: VerifiedPayment): CheckoutAnswer {
  const { status, type, amountMillimes, settlementStatus, developerTrackingId, details } = verified;
  const observedAt = parseInstant(verified.observedAt);
  assert(observedAt !== undefined, 'the client gives an instant');
  return {
    status,
    type: type ?? undefined,
    amount: amountMillimes ?? undefined,
    settlementStatus,
    developerTrackingId: developerTrackingId ?? undefined,
    destination: details['destination'],
    observedAt,
  };
}
