import type { Simulation } from '../core/simulation';
import type { Payout } from '../payouts/payout';
import type { SimPayment } from './checkout-state';
import { paymentItemId } from './payment-money';

export type SettlementStatus = 'PROCESSING' | 'AVAILABLE' | 'IN_PAYOUT' | 'PAID' | 'NOT_APPLICABLE';

/** A list of payouts never changes: the next cut makes a new one. */
const indexes = new WeakMap<readonly Payout[], ReadonlyMap<string, Payout>>();

/** Where the money of a payment is now (interface section 3.3). */
export function settlementStatusOf(simulation: Simulation, payment: SimPayment): SettlementStatus {
  const { status, type, availableAt, refund } = payment;
  if (status !== 'SUCCESS' || availableAt === null || refund !== null) return 'NOT_APPLICABLE';
  // Only a card payment shows how its payout goes on; wallet and mobile switch stay at AVAILABLE.
  if (type !== 'card') return 'AVAILABLE';
  const now = simulation.now();
  if (now < availableAt) return 'PROCESSING';
  const payout = payoutOf(simulation, paymentItemId(payment));
  if (payout === undefined || now < payout.cutAt) return 'AVAILABLE';
  return now < payout.transferAt ? 'IN_PAYOUT' : 'PAID';
}

/** The payout that took an item; `undefined` while it is open. */
export function payoutOf({ world }: Simulation, itemId: string): Payout | undefined {
  const { payouts } = world.payoutBook;
  const known =
    indexes.get(payouts) ?? new Map(payouts.flatMap((payout) => payout.lines.map((line) => [line.itemId, payout])));
  indexes.set(payouts, known);
  return known.get(itemId);
}
