import { requireGateway } from '../../attempts';
import { type NewBreak, openBreakStore } from '../../breaks';
import type { Session } from '../../db';
import { type GatewayClient, type GatewayErrorCode, isGatewayError, type QrTransaction } from '../../gateway';
import { assert, type Instant } from '../../kernel';
import {
  applyStatusCheck,
  DAY_MS,
  openPaymentStore,
  type Payment,
  type PaymentChange,
  type PaymentsDeps,
  postponeCheck,
  recordFailedCheck,
  startOf,
  STATUS_CHECK_ACTOR,
  type StatusCheckOutcome,
} from '../../payments';
import { decideQr, type QrDecision } from './decide-qr';
import { type ListedQrPayment, listedQrPayments } from './qr-answer';
import { openQrPayments } from './qr-store';
import { QR_UNKNOWN_CODES, qrTermsOf } from './qr-terms';

/** For how long a code is asked for again (open point 129). */
const UNKNOWN_FOLLOWED_MS = 5 * DAY_MS;
/** They say nothing about the code. */
const STILL_UNKNOWN: readonly GatewayErrorCode[] = [
  ...QR_UNKNOWN_CODES,
  'rate_limited',
  'authentication',
  'permission',
];

/**
 * Asks for the payments of a QR code (interface section 4.5) and applies what is listed: every payment is an item of
 * its own. A code whose creation is unknown is asked for once more before (open points 77 and 129).
 */
export async function checkQrStatus(deps: PaymentsDeps, payment: Payment): Promise<StatusCheckOutcome> {
  const gateway = requireGateway(deps);
  const { requestState, trackingId } = payment;
  if (requestState !== 'made' && requestState !== 'unknown') return { kind: 'nothing_to_ask', payment };
  // Before the call: what is paid while it is in transit is left for the next status check.
  const observedAt = deps.clock.now();
  if (requestState === 'unknown' && observedAt >= startOf(payment) + UNKNOWN_FOLLOWED_MS) {
    return endRequest(deps, payment, { requestState: 'abandoned', isLive: false, nextCheckAt: undefined });
  }
  if (requestState === 'unknown' && payment.isTest !== deps.settings.isTest) {
    // Whether the other application has it cannot be asked as this one, and a code of ours must not become the other's.
    await postponeCheck(deps, trackingId, observedAt + DAY_MS);
    return {
      kind: 'later',
      retryAfterMs: DAY_MS,
      affectsAll: false,
      reason: 'the other application requested it',
    };
  }
  let made: PaymentChange;
  let transactions: readonly QrTransaction[];
  let listed: readonly ListedQrPayment[];
  try {
    made = requestState === 'unknown' ? await makeAgain(gateway, payment) : {};
    if (made.requestState === 'refused') return await endRequest(deps, payment, made);
    transactions = await transactionsOf(gateway, payment);
    listed = listedQrPayments(transactions, 'qr.verify');
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return recordFailedCheck(deps, payment, error);
  }
  const observation = {
    trackingId,
    source: 'qr_verify',
    observedAt,
    status: listed.length > 0 ? 'SUCCESS' : 'PENDING',
    settlementStatus: undefined,
    method: listed[0]?.channel,
    amount: listed[0]?.amount,
    detail: JSON.stringify(transactions.map(({ raw }) => raw)),
  } as const;
  const applied = await applyStatusCheck(
    deps,
    { observation, eventsCoveredUntil: observedAt },
    async (facts, session) => {
      const store = openQrPayments(session);
      const known = await store.find(listed.map(({ transactionUniqueId }) => transactionUniqueId));
      for (const each of await store.ofCode(trackingId)) known.set(each.transactionUniqueId, each);
      const decision = decideQr(deps.calendar, { ...facts, observedAt, listed, known });
      await write(session, facts.payment, decision, deps.clock.now());
      return { ...decision, change: { ...made, ...decision.change } };
    },
  );
  return { kind: 'looked', payment: applied.payment };
}

async function transactionsOf(gateway: GatewayClient, payment: Payment): Promise<readonly QrTransaction[]> {
  try {
    return await gateway.qr.verify({ operationUuid: qrTermsOf(payment).operationUuid });
  } catch (error) {
    // The interface shows no such answer of this operation; of a code that the gateway does not know nothing is listed.
    if (isGatewayError(error, 'not_found')) return [];
    throw error;
  }
}

/** The same call with the same operation uuid makes no second code. A clear no is final: no customer saw it. */
async function makeAgain(gateway: GatewayClient, payment: Payment): Promise<PaymentChange> {
  try {
    const { qrCode } = await gateway.qr.generate(qrTermsOf(payment));
    return { requestState: 'made', requestError: undefined, link: qrCode };
  } catch (error) {
    if (!isGatewayError(error) || STILL_UNKNOWN.includes(error.code)) throw error;
    const requestError = `${error.code}: ${error.message}`;
    return { requestState: 'refused', requestError, isLive: false, nextCheckAt: undefined };
  }
}

/** No customer was ever shown the code: nothing of it can be paid. */
async function endRequest(
  { database }: PaymentsDeps,
  { trackingId }: Payment,
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

async function write(session: Session, payment: Payment, decision: QrDecision, at: Instant): Promise<void> {
  const store = openQrPayments(session);
  for (const each of decision.added) await store.add(each);
  for (const transactionUniqueId of decision.linked) await store.link(transactionUniqueId, payment.trackingId);
  for (const each of decision.posted) await store.posted(each.transactionUniqueId, each.itemId);
  for (const each of decision.growing) await openOrGrow(session, each, at);
}

/** A code that is paid, or not listed, once more has a larger break, and one that a person had resolved comes back. */
async function openOrGrow(session: Session, now: NewBreak, at: Instant): Promise<void> {
  const store = openBreakStore(session);
  const before = (await store.byFingerprint([now.fingerprint])).get(now.fingerprint);
  if (before === undefined) return store.open([now], at, STATUS_CHECK_ACTOR);
  if (before.amount === now.amount) return;
  await (before.status === 'resolved'
    ? store.reopen(before.id, now, at, STATUS_CHECK_ACTOR)
    : store.change(before.id, now, at, STATUS_CHECK_ACTOR));
}
