import type { Simulation } from '../core/simulation';
import { notifySubscription } from './notify-subscription';
import type { CancellationInitiator, CancellationReason, SimSubscription } from './subscription-state';

export interface Ending {
  readonly initiator: CancellationInitiator;
  /** Null if no reason was given. */
  readonly reason: CancellationReason | null;
}

/** Sets a subscription to `canceled` without a notification. */
export function endSubscription(
  simulation: Simulation,
  subscription: SimSubscription,
  { initiator, reason }: Ending,
): void {
  subscription.status = 'canceled';
  subscription.canceledAt = simulation.now();
  subscription.cancellationInitiator = initiator;
  subscription.cancellationReason = reason;
  subscription.nextChargeAt = null;
}

/** Cancels a subscription for a reason other than a charge, and sends a webhook. */
export function cancelNow(simulation: Simulation, subscription: SimSubscription, ending: Ending): void {
  endSubscription(simulation, subscription, ending);
  notifySubscription(simulation, subscription, 'subscription.canceled', null);
}
