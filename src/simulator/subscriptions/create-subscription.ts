import { isJsonObject, MINUTE_MS } from '../../kernel';
import { checkoutLink } from '../checkout/checkout-link';
import { detail, fieldErrors, good, platformRefusal } from '../core/answers';
import type { SimAnswer, SimOperation, SimRequest } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { openFirstCharge } from './charge-payment';
import { findByTrackingId } from './find-subscription';
import { readCreation } from './read-creation';
import { type SimSubscription, type SubscriptionTerms, trackingKey } from './subscription-state';

const REFUSALS = {
  merchant_not_allowed: { status: 403, details: 'The merchant is not allowed to create subscriptions.' },
  merchant_wallet_inactive: { status: 403, details: 'The wallet of the merchant is not active.' },
  affiliation_inactive: { status: 403, details: 'The affiliation is not active.' },
  recurring_payments_disabled: { status: 503, details: 'Recurring payments are paused. Retry later.' },
} as const;

const CARD_REFUSALS = {
  not_enabled: { error: 'card_recurring_not_enabled', details: 'Card recurring is not enabled on this affiliation.' },
  not_implemented: { error: 'card_recurring_not_implemented', details: 'Card recurring is not live yet.' },
} as const;

/**
 * Create Subscription (interface section 4.2). A call counts against the limit before it is checked. A tracking id
 * stays taken forever, even by an ended subscription. A 429 names no time to retry (open point 60).
 */
export const createSubscriptionOperation: SimOperation = {
  name: 'subscriptions.create',
  method: 'POST',
  path: '/api/v2/subscriptions',
  auth: 'app',
  answer(simulation, request) {
    if (!takeCreation(simulation)) return detail(429, 'Request was throttled.');
    if (!isJsonObject(request.body)) return detail(400, 'JSON parse error');
    const creation = readCreation(request.body);
    if (creation.kind === 'refused') return fieldErrors(creation.faults);
    return refusalFor(simulation, request, creation.terms) ?? created(simulation, request, creation.terms);
  },
};

/** Takes one of the creations that an application may request in any 60 s (interface section 8); false beyond that. */
function takeCreation(simulation: Simulation): boolean {
  const { world, settings } = simulation;
  const now = simulation.now();
  const recent = world.subscriptions.creationsAt.filter((at) => at > now - MINUTE_MS);
  const granted = recent.length < settings.subscriptions.creationsPerMinute;
  world.subscriptions.creationsAt = granted ? [...recent, now] : recent;
  return granted;
}

function refusalFor(simulation: Simulation, request: SimRequest, terms: SubscriptionTerms): SimAnswer | undefined {
  const { refuseWith, cardRecurring } = simulation.settings.subscriptions;
  if (refuseWith !== null) {
    const { status, details } = REFUSALS[refuseWith];
    return platformRefusal(status, refuseWith, { details });
  }
  if (terms.acceptCard) {
    const { error, details } = CARD_REFUSALS[cardRecurring];
    return platformRefusal(400, error, { details });
  }
  const existing = findByTrackingId(simulation, terms.developerTrackingId);
  return existing === undefined ? undefined : duplicateOf(request, existing);
}

/** Returns the link even if it can no longer be paid (open point 59). */
function duplicateOf(request: SimRequest, { subscriptionId, charges }: SimSubscription): SimAnswer {
  const paymentId = charges[0]?.paymentId ?? null;
  return platformRefusal(409, 'duplicate_developer_tracking_id', {
    details: 'developer_tracking_id already used',
    subscription_id: subscriptionId,
    payment_id: paymentId,
    link: paymentId === null ? null : checkoutLink(request, paymentId),
  });
}

function created(simulation: Simulation, request: SimRequest, terms: SubscriptionTerms): SimAnswer {
  const subscription = addSubscription(simulation, terms);
  const { paymentId } = openFirstCharge(simulation, subscription);
  return good(
    {
      success: true,
      subscription_id: subscription.subscriptionId,
      payment_id: paymentId,
      link: checkoutLink(request, paymentId),
      status: subscription.status,
      developer_tracking_id: terms.developerTrackingId,
    },
    { status: 201 },
  );
}

function addSubscription(simulation: Simulation, terms: SubscriptionTerms): SimSubscription {
  const { subscriptions } = simulation.world;
  const subscription: SimSubscription = {
    subscriptionId: simulation.newId('sub_'),
    terms,
    isTest: simulation.settings.isTest,
    createdAt: simulation.now(),
    status: 'incomplete',
    activatedAt: null,
    currentPeriodStart: null,
    currentPeriodEnd: null,
    nextChargeAt: null,
    nextPeriod: 0,
    nextAttempt: 0,
    cyclesCompleted: 0,
    endsWithPeriodBy: null,
    canceledAt: null,
    cancellationInitiator: null,
    cancellationReason: null,
    charges: [],
    debitsToFail: 0,
  };
  subscriptions.byId[subscription.subscriptionId] = subscription;
  subscriptions.idOfTrackingId[trackingKey(terms.developerTrackingId)] = subscription.subscriptionId;
  return subscription;
}
