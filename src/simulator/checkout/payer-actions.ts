import type { Simulation } from '../core/simulation';
import type { PaymentType } from './checkout-state';
import { type CompletedPayment, completePayment } from './complete-payment';
import type { PayingType } from './next-payment-status';

/** Pays as the customer. `late` pays even a failed or expired payment. */
export function payPayment(
  simulation: Simulation,
  paymentId: string,
  { type = 'wallet', late = false }: { readonly type?: PayingType; readonly late?: boolean } = {},
): CompletedPayment {
  return completePayment(simulation, paymentId, { outcome: 'success', type, late });
}

/** Fails the payment as the customer. The type is `NA` if no method was chosen. */
export function failPayment(
  simulation: Simulation,
  paymentId: string,
  { type = 'wallet' }: { readonly type?: PaymentType } = {},
): CompletedPayment {
  return completePayment(simulation, paymentId, { outcome: 'failure', type });
}
