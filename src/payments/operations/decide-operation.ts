import type { Instant, Millimes } from '../../kernel';
import type { Payment, PaymentOperation } from '../payment';
import { isNotPaid } from '../status-checks/payment-status';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When an unknown outcome is asked about: after 5 minutes, an hour, then daily for five days (open point 129). */
export const CHECK_FIRST_AFTER_MS = 5 * MINUTE_MS;
const CHECK_SECOND_AFTER_MS = HOUR_MS;
const CHECK_DAYS_MAX = 5;

/** What a status check says about an operation whose outcome nobody knew. */
export type OperationVerdict =
  | { readonly kind: 'done'; readonly amount: Millimes | undefined }
  /** The payment went another way, on which the operation cannot have worked. */
  | { readonly kind: 'not_done'; readonly reason: string }
  /** Undefined: it was asked about long enough, and a person must find out. */
  | { readonly kind: 'open'; readonly nextCheckAt: Instant | undefined };

/**
 * Judges an operation by its payment, as the gateway showed it after the operation was sent. `lastStatus` is the
 * gateway's own last word. That nothing has changed proves nothing: the operation may still be in transit. Pure.
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
      if (status === 'SUCCESS') return { kind: 'not_done', reason: 'what was held was taken' };
      break;
    case 'refund':
      if (settlementStatus === 'NOT_APPLICABLE' || /^refund/i.test(lastStatus))
        return { kind: 'done', amount: undefined };
  }
  return { kind: 'open', nextCheckAt: nextCheck(operation, now) };
}

function nextCheck({ checks, requestedAt }: PaymentOperation, now: Instant): Instant | undefined {
  if (checks === 0) return now + CHECK_SECOND_AFTER_MS;
  return now < requestedAt + CHECK_DAYS_MAX * DAY_MS ? now + DAY_MS : undefined;
}
