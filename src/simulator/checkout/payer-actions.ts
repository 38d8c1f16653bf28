import type { Simulation } from '../core/simulation';
import type { PaymentType } from './checkout-state';
import type { PayingType } from './next-payment-status';
import { settlePayment, type SettledPayment } from './settle-payment';

/** The customer pays. `late` pays even what has failed or expired. */
export function payPayment(
  simulation: Simulation,
  paymentId: string,
  { type = 'wallet', late = false }: { readonly type?: PayingType; readonly late?: boolean } = {},
): SettledPayment {
  return settlePayment(simulation, paymentId, { outcome: 'success', type, late });
}

/** The customer's payment is refused. `NA` when he never came to choose a method. */
export function failPayment(
  simulation: Simulation,
  paymentId: string,
  { type = 'wallet' }: { readonly type?: PaymentType } = {},
): SettledPayment {
  return settlePayment(simulation, paymentId, { outcome: 'failure', type });
}
