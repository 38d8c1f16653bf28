import { good, statusError } from '../core/answers';
import type { SimOperation } from '../core/operation';
import { checkoutLink } from './checkout-link';
import { createPayment } from './create-payment';
import { readGeneratePayment } from './read-generate-payment';

/**
 * Generate Payment, Create Binding, Initiate Pre-Authorization and the split share one path (interface section 4.1). A
 * refusal contains only what the interface shows; the trace names the refused field.
 */
export const generatePayment: SimOperation = {
  name: 'payments.create',
  method: 'POST',
  path: '/api/v2/generate_payment',
  auth: 'app',
  answer(simulation, request) {
    const read = readGeneratePayment(request.body);
    if (!read.ok) {
      simulation.record('refused', { operation: generatePayment.name, field: read.field, reason: read.reason });
      return statusError(400, 'Bad Request');
    }
    const { paymentId, developerTrackingId } = createPayment(simulation, read.payment);
    return good({
      success: true,
      payment_id: paymentId,
      link: checkoutLink(request, paymentId),
      developer_tracking_id: developerTrackingId,
    });
  },
};
