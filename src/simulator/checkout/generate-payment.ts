import { good, statusError } from '../core/answers';
import type { SimOperation } from '../core/operation';
import { checkoutLink } from './checkout-link';
import { createPayment } from './create-payment';
import { readGeneratePayment } from './read-generate-payment';

/** Generate Payment, Create Binding, Initiate Pre-Authorization and the split: one path (interface section 4.1). */
export const generatePayment: SimOperation = {
  name: 'payments.create',
  method: 'POST',
  path: '/api/v2/generate_payment',
  auth: 'app',
  answer(simulation, request) {
    const input = readGeneratePayment(request.body);
    if (input === undefined) return statusError(400, 'Bad Request');
    const { paymentId, developerTrackingId } = createPayment(simulation, input);
    return good({
      success: true,
      payment_id: paymentId,
      link: checkoutLink(request, paymentId),
      developer_tracking_id: developerTrackingId,
    });
  },
};
