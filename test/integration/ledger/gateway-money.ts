import type { Database, Session } from '../../../src/db';
import { postFee, postItem } from '../../../src/gateway-items';
import type { FeeOutcome } from '../../../src/gateway-items/testing';
import { type Instant, millimes, newId } from '../../../src/kernel';
import type { Channel } from '../../../src/ledger';
import type { Payment, PaymentKind } from '../../../src/payments';
import { openPaymentStore } from '../../../src/payments/testing';
import { aPayment } from '../../support/factories/a-payment';

export type ItemChannel = Exclude<Channel, 'agent'>;
export const ITEM_CHANNELS: readonly ItemChannel[] = ['card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'];

/** A payment that succeeded, as a look at the gateway tells it. Amounts in millimes. */
export interface PaidGiven {
  /** The gateway's id. */
  readonly id: string;
  readonly channel: ItemChannel;
  readonly amount: number;
  /** What a split leaves us; of card, wallet and mpayment only. */
  readonly ourShare?: number;
  /** What was captured of a pre-authorization; of card, wallet and mpayment only. */
  readonly captured?: number;
  readonly agentId?: string;
  readonly isTest?: boolean;
}

/** As every look writes: a second run finds what the first one did. */
const AS_A_LOOK = { retryDuplicate: true, retryUnknownOutcome: true };

/** What of it is ours. */
export function shareOf({ amount, ourShare, captured }: PaidGiven): number {
  return captured ?? ourShare ?? amount;
}

/**
 * The rows and the postings of a payment that succeeded, in two transactions as the rooms have it: the attempt first,
 * then what the look found. Again: nothing more. Gives whether this call put money in the books.
 */
export async function receive(database: Database, given: PaidGiven, at: Instant): Promise<boolean> {
  await database.transact((session) => writeAttempt(session, given, at), AS_A_LOOK);
  return database.transact((session) => writeSuccess(session, given, at), AS_A_LOOK);
}

/** A refund of an item that is in the books. */
export function giveBack(
  database: Database,
  refund: { readonly id: string; readonly of: PaidGiven; readonly amount: number },
  at: Instant,
): Promise<boolean> {
  const { channel, agentId, id } = refund.of;
  const item = {
    itemId: `refund:${refund.id}`,
    channel,
    amount: millimes(-refund.amount),
    agentId,
    refundOf: `payment:${id}`,
    occurredAt: at,
  };
  return database.transact((session) => postItem(session, item, by(at)), AS_A_LOOK);
}

export function reportFee(
  database: Database,
  report: { readonly of: PaidGiven; readonly fee: number; readonly tva: number },
  at: Instant,
): Promise<FeeOutcome> {
  const fee = {
    itemId: `payment:${report.of.id}`,
    fee: millimes(report.fee),
    tva: millimes(report.tva),
    occurredAt: at,
  };
  return database.transact((session) => postFee(session, fee, by(at)), AS_A_LOOK);
}

async function writeAttempt(session: Session, given: PaidGiven, at: Instant): Promise<void> {
  if (given.channel === 'subscription') return writeSubscription(session, given, at);
  const store = openPaymentStore(session);
  if ((await store.byGatewayId(given.id)) === undefined) await store.add([attemptOf(given, at)]);
}

async function writeSuccess(session: Session, given: PaidGiven, at: Instant): Promise<boolean> {
  const { id, channel, agentId, isTest = false } = given;
  const itemId = `payment:${id}`;
  const amount = millimes(shareOf(given));
  const posted =
    !isTest &&
    (await postItem(session, { itemId, channel, amount, agentId, refundOf: undefined, occurredAt: at }, by(at)));
  if (!posted) return false;
  if (channel === 'subscription') {
    await session('subscription_charges').where('payment_id', id).update({ item_id: itemId });
    return true;
  }
  const store = openPaymentStore(session);
  const payment = await store.byGatewayId(id);
  if (payment === undefined) throw new Error('a payment is written down before it is looked at');
  if (channel === 'qr') {
    await session('qr_transactions').insert({
      transaction_unique_id: id,
      tracking_id: payment.trackingId,
      amount_millimes: amount,
      channel: null,
      paid_at: at,
      first_seen_at: at,
      item_id: itemId,
    });
    return true;
  }
  await store.change(payment, { status: 'SUCCESS', itemId, succeededAfter: at, succeededUntil: at, lastCheckAt: at });
  return true;
}

function attemptOf(
  { id, channel, amount, ourShare, captured, agentId, isTest = false }: PaidGiven,
  at: Instant,
): Payment {
  return aPayment({
    trackingId: newId(),
    kind: kindOf(channel, ourShare, captured),
    agentId,
    amount: millimes(amount),
    ourShare: millimes(ourShare ?? amount),
    isTest,
    requestedAt: at,
    gatewayId: id,
    status: 'PENDING',
    method: channel,
    captured: captured === undefined ? undefined : millimes(captured),
  });
}

function kindOf(channel: ItemChannel, ourShare: number | undefined, captured: number | undefined): PaymentKind {
  if (channel === 'pos' || channel === 'qr') return channel;
  if (captured !== undefined) return 'preauthorization';
  return ourShare === undefined ? 'standard' : 'split';
}

/** A subscription of one charge. */
async function writeSubscription(session: Session, given: PaidGiven, at: Instant): Promise<void> {
  const { id, amount, agentId, isTest = false } = given;
  const known = await session('subscription_charges').select('payment_id').where('payment_id', id);
  if (known.length > 0) return;
  const trackingId = newId();
  await session('subscriptions').insert({
    tracking_id: trackingId,
    agent_id: agentId ?? null,
    amount_millimes: amount,
    terms: '{}',
    is_test: isTest ? 1 : 0,
    request_state: 'made',
    requested_at: at,
    cycles_completed: 0,
    cancel_at_period_end: 0,
    looks: 0,
    failed_looks: 0,
    recorded_by: 'test',
  });
  await session('subscription_charges').insert({
    payment_id: id,
    tracking_id: trackingId,
    status: 'SUCCESS',
    method: 'wallet',
    billing_reason: 'subscription_cycle',
    amount_millimes: amount,
    first_seen_at: at,
    last_look_at: at,
  });
}

function by(at: Instant): { recordedAt: Instant; recordedBy: string } {
  return { recordedAt: at, recordedBy: 'test' };
}
