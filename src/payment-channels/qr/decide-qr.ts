import type { NewBreak, ReconBreak } from '../../breaks';
import { type GatewayItem, paymentItemId } from '../../gateway-items';
import { addMillimes, type BusinessCalendar, type Instant, type Millimes, ZERO_MILLIMES } from '../../kernel';
import {
  DAY_MS,
  type Mismatch,
  mismatchBreak,
  nextChannelCheck,
  type Payment,
  type PaymentChange,
  startOf,
  statusCheckBreak,
  type StatusCheckDecision,
  syncMismatches,
} from '../../payments';
import type { ListedQrPayment } from './qr-answer';
import type { QrPayment } from './qr-store';

/** A code is followed for so long after it was made or last paid; then the merchant's history tells. */
const QR_FOLLOWED_MS = 7 * DAY_MS;
const SOURCE = 'qr_verify';
/** Our word for a payment that was listed and is not any more. */
const VANISHED = 'vanished';

export interface QrFacts {
  readonly payment: Payment;
  readonly observedAt: Instant;
  /** Every payment of the code, the oldest first. */
  readonly listed: readonly ListedQrPayment[];
  /** Those of the listed ones that we know already, and all that we know of this code, by the gateway's id. */
  readonly known: ReadonlyMap<string, QrPayment>;
  readonly mismatches: readonly ReconBreak[];
}

export interface QrDecision extends StatusCheckDecision {
  /** Payments to write down. */
  readonly added: readonly QrPayment[];
  /** Payments of the merchant's history that turned out to be of this code. */
  readonly linked: readonly string[];
  /** What is in the books from now on, of those that were known before. */
  readonly posted: readonly { readonly transactionUniqueId: string; readonly itemId: string }[];
  /** The code was paid more than once, or is listed without what was paid: the amount changes with every payment. */
  readonly growing: readonly NewBreak[];
}

/**
 * What follows from the payments that a QR code has (interface section 4.5). Each is an item of its own; one that is
 * not what was asked for, or that the history told before, is not posted here. Pure.
 */
export function decideQr(calendar: BusinessCalendar, facts: QrFacts): QrDecision {
  const { payment, observedAt, listed, known } = facts;
  const since = calendar.dateOf(observedAt);
  const vanished = vanishedOf(facts);
  // What was paid stays paid.
  const paid = [...vanished, ...listed].sort((one, other) => one.paidAt - other.paidAt);
  const found = listed.flatMap((each) => mismatchOf(payment, each, known.get(each.transactionUniqueId)));
  const synced = syncMismatches(payment, { source: SOURCE, since, found, known: facts.mismatches });
  const { isHeld, breaks, resolve, reopen } = synced;
  const mayPost = !isHeld && !payment.isTest;
  const items: GatewayItem[] = [];
  const added: QrPayment[] = [];
  const posted: QrDecision['posted'][number][] = [];
  const linked: string[] = [];
  const wronglyPosted: NewBreak[] = [];
  for (const each of listed) {
    const { transactionUniqueId } = each;
    const before = known.get(transactionUniqueId);
    const item = mayPost && isToBePosted(payment, each, before) ? itemOf(payment, each) : undefined;
    if (item !== undefined) items.push(item);
    if (before === undefined) {
      added.push({ ...each, trackingId: payment.trackingId, firstSeenAt: observedAt, itemId: item?.itemId });
      continue;
    }
    if (before.trackingId === undefined) {
      linked.push(transactionUniqueId);
      if (before.itemId !== undefined) wronglyPosted.push(...agentMismatch(payment, transactionUniqueId, since));
    }
    if (item !== undefined) posted.push({ transactionUniqueId, itemId: item.itemId });
  }
  return {
    change: changeOf(facts, paid, isHeld),
    items,
    breaks: [...breaks, ...wronglyPosted],
    resolve,
    reopen,
    added,
    linked,
    posted,
    growing: [
      ...(paid.length > 1 ? [paidTwiceOf(payment, paid, since)] : []),
      ...(vanished.length > 0 ? [vanishedBreak(payment, vanished, since)] : []),
    ],
  };
}

