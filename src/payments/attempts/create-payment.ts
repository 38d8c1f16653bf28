import { requireOpenAgent } from '../../agents';
import {
  type ActOptions,
  BEING_SENT,
  isBeingSent,
  liveReferenceError,
  requireGateway,
  SESSION_GRACE_MS,
} from '../../attempts';
import { openAuditTrail, requireScope } from '../../identity';
import { inputError, type Instant } from '../../kernel';
import type { Payment } from '../payment';
import { openPaymentStore } from '../payment-store';
import type { CreateOutcome, PaymentRequest, PaymentsDeps } from '../payments';
import { checkPaymentStatus } from '../status-checks/check-payment';
import { abandonmentTime, sameTerms } from './checkout-terms';
import { readPaymentRequest } from './payment-request';
import { sendCheckout, storeOutcome } from './send-checkout';

/** The money is paid or reserved, so Millime creates no second session for the reference. */
const PAID_STATUSES: readonly (string | undefined)[] = ['SUCCESS', 'PREAUTH_SUCCESS'];

type Written =
  { readonly kind: 'written'; readonly payment: Payment } | { readonly kind: 'live'; readonly payment: Payment };

/**
 * Creates a hosted-checkout payment of any variant (Generate Payment, interface section 4.1). The attempt is stored
 * before the request is sent; a request that cannot be sent stores nothing. A reference has at most one live attempt.
 * Repeating the request returns it, after a status check if its session has ended.
 *
 * @throws AppError `bad_input`, `reference_live` when the live attempt has other terms, `misconfigured`, `forbidden`.
 */
export async function createPayment(
  deps: PaymentsDeps,
  request: PaymentRequest,
  options: ActOptions,
): Promise<CreateOutcome> {
  const gateway = requireGateway(deps);
  requireScope(options.actor, 'payments:write');
  let written = await writeAttempt(deps, request, options);
  if (options.dryRun) return { kind: 'checked' };
  if (written.kind === 'live' && isSessionOver(written.payment, deps.clock.now())) {
    // The final status of a session arrives after its end, and only a status check may free the reference.
    await checkPaymentStatus(deps, written.payment.trackingId);
    written = await writeAttempt(deps, request, options);
  }
  if (written.kind === 'live') return outcomeOfLive(written.payment, deps.clock.now());
  const sent = await sendCheckout(gateway, written.payment);
  const payment = await storeOutcome(deps, written.payment.trackingId, sent);
  const { trackingId, requestState, gatewayId } = payment;
  deps.logger.info('payment requested', { event: 'payments.requested', trackingId, requestState, gatewayId });
  // The stored state counts: a webhook may have reported the session before an answer that was lost.
  if (requestState === 'made') return { kind: 'created', payment };
  const reason = payment.requestError ?? '';
  return requestState === 'refused' ? { kind: 'refused', payment, reason } : unknown(payment, reason);
}

/**
 * Stores the attempt as `sending`, or finds the live one of its reference. The unique key admits one of several
 * concurrent requests.
 */
async function writeAttempt(
  deps: PaymentsDeps,
  request: PaymentRequest,
  { actor, dryRun }: ActOptions,
): Promise<Written> {
  const at = deps.clock.now();
  const by = { requestState: 'sending', at, recordedBy: actor.name } as const;
  const read = readPaymentRequest(requireGateway(deps), deps.settings, request, by);
  if ('faults' in read) throw inputError('payment', read.faults);
  const { payment } = read;
  return deps.database.transact<Written>(
    async (session) => {
      const store = openPaymentStore(session);
      // The COMMIT of the first run may have succeeded.
      const stored = await store.find(payment.trackingId);
      if (stored !== undefined) return { kind: 'written', payment: stored };
      await requireOpenAgent(session, payment.agentId);
      const live = payment.reference === undefined ? undefined : await store.live(payment.reference);
      if (live !== undefined) {
        if (!sameTerms(live, payment)) throw liveReferenceError(live, payment);
        if (!isAbandoned(live, at)) return { kind: 'live', payment: live };
        await store.change(live, { requestState: 'abandoned', isLive: false });
      }
      await store.add([payment]);
      const subject = `payment:${payment.trackingId}`;
      const detail = {
        kind: payment.kind,
        amountMillimes: payment.amount,
        ...(payment.reference === undefined ? {} : { reference: payment.reference }),
      };
      await openAuditTrail(session).record({ at, actor, action: 'payment.requested', subject, detail });
      return { kind: 'written', payment };
    },
    { retryDuplicate: true, retryUnknownOutcome: true, dryRun },
  );
}

function isAbandoned(payment: Payment, now: Instant): boolean {
  const from = abandonmentTime(payment);
  return from !== undefined && now >= from;
}

function isSessionOver({ requestState, status, sessionEndsAt }: Payment, now: Instant): boolean {
  if (requestState !== 'made' || PAID_STATUSES.includes(status) || sessionEndsAt === undefined) return false;
  return now >= sessionEndsAt + SESSION_GRACE_MS;
}

function outcomeOfLive(payment: Payment, now: Instant): CreateOutcome {
  const { requestState } = payment;
  if (isBeingSent(payment, now)) return { kind: 'unknown', payment, reason: BEING_SENT };
  return requestState === 'sending' || requestState === 'unknown' ? unknown(payment) : { kind: 'existing', payment };
}

/** Returns the outcome of a sent attempt without a clear answer. */
function unknown(payment: Payment, cause?: string): CreateOutcome {
  const reason = cause ?? 'the gateway did not confirm the session';
  return { kind: 'unknown', payment, reason, newSessionFrom: abandonmentTime(payment) };
}
