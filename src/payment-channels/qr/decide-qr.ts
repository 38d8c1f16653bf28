import { type GatewayItem, paymentItemId } from '../../gateway-items';
import { addMillimes, DAY_MS, type Millimes, ZERO_MILLIMES } from '../../kernel';
import type { ChannelDecision, ChannelFacts, FoundByStatusCheck, Mismatch, Payment } from '../../payments';
import type { ListedQrPayment } from './qr-answer';
import type { QrPayment } from './qr-store';

/**
 * How long a code is followed after its creation or its last payment; later payments are found in the merchant's
 * history.
 */
const QR_FOLLOWED_MS = 7 * DAY_MS;
/** Millime's word for a payment that was listed and no longer is. */
const VANISHED = 'vanished';

export interface QrFacts extends ChannelFacts {
  /** Every payment of the code, oldest first. */
  readonly listed: readonly ListedQrPayment[];
  /** The stored ones of the listed payments, and all stored payments of this code, by the gateway's id. */
  readonly known: ReadonlyMap<string, QrPayment>;
}

export interface QrDecision extends ChannelDecision {
  readonly added: readonly QrPayment[];
  /** Payments of the merchant's history that belong to this code. */
  readonly linked: readonly string[];
  /** The new items of payments that were stored before. */
  readonly posted: readonly { readonly transactionUniqueId: string; readonly itemId: string }[];
  /**
   * The code was paid more than once, or a stored payment is no longer listed. The amount changes with every payment.
   */
  readonly growing: readonly FoundByStatusCheck[];
}

/**
 * Decides what the payments of a QR code mean (interface section 4.5). Each is a separate item. A payment that differs
 * from the request, or that the merchant's history reported first, is not posted here. Pure.
 */
export function decideQr(facts: QrFacts): QrDecision {
  const { payment, observedAt, listed, known } = facts;
  const vanished = vanishedOf(facts);
  // A payment that vanished from the list still counts as paid.
  const paid = [...vanished, ...listed].sort((one, other) => one.paidAt - other.paidAt);
  const mismatches = listed.flatMap((each) => mismatchOf(payment, each, known.get(each.transactionUniqueId)));
  const isHeld = facts.isHeld(mismatches);
  const mayPost = !isHeld && !payment.isTest;
  const items: GatewayItem[] = [];
  const added: QrPayment[] = [];
  const posted: QrDecision['posted'][number][] = [];
  const linked: string[] = [];
  const wronglyPosted: FoundByStatusCheck[] = [];
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
      if (before.itemId !== undefined) wronglyPosted.push(...agentMismatch(payment, transactionUniqueId));
    }
    if (item !== undefined) posted.push({ transactionUniqueId, itemId: item.itemId });
  }
  return {
    change: changeOf(facts, paid, isHeld),
    items,
    breaks: wronglyPosted,
    mismatches,
    added,
    linked,
    posted,
    growing: [
      ...(paid.length > 1 ? [paidTwiceOf(payment, paid)] : []),
      ...(vanished.length > 0 ? [vanishedBreak(vanished)] : []),
    ],
  };
}

/** Returns whether a payment belongs to this code, has its amount, and is not posted yet. */
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

/**
 * Opens a break for a payment that the merchant's history reported first and that was posted as a customer's. It is not
 * posted again: a person moves it to the agent.
 */
function agentMismatch({ agentId }: Payment, transactionUniqueId: string): readonly FoundByStatusCheck[] {
  if (agentId === undefined) return [];
  const field = `agent:${transactionUniqueId}`;
  const facts = { source: 'qr_history', field, ours: agentId, theirs: 'posted as a customer payment' };
  return [{ breakClass: 'webhook_mismatch', detail: field, facts }];
}

function itemOf({ agentId }: Payment, { transactionUniqueId, amount, paidAt }: ListedQrPayment): GatewayItem {
  const itemId = paymentItemId(transactionUniqueId);
  return { itemId, channel: 'qr', amount, agentId, refundOf: undefined, occurredAt: paidAt };
}

/** Returns stored payments of this code that the gateway no longer lists. They stay stored. */
function vanishedOf({ payment, listed, known }: QrFacts): readonly QrPayment[] {
  const named = new Set(listed.map(({ transactionUniqueId }) => transactionUniqueId));
  return [...known.values()].filter(
    ({ trackingId, transactionUniqueId }) => trackingId === payment.trackingId && !named.has(transactionUniqueId),
  );
}

function changeOf(
  { startedAt, nextCheck }: QrFacts,
  paid: readonly ListedQrPayment[],
  isHeld: boolean,
): ChannelDecision['change'] {
  const [first] = paid;
  const lastPaidAt = paid.at(-1)?.paidAt ?? 0;
  const followedUntil = isHeld ? Infinity : Math.max(startedAt, lastPaidAt) + QR_FOLLOWED_MS;
  return {
    status: first === undefined ? 'PENDING' : 'SUCCESS',
    ...(first === undefined ? {} : { succeededAfter: first.paidAt, succeededUntil: first.paidAt }),
    ...(first?.channel === undefined ? {} : { method: first.channel }),
    nextCheckAt: nextCheck(followedUntil),
  };
}

function paidTwiceOf({ amount }: Payment, paid: readonly ListedQrPayment[]): FoundByStatusCheck {
  const facts = { payments: paid.length, askedMillimes: amount };
  return { breakClass: 'qr_paid_twice', amount: sumOf(paid.slice(1)), facts, itemIds: itemIdsOf(paid) };
}

function vanishedBreak(vanished: readonly ListedQrPayment[]): FoundByStatusCheck {
  const facts = { of: 'status', from: 'SUCCESS', to: VANISHED, payments: vanished.length };
  const breakClass = 'settlement_regressed';
  return { breakClass, detail: VANISHED, amount: sumOf(vanished), facts, itemIds: itemIdsOf(vanished) };
}

function sumOf(paid: readonly ListedQrPayment[]): Millimes {
  return paid.reduce((sum, { amount }) => addMillimes(sum, amount), ZERO_MILLIMES);
}

function itemIdsOf(paid: readonly ListedQrPayment[]): readonly string[] {
  return paid.map(({ transactionUniqueId }) => paymentItemId(transactionUniqueId));
}
