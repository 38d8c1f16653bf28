import type { PaymentsDeps } from '../payments';
import { createSubscription } from './create-subscription';
import { importSubscriptionPlan } from './import-plan';
import { lookAtSubscription } from './look-subscription';
import { pollSubscriptions } from './poll-subscriptions';
import { sendRequestedSubscriptions } from './send-requested';
import { listSubscriptions, showSubscription } from './show-subscriptions';
import type { Subscriptions } from './subscriptions';
import { takeSubscriptionNews } from './take-news';

export type {
  ChargeMirror,
  CreateSubscriptionOutcome,
  SubscriptionFilter,
  SubscriptionLookOutcome,
  SubscriptionMirror,
  SubscriptionNews,
  SubscriptionNewsOutcome,
  SubscriptionRequest,
  Subscriptions,
} from './subscriptions';

export function createSubscriptions(deps: PaymentsDeps): Subscriptions {
  return {
    create: (request, options) => createSubscription(deps, request, options),
    importPlan: (file, options) => importSubscriptionPlan(deps, file, options),
    sendRequested: (signal) => sendRequestedSubscriptions(deps, signal),
    takeNews: (news) => takeSubscriptionNews(deps, news),
    look: (trackingId, options) => lookAtSubscription(deps, trackingId, options),
    poll: (signal) => pollSubscriptions(deps, signal),
    list: (filter) => listSubscriptions(deps, filter),
    show: (id) => showSubscription(deps, id),
  };
}
