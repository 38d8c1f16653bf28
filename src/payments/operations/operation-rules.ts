import type { Millimes } from '../../kernel';
import { isCheckout } from '../attempts/checkout-terms';
import type { Payment, PaymentOperation, PaymentOperationKind } from '../payment';

export interface WantedOperation {
  readonly kind: PaymentOperationKind;
  /** What is to be captured, in millimes; undefined for all that is held. */
  readonly amount: Millimes | undefined;
}

/** Why an operation cannot be asked for by what we know of the payment; undefined when it can. Pure. */
export function operationFault(payment: Payment, { kind }: WantedOperation): string | undefined {
  if (!isCheckout(payment.kind)) return `a ${payment.kind} payment cannot be changed through the gateway`;
  if (payment.gatewayId === undefined || payment.requestState !== 'made') {
    return `the gateway has no such payment that we know of (${payment.requestState})`;
  }
  const status = payment.status ?? 'not looked at yet';
  if (kind === 'refund') {
    const isCaptured = payment.kind === 'preauthorization' && (status === 'SUCCESS' || payment.captured !== undefined);
    // Open point 128: refund is for a completed standard payment.
    if (isCaptured) return 'a captured pre-authorization cannot be refunded through the gateway';
    if (status === 'PREAUTH_SUCCESS') return 'it is only held, so that there is nothing to give back: cancel it';
    if (status !== 'SUCCESS') return `only a payment that succeeded can be refunded; this one is ${status}`;
    const isBooked = payment.itemId !== undefined || payment.isTest;
    return isBooked ? undefined : 'its money is not in the books yet, so that a refund could not be taken from them';
  }
  if (payment.kind !== 'preauthorization') return 'it is no pre-authorization';
  return status === 'PREAUTH_SUCCESS' ? undefined : `nothing is held; the payment is ${status}`;
}

/** Whether a cancel of ours is done: nothing is held, whatever the gateway calls it (open point 41). Pure. */
export function isCancelDone(operations: readonly PaymentOperation[]): boolean {
  return operations.some(({ kind, state }) => kind === 'cancel' && state === 'done');
}

/** Why an amount cannot be captured; undefined when it can (open point 56). Pure. */
export function captureAmountFault({ amount }: Payment, wanted: number | undefined): string | undefined {
  if (wanted === undefined) return undefined;
  const isGood = Number.isSafeInteger(wanted) && wanted >= 1 && wanted <= amount;
  return isGood ? undefined : `amountMillimes must be a whole number from 1 to the ${amount} that are held`;
}
