import type { Simulation } from '../core/simulation';
import type { Payout } from '../payouts/payout';
import type { SimPayment } from './checkout-state';
import { paymentItemId } from './payment-money';

export type SettlementStatus = 'PROCESSING' | 'AVAILABLE' | 'IN_PAYOUT' | 'PAID' | 'NOT_APPLICABLE';

/** Caches an index per list of payouts. A list never changes, because each cut creates a new one. */
const indexes = new WeakMap<readonly Payout[], ReadonlyMap<string, Payout>>();

/** Returns the settlement status of a payment (interface section 3.3). */
export function settlementStatusOf(simulation: Simulation, payment: SimPayment): SettlementStatus {
  const { status, type, availableAt, refund } = payment;
  if (status !== 'SUCCESS' || availableAt === null || refund !== null) return 'NOT_APPLICABLE';
  // Only card payments show the progress of their payout; wallet and mobile switch stay at AVAILABLE.
  if (type !== 'card') return 'AVAILABLE';
  const now = simulation.now();
  if (now < availableAt) return 'PROCESSING';
  const payout = payoutOf(simulation, paymentItemId(payment));
  if (payout === undefined || now < payout.cutAt) return 'AVAILABLE';
  return now < payout.transferAt ? 'IN_PAYOUT' : 'PAID';
}

/** Returns the payout that includes an item; `undefined` while the item is open. */
export function payoutOf({ world }: Simulation, itemId: string): Payout | undefined {
  const { payouts } = world.payoutBook;
  const known =
    indexes.get(payouts) ?? new Map(payouts.flatMap((payout) => payout.lines.map((line) => [line.itemId, payout])));
  indexes.set(payouts, known);
  return known.get(itemId);
}
