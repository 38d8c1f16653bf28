import { AppError } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { type SimCharge, type SimSubscription, trackingKey } from './subscription-state';

export function findSubscription({ world }: Simulation, subscriptionId: string): SimSubscription | undefined {
  const { byId } = world.subscriptions;
  return Object.hasOwn(byId, subscriptionId) ? byId[subscriptionId] : undefined;
}

/**
 * Finds a subscription.
 *
 * @throws AppError `not_found`.
 */
export function knownSubscription(simulation: Simulation, subscriptionId: string): SimSubscription {
  const subscription = findSubscription(simulation, subscriptionId);
  if (subscription === undefined) throw new AppError('not_found', { thing: 'subscription', id: subscriptionId });
  return subscription;
}

export function findByTrackingId(simulation: Simulation, developerTrackingId: string): SimSubscription | undefined {
  const id = simulation.world.subscriptions.idOfTrackingId[trackingKey(developerTrackingId)];
  return id === undefined ? undefined : findSubscription(simulation, id);
}

export interface ChargeOfSubscription {
  readonly subscription: SimSubscription;
  readonly charge: SimCharge;
}

/** Finds the charge of a payment; `undefined` for every other payment. */
export function findCharge(simulation: Simulation, paymentId: string): ChargeOfSubscription | undefined {
  const { idOfPayment } = simulation.world.subscriptions;
  const id = Object.hasOwn(idOfPayment, paymentId) ? idOfPayment[paymentId] : undefined;
  const subscription = id === undefined ? undefined : findSubscription(simulation, id);
  const charge = subscription?.charges.find((each) => each.paymentId === paymentId);
  return subscription === undefined || charge === undefined ? undefined : { subscription, charge };
}

/** Returns whether a subscription has ended. An ended subscription never changes. */
export function hasEnded({ status }: SimSubscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}
