import { millimes } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { feeOf, NO_FEE } from '../payouts/fee-of';
import { feeRuleOn } from '../payouts/fee-schedule';
import { paymentOf } from './charge-payment';
import { findCharge } from './find-subscription';
import type { SimCharge } from './subscription-state';

export const FEE_COMPUTED = 'subscription.fee_computed';

const FEE_AFTER_MS = 3_600_000;

export function planFee(simulation: Simulation, { paymentId }: SimCharge): void {
  simulation.schedule(simulation.now() + FEE_AFTER_MS, FEE_COMPUTED, { paymentId });
}

/**
 * Computes the fee by the fee schedule of payouts. A rule with the payout as its basis sets no fee for a single charge.
 */
export function computeFee(simulation: Simulation, { paymentId }: Readonly<Record<string, string | number>>): void {
  const found = findCharge(simulation, String(paymentId));
  if (found === undefined) return;
  const { calendar, settings } = simulation;
  const day = calendar.dateOf(simulation.now());
  const rule = feeRuleOn(settings.payouts.fees, { channel: 'subscription', day });
  if (rule?.basis === 'payout') return;
  const { amountMillimes } = paymentOf(simulation, found.charge);
  found.charge.fee = rule === undefined ? NO_FEE : feeOf(millimes(amountMillimes), rule);
}
