import { good, statusError } from '../core/answers';
import type { SimOperation } from '../core/operation';
import type { Simulation } from '../core/simulation';
import type { SimPayment } from './checkout-state';
import { findPayment } from './find-payment';
import { payerOf } from './payer-of';
import { settlementStatusOf } from './settlement-status';
import { refuseRepeatedVerify } from './verify-limit';

/** Verify Payment (interface section 4.1), for payments and for charges of subscriptions. */
export const verifyPayment: SimOperation = {
  name: 'payments.verify',
  method: 'GET',
  path: '/api/v2/verify_payment/:payment_id',
  auth: 'app',
  answer(simulation, { params }) {
    const refused = refuseRepeatedVerify(simulation);
    if (refused !== undefined) return refused;
    const payment = findPayment(simulation, params['payment_id']);
    if (payment === undefined) return statusError(404, 'Payment not found');
    const { type, status, hold, amountMillimes, takenMillimes, developerTrackingId } = payment;
    return good(
      {
        type,
        amount: hold === 'captured' ? takenMillimes : amountMillimes,
        status,
        details: detailsOf(simulation, payment),
        developer_tracking_id: developerTrackingId,
        settlement_status: settlementStatusOf(simulation, payment),
      },
      { beside: { success: true, status_code: 200 } },
    );
  },
};

/** Returns the details. Section 2.1 shows only those of a wallet; the other types have the same ones and a few more. */
function detailsOf(simulation: Simulation, payment: SimPayment): Readonly<Record<string, unknown>> {
  const { status, type, hold, bindingId, destination } = payment;
  if (status === 'FAILURE') {
    // Open point 43: the interface promises a reason but names no field for it.
    const reason = hold === 'cancelled' ? 'cancelled by the merchant' : payerOf(simulation, payment).failureReason;
    return { failure_reason: reason };
  }
  if (status !== 'SUCCESS' && status !== 'PREAUTH_SUCCESS') return {};
  const payer = payerOf(simulation, payment);
  return {
    order_number: payer.orderNumber,
    name: payer.name,
    approval_code: payer.approvalCode,
    phone_number: type === 'card' ? '' : payer.phoneNumber,
    email: payer.email,
    destination: destination.map((part) => ({ amount: part.amount, destination: part.destination })),
    ...(type === 'card' ? { card_last_four: payer.cardLastFour, card_brand: payer.cardBrand } : {}),
    ...(bindingId === null ? {} : { binding_id: bindingId }),
  };
}
