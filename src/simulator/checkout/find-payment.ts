import type { Simulation } from '../core/simulation';
import type { SimPayment } from './checkout-state';

/** The payment of an id that a caller gave; `undefined` when there is none, or when it is no text. */
export function findPayment({ world }: Simulation, paymentId: unknown): SimPayment | undefined {
  const { payments } = world.checkout;
  return typeof paymentId === 'string' && Object.hasOwn(payments, paymentId) ? payments[paymentId] : undefined;
}
