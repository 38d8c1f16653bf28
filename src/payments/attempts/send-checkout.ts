import { type CallSign, nextPendingCheck, noteForQueue, SHARED_FAULTS } from '../../attempts';
import { type NewBreak, openBreakStore } from '../../breaks';
import { type GatewayClient, type GatewayErrorCode, isGatewayError } from '../../gateway';
import { assert, type Instant } from '../../kernel';
import { isCheckout, type Payment } from '../payment';
import { openPaymentStore, type PaymentChange } from '../payment-store';
import type { PaymentsDeps } from '../payments';
import { mismatchBreak } from '../status-checks/webhook-mismatch';
import { generatePayment, sessionEndOf } from './checkout-terms';

export type SentOutcome =
  | { readonly kind: 'made'; readonly gatewayId: string; readonly link: string }
  | (FailedCall & { readonly kind: 'refused' })
  | (FailedCall & { readonly kind: 'unknown' });

interface FailedCall {
  readonly code: GatewayErrorCode;
  readonly reason: string;
  /** The time in the gateway's Retry-After in milliseconds, if it sent one. */
  readonly retryAfterMs: number | undefined;
}

/** The source of the mismatches that this file finds. */
const SOURCE = 'create';

/** These leave the outcome unknown: the gateway may have created a session that can be paid. */
const UNKNOWN_CODES: readonly GatewayErrorCode[] = ['outcome_unknown', 'timeout', 'unexpected_shape'];

/** Faults that do not concern the payment, so the next one would meet them too. None of them creates a session. */
const AFFECTING_ALL_FAULTS: readonly GatewayErrorCode[] = [...SHARED_FAULTS, 'rate_limited', 'unavailable'];

/** Sends one attempt, which must be stored as `sending`. Throws only for bugs; the attempt then stays `sending`. */
export async function sendCheckout(gateway: GatewayClient, { kind, terms }: Payment): Promise<SentOutcome> {
  assert(isCheckout(kind), 'only a hosted checkout is made by Generate Payment');
  try {
    const { paymentId, link } = await generatePayment(gateway, kind, terms);
    return { kind: 'made', gatewayId: paymentId, link };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    const reason = `${error.code}: ${error.message}`;
    const { code, retryAfterMs } = error;
    return { kind: UNKNOWN_CODES.includes(code) ? 'unknown' : 'refused', code, reason, retryAfterMs };
  }
}

/** Returns whether the refusal does not concern the payment itself. */
export function isEverybodysFault(outcome: SentOutcome): outcome is Extract<SentOutcome, { kind: 'refused' }> {
  return outcome.kind === 'refused' && AFFECTING_ALL_FAULTS.includes(outcome.code);
}

/** Returns what a call tells the queue. A 403 may be a ban. Pure. */
export function signOf(outcome: SentOutcome): CallSign {
  if (outcome.kind === 'made') return { kind: 'answered' };
  if (outcome.kind === 'refused' && !isEverybodysFault(outcome)) return { kind: 'answered' };
  const { kind, code, retryAfterMs } = outcome;
  // A connection fault with a known outcome means that nothing was sent.
  if (kind === 'refused' && code === 'connection') return { kind: 'not_sent' };
  return { kind: 'unanswered', retryAfterMs, isBan: code === 'permission' };
}

/**
 * Stores the outcome of a request for the payment and the queue, and returns the attempt in its new state. A webhook
 * may have been faster than the answer; its changes stay.
 */
export async function storeOutcome(deps: PaymentsDeps, trackingId: string, outcome: SentOutcome): Promise<Payment> {
  const stored = await deps.database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const payment = await store.lock(trackingId);
      assert(payment !== undefined, 'an attempt that was sent is stored');
      const now = deps.clock.now();
      const holder = outcome.kind === 'made' ? await store.byGatewayId(outcome.gatewayId) : undefined;
      const { change, breaks } = decideOutcome({ payment, outcome, holder, now, deps });
      await openBreakStore(session).openNew(breaks, now, 'send');
      await store.change(payment, change);
      return (await store.find(trackingId)) ?? payment;
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
  await noteForQueue(deps, 'payments', signOf(outcome));
  return stored;
}

interface OutcomeFacts {
  readonly payment: Payment;
  readonly outcome: SentOutcome;
  /** The attempt that already has the gateway's id. */
  readonly holder: Payment | undefined;
  readonly now: Instant;
  readonly deps: Pick<PaymentsDeps, 'calendar'>;
}

function decideOutcome({ payment, outcome, holder, now, deps }: OutcomeFacts): {
  readonly change: PaymentChange;
  readonly breaks: readonly NewBreak[];
} {
  const since = deps.calendar.dateOf(now);
  if (payment.gatewayId !== undefined) {
    if (outcome.kind !== 'made') return { change: {}, breaks: [] };
    if (outcome.gatewayId === payment.gatewayId) return { change: { link: outcome.link }, breaks: [] };
    const told = { field: 'payment_id', ours: payment.gatewayId, theirs: outcome.gatewayId };
    return { change: {}, breaks: [mismatchBreak(payment, told, { source: SOURCE, since })] };
  }
  switch (outcome.kind) {
    case 'refused':
      return { change: { requestState: 'refused', isLive: false, requestError: outcome.reason }, breaks: [] };
    case 'unknown':
      return { change: { requestState: 'unknown', requestError: outcome.reason }, breaks: [] };
    case 'made': {
      if (holder !== undefined) {
        const told = { field: 'payment_id', ours: holder.trackingId, theirs: outcome.gatewayId };
        const requestError = 'the gateway answered with the payment of another attempt';
        return {
          change: { requestState: 'unknown', requestError },
          breaks: [mismatchBreak(payment, told, { source: SOURCE, since })],
        };
      }
      const startedAt = payment.sentAt ?? now;
      const sessionEndsAt = sessionEndOf(payment, startedAt);
      const nextCheckAt = nextPendingCheck({ startedAt, sessionEndsAt }, now);
      const { gatewayId, link } = outcome;
      const made = {
        requestState: 'made',
        requestError: undefined,
        gatewayId,
        link,
        sessionEndsAt,
        nextCheckAt,
      } as const;
      return { change: made, breaks: [] };
    }
  }
}
