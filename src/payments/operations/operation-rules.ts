import type { FieldFault, Millimes } from '../../kernel';
import { isCheckout, type Payment, type PaymentOperationKind } from '../payment';

export interface WantedOperation {
  readonly kind: PaymentOperationKind;
  /** The amount to capture in millimes; undefined for the whole reserved amount. */
  readonly amount: Millimes | undefined;
}

/** Returns why the stored state of the payment forbids an operation; undefined if it permits it. Pure. */
export function operationFault(payment: Payment, { kind }: WantedOperation): string | undefined {
  if (!isCheckout(payment.kind)) return `a ${payment.kind} payment cannot be changed through the gateway`;
  if (payment.gatewayId === undefined || payment.requestState !== 'made') {
    return `the payment is not created at the gateway (${payment.requestState})`;
  }
  const status = payment.status ?? 'not checked yet';
  if (kind === 'refund') {
    const isCaptured = payment.kind === 'preauthorization' && (status === 'SUCCESS' || payment.captured !== undefined);
    // Open point 128: only completed standard payments can be refunded.
    if (isCaptured) return 'a captured pre-authorization cannot be refunded through the gateway';
    if (status === 'PREAUTH_SUCCESS') return 'the money is only held; cancel the payment';
    if (status !== 'SUCCESS') return `expected a payment that succeeded, got ${status}`;
    const isBooked = payment.itemId !== undefined || payment.isTest;
    return isBooked ? undefined : 'its money is not posted yet; check the payment first';
  }
  if (payment.kind !== 'preauthorization') return 'the payment is not a pre-authorization';
  return status === 'PREAUTH_SUCCESS' ? undefined : `the payment holds nothing (${status})`;
}

/** Returns why an amount cannot be captured; undefined if it can (open point 56). Pure. */
export function captureAmountFault({ amount }: Payment, wanted: number | undefined): FieldFault | undefined {
  if (wanted === undefined || (Number.isSafeInteger(wanted) && wanted >= 1 && wanted <= amount)) return undefined;
  return { field: 'amountMillimes', expected: `whole millimes from 1 to ${amount}, the held amount`, got: wanted };
}
