import { good, wordError } from '../core/answers';
import { gatewayTimestamp } from '../core/gateway-timestamp';
import type { SimOperation } from '../core/operation';
import { bodyField } from '../core/requests';
import type { SimPayment } from './checkout-state';
import { recordPayment } from './complete-payment';
import { findPayment } from './find-payment';
import { takeMoney } from './payment-money';

const DIGITS = /^[1-9]\d{0,15}$/;

/**
 * Confirm Payment: captures all or part of the reserved amount, once, and releases the rest (interface section 4.1).
 */
export const confirmPayment: SimOperation = {
  name: 'payments.capture',
  method: 'POST',
  path: '/api/v2/confirm_payment',
  auth: 'app',
  answer(simulation, request) {
    const payment = findPayment(simulation, bodyField(request, 'payment_id'));
    if (payment?.hold !== 'held') return wordError('CONFIRMATION_FAILED', 'payment cannot be confirmed');
    const amount = captureAmount(payment, bodyField(request, 'amount'));
    if (amount === undefined) return wordError('CONFIRMATION_FAILED', 'amount cannot be confirmed');
    payment.hold = 'captured';
    payment.status = 'SUCCESS';
    takeMoney(simulation, payment, amount);
    recordPayment(simulation, payment);
    return good(
      {
        payment_id: payment.paymentId,
        status: 'confirmed',
        amount: String(amount),
        confirmed_at: gatewayTimestamp(simulation.now(), simulation.calendar),
      },
      { beside: { status: 'success' } },
    );
  },
};

/**
 * Cancel Payment: releases the reserved amount. The interface does not show the later answer of Verify Payment (open
 * point 41). The simulator answers FAILURE, which distinguishes a cancellation whose answer was lost from one that
 * never arrived.
 */
export const cancelPayment: SimOperation = {
  name: 'payments.cancel',
  method: 'POST',
  path: '/api/v2/cancel_payment',
  auth: 'app',
  answer(simulation, request) {
    const payment = findPayment(simulation, bodyField(request, 'payment_id'));
    if (payment?.hold !== 'held') return wordError('CANCELLATION_FAILED', 'payment cannot be cancelled');
    payment.hold = 'cancelled';
    payment.status = 'FAILURE';
    recordPayment(simulation, payment);
    return good(
      {
        payment_id: payment.paymentId,
        status: 'cancelled',
        cancelled_at: gatewayTimestamp(simulation.now(), simulation.calendar),
      },
      { beside: { status: 'success' } },
    );
  },
};

/** Reads the amount from a text of digits; without one it is the whole reserved amount (open point 56). */
function captureAmount({ amountMillimes }: SimPayment, given: unknown): number | undefined {
  if (given === undefined) return amountMillimes;
  if (typeof given !== 'string' || !DIGITS.test(given)) return undefined;
  const amount = Number(given);
  return amount <= amountMillimes ? amount : undefined;
}