/** Only what is of this code, has its amount, and is in no book yet. */
function isToBePosted(payment: Payment, { amount }: ListedQrPayment, before: QrPayment | undefined): boolean {
  const isOfOther = before?.trackingId !== undefined && before.trackingId !== payment.trackingId;
  return amount === payment.amount && !isOfOther && before?.itemId === undefined;
}

function mismatchOf(payment: Payment, listed: ListedQrPayment, before: QrPayment | undefined): readonly Mismatch[] {
  const { transactionUniqueId, amount } = listed;
  if (before?.trackingId !== undefined && before.trackingId !== payment.trackingId) {
    return [{ field: `code:${transactionUniqueId}`, ours: before.trackingId, theirs: payment.trackingId }];
  }
  if (amount === payment.amount) return [];
  return [{ field: `amount:${transactionUniqueId}`, ours: payment.amount, theirs: amount }];
}

/** The history told it first, as a customer's payment. What is posted is not posted again: a person moves it. */
function agentMismatch(payment: Payment, transactionUniqueId: string, since: NewBreak['since']): readonly NewBreak[] {
  if (payment.agentId === undefined) return [];
  const field = `agent:${transactionUniqueId}`;
  const mismatch = { field, ours: payment.agentId, theirs: 'posted as a customer payment' };
  return [mismatchBreak(payment, mismatch, { source: 'qr_history', since })];
}

function itemOf({ agentId }: Payment, { transactionUniqueId, amount, paidAt }: ListedQrPayment): GatewayItem {
  const itemId = paymentItemId(transactionUniqueId);
  return { itemId, channel: 'qr', amount, agentId, refundOf: undefined, occurredAt: paidAt };
}

/** What we had seen of this code and the gateway no longer lists. Kept. */
function vanishedOf({ payment, listed, known }: QrFacts): readonly QrPayment[] {
  const named = new Set(listed.map(({ transactionUniqueId }) => transactionUniqueId));
  return [...known.values()].filter(
    ({ trackingId, transactionUniqueId }) => trackingId === payment.trackingId && !named.has(transactionUniqueId),
  );
}

function changeOf({ payment, observedAt }: QrFacts, paid: readonly ListedQrPayment[], isHeld: boolean): PaymentChange {
  const [first] = paid;
  const lastPaidAt = paid.at(-1)?.paidAt ?? 0;
  const startedAt = startOf(payment);
  const followedUntil = isHeld ? Infinity : Math.max(startedAt, lastPaidAt) + QR_FOLLOWED_MS;
  return {
    status: first === undefined ? 'PENDING' : 'SUCCESS',
    ...(first === undefined ? {} : { succeededAfter: first.paidAt, succeededUntil: first.paidAt }),
    ...(first?.channel === undefined ? {} : { method: first.channel }),
    nextCheckAt: nextChannelCheck({ startedAt, followedUntil }, observedAt),
  };
}

function paidTwiceOf(payment: Payment, paid: readonly ListedQrPayment[], since: NewBreak['since']): NewBreak {
  const facts = { payments: paid.length, askedMillimes: payment.amount };
  const found = statusCheckBreak(payment, { breakClass: 'qr_paid_twice', since, amount: sumOf(paid.slice(1)), facts });
  return withItems(found, paid);
}

function vanishedBreak(payment: Payment, vanished: readonly ListedQrPayment[], since: NewBreak['since']): NewBreak {
  const facts = { of: 'status', from: 'SUCCESS', to: VANISHED, payments: vanished.length };
  const breakClass = 'settlement_regressed';
  const found = statusCheckBreak(payment, { breakClass, detail: VANISHED, since, amount: sumOf(vanished), facts });
  return withItems(found, vanished);
}

function sumOf(paid: readonly ListedQrPayment[]): Millimes {
  return paid.reduce((sum, { amount }) => addMillimes(sum, amount), ZERO_MILLIMES);
}

function withItems(found: NewBreak, paid: readonly ListedQrPayment[]): NewBreak {
  const itemIds = paid.map(({ transactionUniqueId }) => paymentItemId(transactionUniqueId));
  return { ...found, subject: { ...found.subject, itemIds } };
}
