import type { Session } from '../../db';
import { AppError, assert, millimes, newId, type Instant, type Millimes } from '../../kernel';
import {
  agentReceivable,
  GATEWAY_FEES,
  GATEWAY_FEES_TVA,
  gatewayClearing,
  moved,
  openLedger,
  PAYMENTS_RECEIVED,
  type Account,
} from '../../ledger';
import { openItemStore, type GatewayItem, type ItemStore } from './item-store';

/** Who writes, and when. */
export interface PostedBy {
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/**
 * Puts the money of one item in the books, once: a payment debits what the gateway owes and credits its source (the
 * agent whose due it pays, or the customers), a refund the other way round. An item of 0, as when a split gives all to
 * others, is not posted. A refund is of an item in the books, with its channel and its agent.
 *
 * Two processes at once: one of them fails with `duplicate_key`, and finds the item when it runs again.
 *
 * @returns false when the item was in the books already, or is worth nothing.
 * @throws AppError `conflict` when the item is in the books with another content, when more would be refunded than was
 * paid, or when the agent's balance would be larger than can be counted.
 */
export async function postItem(session: Session, item: GatewayItem, by: PostedBy): Promise<boolean> {
  const items = openItemStore(session);
  if (item.amount === 0) return false;
  assert(item.amount < 0 === (item.refundOf !== undefined), 'a refund takes back an item, a payment none');
  const known = await items.find(item.itemId);
  if (known !== undefined) {
    requireSame(known, item);
    return false;
  }
  if (item.refundOf !== undefined) await requireRefundable(items, item, item.refundOf);
  const ledgerTransactionId = newId();
  await items.add(item, ledgerTransactionId, by.recordedAt);
  await openLedger(session).post([
    {
      id: ledgerTransactionId,
      reference: item.itemId,
      code: item.refundOf === undefined ? 'payment' : 'refund',
      occurredAt: item.occurredAt,
      ...by,
      postings: [moved(gatewayClearing(item.channel), sourceOf(item), item.amount)],
    },
  ]);
  return true;
}

/** What a fee report did to the books. */
export type FeeOutcome = 'unchanged' | 'posted' | 'corrected';

/**
 * Puts the fee and the TVA of an item in the books: once (`fee:<item>`), and when a later report differs the difference
 * (`fee-fix:<item>`, from the third report on with a number). The item must be in the books.
 *
 * @returns `corrected` when the report differs from an earlier one: the caller opens `fee_unexplained`.
 * @throws AppError `conflict` when the difference is larger than can be counted.
 */
export async function postFee(
  session: Session,
  report: { readonly itemId: string; readonly fee: Millimes; readonly tva: Millimes; readonly occurredAt: Instant },
  by: PostedBy,
): Promise<FeeOutcome> {
  const items = openItemStore(session);
  const item = await items.find(report.itemId);
  assert(item !== undefined, 'a fee is of an item in the books');
  const known = await items.fees(report.itemId);
  const fee = feeDifference(
    report.fee,
    known.map((each) => each.fee),
  );
  const tva = feeDifference(
    report.tva,
    known.map((each) => each.tva),
  );
  // A first report of 0 is noted, so that a later one is seen to differ.
  if (known.length > 0 && fee === 0 && tva === 0) return 'unchanged';
  const reference = feeReference(report.itemId, known.length);
  const ledgerTransactionId = newId();
  const clearing = gatewayClearing(item.channel);
  const postings = [
    ...(fee === 0 ? [] : [moved(GATEWAY_FEES, clearing, fee)]),
    ...(tva === 0 ? [] : [moved(GATEWAY_FEES_TVA, clearing, tva)]),
  ];
  await items.addFee(
    { reference, itemId: item.itemId, channel: item.channel, fee, tva },
    ledgerTransactionId,
    by.recordedAt,
  );
  if (postings.length > 0) {
    const code = known.length === 0 ? 'fee' : 'fee_correction';
    await openLedger(session).post([
      { id: ledgerTransactionId, reference, code, occurredAt: report.occurredAt, ...by, postings },
    ]);
  }
  return known.length === 0 ? 'posted' : 'corrected';
}

/** Money with the same name and another content would be lost in silence if it were taken for posted. */
function requireSame(known: GatewayItem, item: GatewayItem): void {
  const isSame =
    known.channel === item.channel &&
    known.amount === item.amount &&
    known.agentId === item.agentId &&
    known.refundOf === item.refundOf;
  if (!isSame) throw new AppError('conflict', `${item.itemId} is in the books with another amount, channel or source`);
}

async function requireRefundable(items: ItemStore, refund: GatewayItem, refundOf: string): Promise<void> {
  const paid = await items.find(refundOf);
  assert(paid !== undefined && paid.amount > 0, 'a refund takes back a payment in the books');
  assert(paid.channel === refund.channel && paid.agentId === refund.agentId, 'a refund goes back the way it came');
  const refunded = await items.refundedOf(refundOf);
  if (refunded + BigInt(-refund.amount) > BigInt(paid.amount)) {
    throw new AppError('conflict', `${refund.itemId} would take back more than ${refundOf} brought`);
  }
}

/** What a report adds to those before it, which are differences themselves, so that their sum is the report before. */
export function feeDifference(reported: Millimes, before: readonly Millimes[]): Millimes {
  const change = before.reduce((left, each) => left - BigInt(each), BigInt(reported));
  if (!Number.isSafeInteger(Number(change))) {
    throw new AppError('conflict', 'a fee differs from the one before by more than can be counted');
  }
  return millimes(Number(change));
}

export function feeReference(itemId: string, reportsBefore: number): string {
  if (reportsBefore === 0) return `fee:${itemId}`;
  return reportsBefore === 1 ? `fee-fix:${itemId}` : `fee-fix:${itemId}:${reportsBefore}`;
}

function sourceOf({ agentId }: GatewayItem): Account {
  return agentId === undefined ? PAYMENTS_RECEIVED : agentReceivable(agentId);
}
