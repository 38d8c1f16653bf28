import { AppError } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { closeCheckout } from './charge-payment';
import { startDebit } from './debit';
import { cancelNow, type Ending } from './end-subscription';
import { hasEnded, knownSubscription } from './find-subscription';
import { notifySubscription } from './notify-subscription';
import type { CancellationInitiator, SimSubscription } from './subscription-state';

const FAILURES_MAX = 1_000;

export interface Cancellation {
  readonly initiator: CancellationInitiator;
  /** Whether the subscription continues until the end of the paid period; only an `active` subscription has one. */
  readonly atPeriodEnd?: boolean;
}

/**
 * Cancels a subscription immediately, or at the end of its period. The interface shows no operation for this (section
 * 4.7): it stands for the merchant's portal, the customer's wallet or the service.
 *
 * @throws AppError `not_found`; `conflict` when it has ended, or has no paid period.
 */
export function cancelSubscription(
  simulation: Simulation,
  subscriptionId: string,
  { initiator, atPeriodEnd = false }: Cancellation,
): void {
  const subscription = goingOn(simulation, subscriptionId);
  if (!atPeriodEnd) return cancelImmediately(simulation, subscription, { initiator, reason: null });
  if (subscription.status !== 'active') throw refusal(subscription, 'has no paid period to end with');
  if (subscription.endsWithPeriodBy !== null) return;
  subscription.endsWithPeriodBy = initiator;
  notifySubscription(simulation, subscription, 'subscription.updated', null);
}

/**
 * Closes the debited wallet as the customer; the service then cancels the subscription.
 *
 * @throws AppError `not_found`; `conflict` when it has ended.
 */
export function closeCustomerWallet(simulation: Simulation, subscriptionId: string): void {
  const subscription = goingOn(simulation, subscriptionId);
  cancelImmediately(simulation, subscription, { initiator: 'system', reason: 'customer_wallet_closed' });
}

/**
 * Fails the next debits, `times` of them, including retries; 0 removes the order.
 *
 * @throws AppError `not_found`; `conflict` when it has ended; `bad_input` for a number outside 0 to 1,000.
 */
export function failNextRenewal(simulation: Simulation, subscriptionId: string, times: number): void {
  if (!Number.isSafeInteger(times) || times < 0 || times > FAILURES_MAX) {
    throw new AppError('bad_input', {
      field: 'times',
      expected: `a whole number from 0 to ${FAILURES_MAX}`,
      got: times,
    });
  }
  goingOn(simulation, subscriptionId).debitsToFail = times;
}

/**
 * Makes the next debit now: the renewal before its time, or the next retry. It still pays the period that is due next.
 * An `unpaid` subscription has no attempt left (section 6.4); it is reactivated when one of its failed charges is paid
 * late.
 *
 * @throws AppError `not_found`; `conflict` when it has ended, is not activated, is `unpaid`, ends with its period, or a
 * debit is in flight.
 */
export function renewNow(simulation: Simulation, subscriptionId: string): void {
  const subscription = goingOn(simulation, subscriptionId);
  if (subscription.activatedAt === null) throw refusal(subscription, 'is not activated');
  if (subscription.status === 'unpaid') throw refusal(subscription, 'has no retry left; pay its last charge late');
  if (subscription.status === 'active' && subscription.endsWithPeriodBy !== null) {
    throw refusal(subscription, 'ends with its period');
  }
  if (isDebitUnderWay(subscription)) throw refusal(subscription, 'has a debit in flight');
  startDebit(simulation, subscription);
}

/**
 * Returns whether a debit is in flight, or has ended but not updated the subscription yet, so that no period is debited
 * twice.
 */
function isDebitUnderWay({ charges, nextPeriod, nextAttempt }: SimSubscription): boolean {
  const last = charges.at(-1);
  return last?.period === nextPeriod && last.attempt === nextAttempt;
}

function cancelImmediately(simulation: Simulation, subscription: SimSubscription, ending: Ending): void {
  const [first] = subscription.charges;
  const unpaid = subscription.status === 'incomplete';
  cancelNow(simulation, subscription, ending);
  // A subscription that ended before its activation cannot be paid.
  if (unpaid && first !== undefined) closeCheckout(simulation, first);
}

function goingOn(simulation: Simulation, subscriptionId: string): SimSubscription {
  const subscription = knownSubscription(simulation, subscriptionId);
  if (hasEnded(subscription)) throw refusal(subscription, 'has ended');
  return subscription;
}

function refusal({ subscriptionId, status }: SimSubscription, why: string): AppError {
  return new AppError('simulated_state', { fault: `subscription ${subscriptionId} (${status}) ${why}` });
}
