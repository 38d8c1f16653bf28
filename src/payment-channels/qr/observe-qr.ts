import { UNKNOWN_FOLLOWED_MS } from '../../attempts';
import type { Session } from '../../db';
import { type GatewayClient, type GatewayErrorCode, isGatewayError, type QrTransaction } from '../../gateway';
import { DAY_MS } from '../../kernel';
import type { ChannelAnswer, ChannelDecision, ChannelQuestion, Payment } from '../../payments';
import { decideQr, type QrDecision } from './decide-qr';
import { listedQrPayments } from './qr-answer';
import { openQrPayments } from './qr-store';
import { QR_UNKNOWN_CODES, qrTermsOf } from './qr-terms';

/** Errors that leave the creation of the code unknown. */
const STILL_UNKNOWN: readonly GatewayErrorCode[] = [
  ...QR_UNKNOWN_CODES,
  'rate_limited',
  'authentication',
  'permission',
];

/**
 * Asks for the payments of a QR code (interface section 4.5); every payment is a separate item. If the creation of the
 * code is unknown, the code is requested again first (open points 77 and 129).
 */
export async function observeQr(question: ChannelQuestion): Promise<ChannelAnswer> {
  const { gateway, payment, startedAt, observedAt } = question;
  let made: ChannelDecision['change'] = {};
  if (payment.requestState === 'unknown') {
    if (observedAt >= startedAt + UNKNOWN_FOLLOWED_MS) {
      return { kind: 'ended', change: { requestState: 'abandoned', isLive: false, nextCheckAt: undefined } };
    }
    // This application cannot check whether the other one has the code, and must not create the other one's code.
    if (payment.isTest !== question.isTest) {
      return { kind: 'not_asked', retryAfterMs: DAY_MS, reason: 'the other application requested it' };
    }
    made = await makeAgain(gateway, payment);
    if (made.requestState === 'refused') return { kind: 'ended', change: made };
  }
  const transactions = await transactionsOf(gateway, payment);
  const listed = listedQrPayments(transactions, 'qr.verify');
  return {
    kind: 'answered',
    observation: {
      source: 'qr_verify',
      status: listed.length > 0 ? 'SUCCESS' : 'PENDING',
      settlementStatus: undefined,
      method: listed[0]?.channel,
      amount: listed[0]?.amount,
      detail: JSON.stringify(transactions.map(({ raw }) => raw)),
    },
    async decide(facts, { session }) {
      const store = openQrPayments(session);
      const known = await store.find(listed.map(({ transactionUniqueId }) => transactionUniqueId));
      for (const each of await store.ofCode(payment.trackingId)) known.set(each.transactionUniqueId, each);
      const decision = decideQr({ ...facts, listed, known });
      await write(session, payment, decision);
      return { ...decision, change: { ...made, ...decision.change } };
    },
  };
}

async function transactionsOf(gateway: GatewayClient, payment: Payment): Promise<readonly QrTransaction[]> {
  try {
    return await gateway.qr.verify({ operationUuid: qrTermsOf(payment).operationUuid });
  } catch (error) {
    // The interface shows no errors of this operation; an unknown code has no listed payments.
    if (isGatewayError(error, 'not_found')) return [];
    throw error;
  }
}

/**
 * Repeats the call that creates the code; the same operation uuid creates no second code. A certain refusal is final,
 * because no customer saw the code.
 */
async function makeAgain(gateway: GatewayClient, payment: Payment): Promise<ChannelDecision['change']> {
  try {
    const { qrCode } = await gateway.qr.generate(qrTermsOf(payment));
    return { requestState: 'made', requestError: undefined, link: qrCode };
  } catch (error) {
    if (!isGatewayError(error) || STILL_UNKNOWN.includes(error.code)) throw error;
    const requestError = `${error.code}: ${error.message}`;
    return { requestState: 'refused', requestError, isLive: false, nextCheckAt: undefined };
  }
}

async function write(session: Session, { trackingId }: Payment, decision: QrDecision): Promise<void> {
  const store = openQrPayments(session);
  for (const each of decision.added) await store.add(each);
  for (const transactionUniqueId of decision.linked) await store.link(transactionUniqueId, trackingId);
  for (const each of decision.posted) await store.posted(each.transactionUniqueId, each.itemId);
}
