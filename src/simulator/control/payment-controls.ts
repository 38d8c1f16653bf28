import { z } from 'zod';
import { AppError, formatInstant } from '../../kernel';
import type { SimPayment } from '../checkout/checkout-state';
import type { CompletedPayment } from '../checkout/complete-payment';
import { findPayment } from '../checkout/find-payment';
import { failPayment, payPayment } from '../checkout/payer-actions';
import { settlementStatusOf } from '../checkout/settlement-status';
import type { Simulation } from '../core/simulation';
import { type ControlRoute, instantOrNull, json } from './control-route';
import { pathPart, readBody } from './read-request';

const payBody = z.strictObject({
  type: z.enum(['card', 'wallet', 'mpayment']).default('wallet'),
  late: z.boolean().default(false),
});
const failBody = z.strictObject({ type: z.enum(['card', 'wallet', 'mpayment', 'NA']).default('wallet') });

const WHY_REFUSED = {
  not_pending: 'is not pending',
  card_not_accepted: 'was created without accept_card',
} as const;

export const paymentControls: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/payments',
    does: 'lists payments, oldest first',
    answer: ({ simulation }) =>
      json({ payments: Object.values(simulation.world.checkout.payments).map((one) => paymentView(simulation, one)) }),
  },
  {
    method: 'GET',
    path: '/payments/:paymentId',
    does: 'returns one payment with all its details',
    answer: ({ simulation }, request) =>
      json(paymentView(simulation, knownPayment(simulation, pathPart(request, 'paymentId')))),
  },
  {
    method: 'POST',
    path: '/payments/:paymentId/pay',
    takes: '`type`: `wallet` (default), `card`, `mpayment`; `late`: also pays a failed or expired one',
    does: 'pays as the customer',
    answer({ simulation }, request) {
      const body = readBody(payBody, request);
      const paymentId = pathPart(request, 'paymentId');
      return json(completedView(simulation, payPayment(simulation, paymentId, body), paymentId));
    },
  },
  {
    method: 'POST',
    path: '/payments/:paymentId/fail',
    takes: '`type`: `wallet` (default), `card`, `mpayment`, `NA`',
    does: 'fails the payment',
    answer({ simulation }, request) {
      const body = readBody(failBody, request);
      const paymentId = pathPart(request, 'paymentId');
      return json(completedView(simulation, failPayment(simulation, paymentId, body), paymentId));
    },
  },
];

export function knownPayment(simulation: Simulation, paymentId: string): SimPayment {
  const payment = findPayment(simulation, paymentId);
  if (payment === undefined) throw new AppError('not_found', { thing: 'payment', id: paymentId });
  return payment;
}

/**
 * Returns the completed payment.
 *
 * @throws AppError `not_found`, or `conflict` when the payment cannot have this outcome.
 */
export function completedOf(completed: CompletedPayment, paymentId: string): SimPayment {
  if (completed.kind === 'completed') return completed.payment;
  if (completed.reason === 'unknown_payment') throw new AppError('not_found', { thing: 'payment', id: paymentId });
  throw new AppError('simulated_state', { fault: `payment ${paymentId} ${WHY_REFUSED[completed.reason]}` });
}

function completedView(simulation: Simulation, completed: CompletedPayment, paymentId: string): unknown {
  return paymentView(simulation, completedOf(completed, paymentId));
}

function paymentView(simulation: Simulation, payment: SimPayment): unknown {
  const { createdAt, expiresAt, settledAt, availableAt, refund } = payment;
  return {
    ...payment,
    settlementStatus: settlementStatusOf(simulation, payment),
    createdAt: formatInstant(createdAt),
    expiresAt: formatInstant(expiresAt),
    settledAt: instantOrNull(settledAt),
    availableAt: instantOrNull(availableAt),
    refund: refund === null ? null : { ...refund, refundedAt: formatInstant(refund.refundedAt) },
  };
}
