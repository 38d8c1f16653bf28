import { openBreakStore } from '../../breaks';
import type { Session } from '../../db';
import { type PostedBy, postItem, refundItemId, unnamedRefundItemId } from '../../gateway-items';
import { assert, type BusinessCalendar, type Instant, type Millimes, negateMillimes, SECOND_MS } from '../../kernel';
import type { Payment, PaymentOperation } from '../payment';
import { openPaymentOperations } from '../payment-operation-store';
import { openPaymentStore, type PaymentChange } from '../payment-store';
import { readFacts, type StatusCheckFacts } from '../status-checks/apply-status-check';
import { itemOf } from '../status-checks/decide-status-check';
import { isHeldBack, mismatchBreak } from '../status-checks/webhook-mismatch';

/** A confirmed result of an operation at the gateway. */
export interface DoneOperation {
  /** The captured or refunded amount in millimes; undefined for a cancel, and if the gateway named none. */
  readonly amount: Millimes | undefined;
  readonly refundId: string | undefined;
  /** The gateway's time of the operation. */
  readonly happenedAt: Instant | undefined;
}

/** The gateway needs a moment, and limits the checks of one payment. */
export const CHECK_AFTER_MS = 30 * SECOND_MS;

/** Locks the payment and the operation until the transaction ends. */
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
 * Stores a completed operation: its row, its effect on the payment, its money, and an early status check. An operation
 * that has ended stays unchanged.
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
      // Nothing is reserved any longer, whatever the gateway's status (open point 41). One more status check follows,
      // and an earlier answer does not replace it.
      return { isLive: false, triggeredAt: by.recordedAt };
  }
}

/**
 * Posts a capture, which counts as a success like SUCCESS from Verify Payment, unless a status check has posted it
 * already.
 */
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
  // A later status check posts the money if the payment method is unknown, or if a person must decide first.
  const item = isHeldBack(mismatches) ? undefined : itemOf({ ...payment, ...change });
  if (item === undefined) return change;
  await postItem(session, item, { recordedAt, recordedBy });
  return { ...change, itemId: item.itemId };
}

/**
 * Posts a refund: the integrator's whole share, once, back to its source. Another amount than requested opens a break
 * for a person.
 */
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
