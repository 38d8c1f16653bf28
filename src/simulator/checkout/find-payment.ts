import type { Simulation } from '../core/simulation';
import type { SimPayment } from './checkout-state';

/** Finds the payment of an id from a caller; `undefined` if none exists or the id is not a text. */
export function findPayment({ world }: Simulation, paymentId: unknown): SimPayment | undefined {
  const { payments } = world.checkout;
  return typeof paymentId === 'string' && Object.hasOwn(payments, paymentId) ? payments[paymentId] : undefined;
}
