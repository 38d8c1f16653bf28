import { good, wordError } from '../core/answers';
import { gatewayTimestamp } from '../core/gateway-timestamp';
import type { SimOperation } from '../core/operation';
import { bodyField } from '../core/requests';
import type { SimPayment } from './checkout-state';
import { findPayment } from './find-payment';
import { giveMoneyBack } from './payment-money';

/** Refund Payment: refunds a completed standard payment in full, once (interface section 4.1). */
export const refundPayment: SimOperation = {
  name: 'payments.refund',
  method: 'POST',
  path: '/api/v2/refund_payment',
  auth: 'app',
  answer(simulation, request) {
    const payment = findPayment(simulation, bodyField(request, 'payment_id'));
    if (payment === undefined || !isRefundable(payment)) {
      return wordError('REFUND_NOT_ALLOWED', 'payment cannot be refunded');
    }
    const { paymentId, takenMillimes } = payment;
    const refundId = simulation.newId('rf_');
    const refundedAt = simulation.now();
    payment.refund = { refundId, refundedAt };
    giveMoneyBack(simulation, payment, refundId);
    simulation.record('refund', { refundId, paymentId, amountMillimes: takenMillimes });
    return good(
      {
        refund_id: refundId,
        payment_id: paymentId,
        amount: String(takenMillimes),
        status: 'success',
        refunded_at: gatewayTimestamp(refundedAt, simulation.calendar),
      },
      { beside: { status: 'success' } },
    );
  },
};

/**
 * Returns whether a payment is a standard payment. Captured pre-authorizations, splits and charges are not (open point
 * 128). A payment that names a client is, because its request has the form of a standard payment (open point 7).
 */
export function isRefundable({ variant, status, refund }: SimPayment): boolean {
  return (variant === 'standard' || variant === 'binding') && status === 'SUCCESS' && refund === null;
}
