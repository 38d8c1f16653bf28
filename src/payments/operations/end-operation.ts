import { openBreakStore } from '../../breaks';
import type { Session } from '../../db';
import { type PostedBy, postItem, refundItemId, unnamedRefundItemId } from '../../gateway-items';
import { assert, type BusinessCalendar, type Instant, type Millimes, negateMillimes } from '../../kernel';
import type { Payment, PaymentOperation } from '../payment';
import { openPaymentOperations } from '../payment-operation-store';
import { openPaymentStore, type PaymentChange } from '../payment-store';
import { readFacts, type StatusCheckFacts } from '../status-checks/apply-status-check';
import { itemOf } from '../status-checks/decide-status-check';
import { isHeldBack, mismatchBreak } from '../status-checks/webhook-mismatch';

/** What the gateway is known to have done. */
export interface DoneOperation {
  /** Captured or given back, in millimes; undefined for a cancel, and where the gateway named none. */
  readonly amount: Millimes | undefined;
  readonly refundId: string | undefined;
  /** When the gateway says that it happened. */
  readonly happenedAt: Instant | undefined;
}

/** The gateway needs a moment, and answers about one payment only so often. */
export const CHECK_AFTER_MS = 30_000;

/** The payment and the operation, locked until the transaction ends. */
export async function lockOperation(
  session: Session,
  { id, trackingId }: Pick<PaymentOperation, 'id' | 'trackingId'>,
): Promise<{ readonly payment: Payment; readonly operation: PaymentOperation }> {
  const payment = await openPaymentStore(session).lock(trackingId);
  const operation = await openPaymentOperations(session).find(id);
  assert(payment !== undefined && operation !== undefined, 'an operation and its payment stay');
  return { payment, operation };
}

/**
 * Writes down what was done: the operation, what it makes of the payment, its money, and a status check soon. An
 * operation that has ended stays as it is.
 */
export async function endOperation(
  session: Session,
  key: Pick<PaymentOperation, 'id' | 'trackingId'>,
  done: DoneOperation,
  by: PostedBy & { readonly calendar: BusinessCalendar },
): Promise<{ readonly payment: Payment; readonly operation: PaymentOperation }> {
  const { payment, operation } = await lockOperation(session, key);
  if (operation.state === 'done' || operation.state === 'refused') return { payment, operation };
  const facts = await readFacts(session, payment);
  const { recordedAt } = by;
  const ended = { state: 'done' as const, amount: done.amount, refundId: done.refundId, endedAt: recordedAt };
  const change = { ...(await moneyOf(session, facts, operation, done, by)), nextCheckAt: recordedAt + CHECK_AFTER_MS };
  await openPaymentOperations(session).change(operation.id, { ...ended, error: undefined, nextCheckAt: undefined });
  await openPaymentStore(session).change(payment, change);
  return {
    payment: { ...payment, ...change },
    operation: { ...operation, ...ended, error: undefined, nextCheckAt: undefined },
  };
}

async function moneyOf(
  session: Session,
  facts: StatusCheckFacts,
  operation: PaymentOperation,
  done: DoneOperation,
  by: PostedBy & { readonly calendar: BusinessCalendar },
): Promise<PaymentChange> {
  switch (operation.kind) {
    case 'capture':
      return postCapture(session, facts, operation, done, by);
    case 'refund':
      await postRefund(session, facts, done, by);
      return {};
    case 'cancel':
      // Nothing is held any more, whatever word the gateway has for it (open point 41): the status check that comes is
      // the last, and one that was asked for before does not stand for it.
      return { isLive: false, triggeredAt: by.recordedAt };
  }
}

/** A capture is success (books, "payment verified SUCCESS, or captured"), unless a status check was faster. */
async function postCapture(
  session: Session,
  { payment, mismatches }: StatusCheckFacts,
  { requestedAt }: PaymentOperation,
  { amount, happenedAt }: DoneOperation,
  { recordedAt, recordedBy }: PostedBy,
): Promise<PaymentChange> {
  if (payment.captured !== undefined || payment.itemId !== undefined) return {};
  const change = {
    captured: amount ?? payment.amount,
    succeededAfter: happenedAt ?? requestedAt,
    succeededUntil: happenedAt ?? recordedAt,
  };
  // A hold whose way of payment is not known yet, or that a person must decide about, is posted by a later status
  // check.
  const item = isHeldBack(mismatches) ? undefined : itemOf({ ...payment, ...change });
  if (item === undefined) return change;
  await postItem(session, item, { recordedAt, recordedBy });
  return { ...change, itemId: item.itemId };
}

/** The whole of our share goes back, once, to where it came from; another amount than we asked for is for a person. */
async function postRefund(
  session: Session,
  { payment, item }: StatusCheckFacts,
  { amount, refundId, happenedAt }: DoneOperation,
  by: PostedBy & { readonly calendar: BusinessCalendar },
): Promise<void> {
  if (amount !== undefined && amount !== payment.amount) {
    const mismatch = { field: 'refund_amount', ours: payment.amount, theirs: amount };
    const since = by.calendar.dateOf(by.recordedAt);
    const found = mismatchBreak(payment, mismatch, { source: 'refund', since });
    await openBreakStore(session).openNew([found], by.recordedAt, by.recordedBy);
    return;
  }
  if (item === undefined || payment.gatewayId === undefined) return; // test money
  const back = {
    ...item,
    itemId: refundId === undefined ? unnamedRefundItemId(payment.gatewayId) : refundItemId(refundId),
    amount: negateMillimes(item.amount),
    refundOf: item.itemId,
    occurredAt: happenedAt ?? by.recordedAt,
  };
  await postItem(session, back, { recordedAt: by.recordedAt, recordedBy: by.recordedBy });
}
