import type { CollectingDeps } from '../attempts';
import { applyWebhookEvent } from './apply-webhook-event';
import { openChargeStore } from './charge-store';
import { checkSubscriptionStatus } from './check-subscription';
import { createSubscription } from './create-subscription';
import { importSubscriptionPlan } from './import-plan';
import { pollSubscriptions } from './poll-subscriptions';
import { sendRequestedSubscriptions } from './send-requested';
import { showSubscription } from './show-subscriptions';
import { openSubscriptionStore } from './subscription-store';
import type { Subscriptions } from './subscriptions';

export { SUBSCRIPTION_REQUEST_STATES } from './subscriptions';
export { unendedSubscriptionOf } from './unended-subscription-store';
export type {
  ChargeKey,
  ChargeMirror,
  CreateSubscriptionOutcome,
  SubscriptionKey,
  SubscriptionMirror,
  SubscriptionWebhookEvent,
  SubscriptionRequest,
  Subscriptions,
} from './subscriptions';

export function createSubscriptions(deps: CollectingDeps): Subscriptions {
  return {
    create: (request, options) => createSubscription(deps, request, options),
    importPlan: (file, options) => importSubscriptionPlan(deps, file, options),
    sendRequested: (signal) => sendRequestedSubscriptions(deps, signal),
    applyWebhookEvent: (event) => applyWebhookEvent(deps, event),
    checkStatus: (trackingId, options) => checkSubscriptionStatus(deps, trackingId, options),
    poll: (signal) => pollSubscriptions(deps, signal),
    list: (filter) => deps.database.read((session) => openSubscriptionStore(session).list(filter)),
    charges: (trackingId, query) => deps.database.read((session) => openChargeStore(session).page(trackingId, query)),
    show: (id) => showSubscription(deps, id),
  };
}
