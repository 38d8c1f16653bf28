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
 * Notifies the integrator of a change, with the current status: call it after each change, in the order of the
 * changes. `charge` is null for events that no charge caused.
 *
 * Only these events go to the subscription's webhook. The payment webhooks of sections 6.2 and 6.3 belong to payments that
 * Generate Payment made; the legacy call that the subscription reference mentions is not sent beside them.
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

/** The body of interface section 6.4, with an event id of its own. */
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
