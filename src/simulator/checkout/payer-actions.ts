import type { Simulation } from '../core/simulation';
import type { PaymentType } from './checkout-state';
import type { PayingType } from './next-payment-status';
import { completePayment, type CompletedPayment } from './complete-payment';

/** The customer pays. `late` pays even what has failed or expired. */
export function payPayment(
  simulation: Simulation,
  paymentId: string,
  { type = 'wallet', late = false }: { readonly type?: PayingType; readonly late?: boolean } = {},
): CompletedPayment {
  return completePayment(simulation, paymentId, { outcome: 'success', type, late });
}

/** The customer's payment is refused. `NA` when no method was chosen. */
export function failPayment(
  simulation: Simulation,
  paymentId: string,
  { type = 'wallet' }: { readonly type?: PaymentType } = {},
): CompletedPayment {
  return completePayment(simulation, paymentId, { outcome: 'failure', type });
}
