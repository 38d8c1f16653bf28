import { MINUTE_MS } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { periodInstant } from './billing-cycle';
import { planFee } from './charge-fee';
import { paymentOf } from './charge-payment';
import { planCharge } from './debit';
import { endSubscription } from './end-subscription';
import { findCharge, hasEnded } from './find-subscription';
import { notifySubscription } from './notify-subscription';
import type { SimCharge, SimSubscription } from './subscription-state';

export const CHARGE_COMPLETED = 'subscription.charge_settled';

/** Updates the subscription after one of its payments was paid, failed or expired (interface section 3.2). */
export function completeCharge(simulation: Simulation, { paymentId }: Readonly<Record<string, string | number>>): void {
  const found = findCharge(simulation, String(paymentId));
  if (found === undefined) return;
  const { subscription, charge } = found;
  const { status } = paymentOf(simulation, charge);
  // A payment that fails and is paid late at one instant causes two of these events, and both find it paid.
  if (status === charge.movedBy) return;
  charge.movedBy = status;
  if (status === 'SUCCESS') {
    planFee(simulation, charge);
    chargeSucceeded(simulation, subscription, charge);
  } else if (charge.billingReason === 'subscription_create') {
    firstChargeLost(simulation, subscription, charge);
  } else {
    chargeFailed(simulation, subscription, charge);
  }
}

function chargeSucceeded(simulation: Simulation, subscription: SimSubscription, charge: SimCharge): void {
  const before = subscription.status;
  // Paid too late: the event is sent and the subscription stays unchanged. The integrator must handle this (open point
  // 40).
  if (hasEnded(subscription) || charge.period < subscription.nextPeriod) {
    return notifySubscription(simulation, subscription, 'subscription.charge.succeeded', charge);
  }
  beginPeriod(simulation, subscription, charge);
  if (before === 'incomplete') notifySubscription(simulation, subscription, 'subscription.activated', charge);
  notifySubscription(simulation, subscription, 'subscription.charge.succeeded', charge);
  // Open point 45: an `unpaid` subscription is reactivated the same way if a debit succeeds.
  if (before === 'past_due' || before === 'unpaid') {
    notifySubscription(simulation, subscription, 'subscription.reactivated', charge);
  }
  const { maxCycles } = subscription.terms;
  if (maxCycles !== null && subscription.cyclesCompleted >= maxCycles) {
    endSubscription(simulation, subscription, { initiator: 'system', reason: 'completed' });
    notifySubscription(simulation, subscription, 'subscription.completed', charge);
  }
}

/**
 * Starts a period. The first success anchors all periods: each begins whole intervals later, at the anchor's local
 * time.
 */
function beginPeriod(simulation: Simulation, subscription: SimSubscription, { period }: SimCharge): void {
  const activatedAt = (subscription.activatedAt ??= simulation.now());
  const startOf = (each: number): number => periodInstant(simulation.calendar, activatedAt, subscription.terms, each);
  subscription.status = 'active';
  subscription.currentPeriodStart = startOf(period);
  subscription.currentPeriodEnd = startOf(period + 1);
  subscription.cyclesCompleted += 1;
  subscription.nextPeriod = period + 1;
  subscription.nextAttempt = 0;
  // Retries may take longer than short periods. No period is skipped: one that has already begun is debited
  // immediately.
  planCharge(simulation, subscription, Math.max(startOf(period + 1), simulation.now()));
}

function firstChargeLost(simulation: Simulation, subscription: SimSubscription, charge: SimCharge): void {
  // A subscription canceled before its first payment ends its checkout too; no event follows.
  if (subscription.status !== 'incomplete') return;
  subscription.status = 'incomplete_expired';
  notifySubscription(simulation, subscription, 'subscription.incomplete_expired', charge);
}

function chargeFailed(simulation: Simulation, subscription: SimSubscription, charge: SimCharge): void {
  const before = subscription.status;
  const stillOwed = charge.period === subscription.nextPeriod;
  if (stillOwed) subscription.nextAttempt = charge.attempt + 1;
  if (stillOwed && (before === 'active' || before === 'past_due')) owePeriod(simulation, subscription, charge);
  notifySubscription(simulation, subscription, 'subscription.charge.failed', charge);
  const { status } = subscription;
  if (status === before) return;
  if (status === 'past_due') notifySubscription(simulation, subscription, 'subscription.past_due', charge);
  else if (status === 'unpaid') notifySubscription(simulation, subscription, 'subscription.unpaid', charge);
  else if (status === 'canceled') notifySubscription(simulation, subscription, 'subscription.canceled', charge);
}

/** Plans the retry, or ends the attempts if the settings have no further one. */
function owePeriod(simulation: Simulation, subscription: SimSubscription, { attempt }: SimCharge): void {
  const { retryAfterMinutes, whenExhausted } = simulation.settings.subscriptions;
  const waitMinutes = retryAfterMinutes[attempt];
  if (waitMinutes !== undefined) {
    subscription.status = 'past_due';
    planCharge(simulation, subscription, simulation.now() + waitMinutes * MINUTE_MS);
  } else if (whenExhausted === 'unpaid') {
    subscription.status = 'unpaid';
  } else {
    endSubscription(simulation, subscription, { initiator: 'system', reason: 'dunning_exhausted' });
  }
}
