import { gatewayTimestamp } from '../core/gateway-timestamp';
import type { Simulation } from '../core/simulation';
import { emitWebhook } from '../webhooks/emit-webhook';
import type { SimCharge, SimSubscription } from './subscription-state';

/** The events of interface section 6.4. */
export type SubscriptionEventName =
  | 'subscription.activated'
  | 'subscription.incomplete_expired'
  | 'subscription.charge.succeeded'
  | 'subscription.charge.failed'
  | 'subscription.past_due'
  | 'subscription.reactivated'
  | 'subscription.unpaid'
  | 'subscription.canceled'
  | 'subscription.completed'
  | 'subscription.updated';

/**
 * Sends the integrator an event with the current status: call it after each change, in the order of the changes.
 * `charge` is null for events that no charge caused.
 *
 * The subscription's webhook receives only these events. The payment webhooks of sections 6.2 and 6.3 belong to
 * payments of Generate Payment. The simulator does not send the legacy call that the subscription reference mentions.
 */
export function notifySubscription(
  simulation: Simulation,
  subscription: SimSubscription,
  event: SubscriptionEventName,
  charge: SimCharge | null,
): void {
  const { subscriptionId, status, terms } = subscription;
  simulation.record('subscription', { subscriptionId, event, status, paymentId: charge?.paymentId ?? null });
  if (terms.webhook === null) return;
  const body = subscriptionEventBody(simulation, subscription, event, charge);
  emitWebhook(simulation, { kind: 'subscription', url: terms.webhook, event, body });
}

/** Builds the body of interface section 6.4, with a new event id. */
export function subscriptionEventBody(
  simulation: Simulation,
  { subscriptionId, status, terms }: SimSubscription,
  event: SubscriptionEventName,
  charge: SimCharge | null,
): Readonly<Record<string, unknown>> {
  // An unpaid first charge covers no period.
  const covered = event === 'subscription.incomplete_expired' ? null : charge;
  return {
    event,
    event_id: simulation.newId('evt_'),
    created: gatewayTimestamp(simulation.now(), simulation.calendar),
    subscription_id: subscriptionId,
    payment_id: charge?.paymentId ?? null,
    status,
    developer_tracking_id: terms.developerTrackingId,
    amount: terms.amountMillimes,
    currency: 'TND',
    period_start: covered?.periodStart ?? null,
    period_end: covered?.periodEnd ?? null,
    attempt: covered?.attempt ?? null,
    payment_method: 'service',
  };
}
