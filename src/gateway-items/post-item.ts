import type { Session } from '../db';
import { AppError, assert, type Instant, type Millimes, millimes, newId } from '../kernel';
import {
  type Account,
  agentReceivable,
  GATEWAY_FEES,
  GATEWAY_FEES_TVA,
  gatewayClearing,
  moved,
  openLedger,
  PAYMENTS_RECEIVED,
} from '../ledger';
import { type GatewayItem, type ItemStore, openItemStore } from './item-store';

/** The actor and the instant of a posting. */
export interface PostedBy {
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/**
 * Posts the money of one item to the ledger, once. A payment debits the channel's clearing account and credits its
 * source: the agent whose due it pays, or the customers. A refund does the opposite. An item of 0 is not posted, such
 * as a split that gives everything to others. A refund names a posted item, and has its channel and its agent.
 *
 * Of two concurrent processes one fails with `duplicate_key`, and finds the item when it runs again.
 *
 * @returns false when the item was posted before, or its amount is 0.
 * @throws AppError `item_differs`, `refund_too_large`, or `balance_too_large` for the balance of the agent.
 */
export async function postItem(session: Session, item: GatewayItem, by: PostedBy): Promise<boolean> {
  const items = openItemStore(session);
  if (item.amount === 0) return false;
  assert(
    item.amount < 0 === (item.refundOf !== undefined),
    'a refund names the item that it refunds, and a payment names none',
  );
  const known = await items.find(item.itemId);
  if (known !== undefined) {
    requireSame(known, item);
    return false;
  }
  if (item.refundOf !== undefined) await requireRefundable(items, item, item.refundOf);
  const ledgerTransactionId = newId();
  await items.add(item, { ledgerTransactionId, recordedAt: by.recordedAt });
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

/** The effect of a fee report on the ledger. */
export type FeeOutcome = 'unchanged' | 'posted' | 'corrected';

/**
 * Posts the fee and the TVA of a posted item to the ledger, in millimes. The first report is posted as `fee:<item>`.
 * The difference of a later report is posted as `fee-fix:<item>`, from the third report on with a number.
 *
 * @returns `corrected` when the report differs from an earlier one: the caller opens `fee_unexplained`.
 * @throws AppError `fee_too_large`.
 */
export async function postFee(
  session: Session,
  report: { readonly itemId: string; readonly fee: Millimes; readonly tva: Millimes; readonly occurredAt: Instant },
  by: PostedBy,
): Promise<FeeOutcome> {
  const items = openItemStore(session);
  const item = await items.find(report.itemId);
  assert(item !== undefined, 'a fee belongs to a posted item');
  const known = await items.fees(report.itemId);
  const { fee, tva } = feeDifference(report, known);
  // A first report of 0 is stored, so that a later report is recognized as a difference.
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
    { ledgerTransactionId, recordedAt: by.recordedAt },
  );
  if (postings.length > 0) {
    const code = known.length === 0 ? 'fee' : 'fee_correction';
    await openLedger(session).post([
      { id: ledgerTransactionId, reference, code, occurredAt: report.occurredAt, ...by, postings },
    ]);
  }
  return known.length === 0 ? 'posted' : 'corrected';
}

/**
 * Requires equal amounts and accounts. Another amount under the same id would be lost silently if it counted as posted.
 */
function requireSame(known: GatewayItem, item: GatewayItem): void {
  const isSame =
    known.channel === item.channel &&
    known.amount === item.amount &&
    known.agentId === item.agentId &&
    known.refundOf === item.refundOf;
  if (!isSame) throw new AppError('item_differs', { itemId: item.itemId });
}

async function requireRefundable(items: ItemStore, refund: GatewayItem, refundOf: string): Promise<void> {
  const paid = await items.find(refundOf);
  assert(paid !== undefined && paid.amount > 0, 'a refund names a posted payment');
  assert(
    paid.channel === refund.channel && paid.agentId === refund.agentId,
    'a refund has the channel and the agent of its payment',
  );
  const refunded = await items.refundedOf(refundOf);
  if (refunded + BigInt(-refund.amount) > BigInt(paid.amount)) {
    throw new AppError('refund_too_large', { itemId: refund.itemId, refundOf });
  }
}

/**
 * Returns the difference between a report and the earlier ones. Those are differences too, so their sum is the last
 * report.
 *
 * @throws AppError `fee_too_large`.
 */
export function feeDifference(
  reported: FeeAmounts & { readonly itemId: string },
  before: readonly FeeAmounts[],
): FeeAmounts {
  const changeOf = (part: keyof FeeAmounts): Millimes => {
    const change = before.reduce((left, each) => left - BigInt(each[part]), BigInt(reported[part]));
    if (!Number.isSafeInteger(Number(change))) throw new AppError('fee_too_large', { itemId: reported.itemId });
    return millimes(Number(change));
  };
  return { fee: changeOf('fee'), tva: changeOf('tva') };
}

/** The fee of an item and the TVA on it, in millimes. */
export interface FeeAmounts {
  readonly fee: Millimes;
  readonly tva: Millimes;
}

export function feeReference(itemId: string, reportsBefore: number): string {
  if (reportsBefore === 0) return `fee:${itemId}`;
  return reportsBefore === 1 ? `fee-fix:${itemId}` : `fee-fix:${itemId}:${reportsBefore}`;
}

function sourceOf({ agentId }: GatewayItem): Account {
  return agentId === undefined ? PAYMENTS_RECEIVED : agentReceivable(agentId);
}
