import type { PaymentOperation } from '../payment';

/** The effect of an observed status on the stored one. */
export type PaymentStatusStep =
  | { readonly kind: 'moved'; readonly status: string }
  | { readonly kind: 'unchanged' }
  /** It had ended without money and is now paid: the success counts, and a person is notified (open point 40). */
  | { readonly kind: 'late_success'; readonly status: string }
  /** The gateway withdraws an earlier status: the stored one stays, and a person is notified. */
  | { readonly kind: 'regressed' };

const PAID = 'SUCCESS';
const HELD = 'PREAUTH_SUCCESS';
const NOT_PAID: ReadonlySet<string> = new Set(['FAILURE', 'EXPIRED']);

/** Returns whether the gateway's last status means that it can no longer be paid. */
export function isNotPaid(status: string | undefined): boolean {
  return status !== undefined && NOT_PAID.has(status);
}

/** Returns whether the gateway's last status means that the money is paid or reserved. */
export function isPaidOrHeld(status: string | undefined): boolean {
  return status === PAID || status === HELD;
}

/** Returns the same for a payment that Millime may have cancelled. Pure. */
export function isPaidOrStillHeld(status: string | undefined, isCancelled: boolean): boolean {
  return status === PAID || (status === HELD && !isCancelled);
}

/**
 * Returns whether Millime's cancel is done: nothing is reserved, whatever the gateway's status (open point 41). Pure.
 */
export function isCancelDone(operations: readonly PaymentOperation[]): boolean {
  return operations.some(({ kind, state }) => kind === 'cancel' && state === 'done');
}

/**
 * Returns the next payment status of a hosted checkout (interface section 3.1). SUCCESS is final: the interface does
 * not show the status of a refunded payment (open point 42), and its refund has its own record. Unknown words and
 * SYSTEM_FAILURE are neither paid nor final (open point 15). Pure.
 */
export function nextPaymentStatus(current: string | undefined, observed: string): PaymentStatusStep {
  if (current === observed) return { kind: 'unchanged' };
  if (current === PAID) return { kind: 'regressed' };
  if (isNotPaid(current)) {
    if (isNotPaid(observed)) return { kind: 'moved', status: observed };
    // A reservation in a session that had ended is also a customer's money.
    return isPaidOrHeld(observed) ? { kind: 'late_success', status: observed } : { kind: 'regressed' };
  }
  return current === HELD && observed === 'PENDING' ? { kind: 'regressed' } : { kind: 'moved', status: observed };
}
