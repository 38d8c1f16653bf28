import { assert } from '../../kernel';
import type { Simulation } from '../core/simulation';
import type { SimPayment } from './checkout-state';
import { bindPayer } from './client-bindings';
import { findPayment } from './find-payment';
import { nextPaymentStatus, type PaymentOutcome, type PaymentRefusal } from './next-payment-status';
import { notifyCompleted } from './notify-completed';
import { takeMoney } from './payment-money';

export type CompletedPayment =
  | { readonly kind: 'completed'; readonly payment: SimPayment }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal | 'unknown_payment' };

/**
 * Ends a pending payment with the customer's outcome and everything that follows: the money, the binding, the webhook,
 * the subscription's event. A payment that is not pending stays unchanged, unless it succeeds `late`.
 */
export function completePayment(simulation: Simulation, paymentId: string, outcome: PaymentOutcome): CompletedPayment {
  const payment = findPayment(simulation, paymentId);
  if (payment === undefined) return { kind: 'refused', reason: 'unknown_payment' };
  const next = nextPaymentStatus(payment, outcome);
  if (next.kind === 'refused') return next;
  payment.status = next.status;
  payment.type = outcome.type;
  payment.settledAt = simulation.now();
  if (next.status === 'SUCCESS') takeMoney(simulation, payment, payment.amountMillimes);
  if (next.status === 'PREAUTH_SUCCESS') payment.hold = 'held';
  if (outcome.outcome === 'success') bindPayer(simulation, payment);
  recordPayment(simulation, payment);
  notifyCompleted(simulation, payment);
  return { kind: 'completed', payment };
}

/** Ends the session of a payment that was not paid in time. */
export function expirePayment(simulation: Simulation, paymentId: string): void {
  const payment = findPayment(simulation, paymentId);
  assert(payment !== undefined, `no payment ${paymentId} to expire`);
  if (payment.status !== 'PENDING') return;
  payment.status = 'EXPIRED';
  payment.settledAt = simulation.now();
  recordPayment(simulation, payment);
  notifyCompleted(simulation, payment);
}

/** Adds the state of a payment to the trace. */
export function recordPayment(simulation: Simulation, { paymentId, status, type, takenMillimes }: SimPayment): void {
  simulation.record('payment', { paymentId, status, type, takenMillimes });
}
