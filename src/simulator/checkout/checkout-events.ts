import { z } from 'zod';
import type { TimelineHandlers } from '../core/timeline';
import { completePayment, expirePayment } from './complete-payment';

const expiry = z.object({ paymentId: z.string() });
const payerStep = z.object({
  paymentId: z.string(),
  outcome: z.enum(['success', 'failure', 'system_failure']),
  type: z.enum(['card', 'wallet', 'mpayment']),
  late: z.union([z.literal(0), z.literal(1)]),
});

export const checkoutEvents: TimelineHandlers = {
  'payment.expire': (simulation, data) => expirePayment(simulation, expiry.parse(data).paymentId),
  /** Performs an action of an automatic customer. It has no effect if the payment has already ended. */
  'payment.payer': (simulation, data) => {
    const { paymentId, outcome, type, late } = payerStep.parse(data);
    completePayment(
      simulation,
      paymentId,
      outcome === 'success' ? { outcome, type, late: late === 1 } : { outcome, type },
    );
  },
};
