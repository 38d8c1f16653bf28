import { UNKNOWN_FOLLOWED_MS } from '../../attempts';
import { DAY_MS, HOUR_MS, type Instant, type Millimes, MINUTE_MS } from '../../kernel';
import type { Payment, PaymentOperation } from '../payment';
import { isNotPaid } from '../status-checks/payment-status';

/** When an unknown outcome is checked: after 5 minutes, an hour, then daily for five days (open point 129). */
export const CHECK_FIRST_AFTER_MS = 5 * MINUTE_MS;
const CHECK_SECOND_AFTER_MS = HOUR_MS;

/** What a status check shows about an operation of unknown outcome. */
export type OperationVerdict =
  | { readonly kind: 'done'; readonly amount: Millimes | undefined }
  /** The payment has a state that rules the operation out. */
  | { readonly kind: 'not_done'; readonly reason: string }
  /** Undefined: the checks end, and a person must resolve it. */
  | { readonly kind: 'open'; readonly nextCheckAt: Instant | undefined };

/**
 * Decides about an operation by its payment's state after the operation was sent. `lastStatus` is the gateway's last
 * status. An unchanged payment proves nothing, because the operation may still be in transit. Pure.
 */
export function decideOperation(
  operation: PaymentOperation,
  { payment, lastStatus }: { readonly payment: Payment; readonly lastStatus: string },
  now: Instant,
): OperationVerdict {
  const { status, settlementStatus, captured, amount } = payment;
  const isEnded = isNotPaid(status) || /^cancel/i.test(lastStatus);
  switch (operation.kind) {
    case 'capture':
      if (status === 'SUCCESS') return { kind: 'done', amount: captured ?? operation.amount ?? amount };
      if (isEnded) return { kind: 'not_done', reason: `the hold has ended (${lastStatus})` };
      break;
    case 'cancel':
      if (isEnded) return { kind: 'done', amount: undefined };
      if (status === 'SUCCESS') return { kind: 'not_done', reason: 'the held money was captured' };
      break;
    case 'refund':
      if (settlementStatus === 'NOT_APPLICABLE' || /^refund/i.test(lastStatus)) {
        return { kind: 'done', amount: undefined };
      }
  }
  return { kind: 'open', nextCheckAt: nextCheck(operation, now) };
}

function nextCheck({ checks, requestedAt }: PaymentOperation, now: Instant): Instant | undefined {
  if (checks === 0) return now + CHECK_SECOND_AFTER_MS;
  return now < requestedAt + UNKNOWN_FOLLOWED_MS ? now + DAY_MS : undefined;
}
