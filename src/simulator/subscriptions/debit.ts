import type { Instant } from '../../kernel';
import { completePayment } from '../checkout/complete-payment';
import { magicPayerOf } from '../core/magic-amounts';
import type { Simulation } from '../core/simulation';
import { periodDay } from './billing-cycle';
import { isInFlight, openDebit } from './charge-payment';
import { cancelNow } from './end-subscription';
import { type ChargeOfSubscription, findCharge, findSubscription, hasEnded } from './find-subscription';
import type { SimSubscription } from './subscription-state';

export const CHARGE_DUE = 'subscription.charge_due';
export const DEBIT = 'subscription.debit';

/** How long the wallet takes to decide; until then the charge is pending. */
const DEBIT_MS = 5_000;

/** Plans the next debit. It replaces an earlier plan for another instant. */
export function planCharge(simulation: Simulation, subscription: SimSubscription, at: Instant): void {
  subscription.nextChargeAt = at;
  simulation.schedule(at, CHARGE_DUE, { subscriptionId: subscription.subscriptionId, dueAt: at });
}

/** Makes the debit that was planned for `dueAt`, unless the plan has changed. */
export function chargeWhenDue(
  simulation: Simulation,
  { subscriptionId, dueAt }: Readonly<Record<string, string | number>>,
): void {
  const subscription = findSubscription(simulation, String(subscriptionId));
  if (subscription === undefined || subscription.nextChargeAt !== dueAt) return;
  if (subscription.status === 'active' && subscription.endsWithPeriodBy !== null) {
    cancelNow(simulation, subscription, { initiator: subscription.endsWithPeriodBy, reason: 'at_period_end' });
  } else {
    startDebit(simulation, subscription);
  }
}

/** Starts to debit the wallet for the next period; the result is known a moment later. */
export function startDebit(simulation: Simulation, subscription: SimSubscription): void {
  const { terms, nextPeriod, nextAttempt, activatedAt } = subscription;
  const anchor = simulation.calendar.dateOf(activatedAt ?? subscription.createdAt);
  const { paymentId } = openDebit(simulation, subscription, {
    billingReason: nextAttempt === 0 ? 'subscription_cycle' : 'subscription_retry',
    attempt: nextAttempt,
    period: nextPeriod,
    periodStart: periodDay(anchor, terms, nextPeriod),
    periodEnd: periodDay(anchor, terms, nextPeriod + 1),
  });
  subscription.nextChargeAt = null;
  simulation.schedule(simulation.now() + DEBIT_MS, DEBIT, { paymentId });
}

/** Debits the wallet, which may refuse. */
export function debitWallet(simulation: Simulation, { paymentId }: Readonly<Record<string, string | number>>): void {
  const found = findCharge(simulation, String(paymentId));
  // A person may have paid or failed it in between.
  if (found === undefined || !isInFlight(simulation, found.charge)) return;
  const outcome = debitFails(simulation, found) ? 'failure' : 'success';
  completePayment(simulation, found.charge.paymentId, { outcome, type: 'wallet' });
}

function debitFails(simulation: Simulation, { subscription, charge }: ChargeOfSubscription): boolean {
  // Drawn every time, so that an ordered failure does not change later random numbers.
  const byChance = simulation.random.chance(simulation.settings.subscriptions.failurePpm);
  // The debit is no longer allowed, or the period was paid meanwhile.
  if (hasEnded(subscription) || charge.period < subscription.nextPeriod) return true;
  if (subscription.debitsToFail > 0) {
    subscription.debitsToFail -= 1;
    return true;
  }
  return byChance || magicPayerOf(subscription.terms.amountMillimes) === 'renewals_fail';
}
