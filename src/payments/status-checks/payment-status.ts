import type { PaymentOperation } from '../payment';

/** What a status that was read does to the one that is known. */
export type PaymentStatusStep =
  | { readonly kind: 'moved'; readonly status: string }
  | { readonly kind: 'unchanged' }
  /** It was over without money, and has it now: it counts, and a person is told (open point 40). */
  | { readonly kind: 'late_success'; readonly status: string }
  /** The gateway takes back what it said: what is known stays, and a person is told. */
  | { readonly kind: 'regressed' };

const PAID = 'SUCCESS';
const HELD = 'PREAUTH_SUCCESS';
const NOT_PAID: ReadonlySet<string> = new Set(['FAILURE', 'EXPIRED']);

/** Whether the gateway's last word is that the payment can no longer be paid. */
export function isNotPaid(status: string | undefined): boolean {
  return status !== undefined && NOT_PAID.has(status);
}

/** Whether the gateway's last word is that the money is there, or held. */
export function isPaidOrHeld(status: string | undefined): boolean {
  return status === PAID || status === HELD;
}

/** The same of a payment whose hold we may have cancelled. Pure. */
export function isPaidOrStillHeld(status: string | undefined, isCancelled: boolean): boolean {
  return status === PAID || (status === HELD && !isCancelled);
}

/** Returns whether Millime's cancel is done: nothing is held, whatever the gateway's status (open point 41). Pure. */
export function isCancelDone(operations: readonly PaymentOperation[]): boolean {
  return operations.some(({ kind, state }) => kind === 'cancel' && state === 'done');
}

/**
 * The next payment status of a hosted checkout (interface 3.1). SUCCESS is never left: what becomes of a refunded
 * payment is not shown (open point 42), and its refund has a record of its own. Words that the interface does not know
 * and SYSTEM_FAILURE are neither paid nor final (open point 15). Pure.
 */
export function nextPaymentStatus(current: string | undefined, observed: string): PaymentStatusStep {
  if (current === observed) return { kind: 'unchanged' };
  if (current === PAID) return { kind: 'regressed' };
  if (isNotPaid(current)) {
    if (isNotPaid(observed)) return { kind: 'moved', status: observed };
    // A hold of a session that was given up is money that a customer waits for, too.
    return isPaidOrHeld(observed) ? { kind: 'late_success', status: observed } : { kind: 'regressed' };
  }
  return current === HELD && observed === 'PENDING' ? { kind: 'regressed' } : { kind: 'moved', status: observed };
}
