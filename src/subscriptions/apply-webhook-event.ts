import { type CollectingDeps, STATUS_CHECK_ACTOR } from '../attempts';
import { openBreakStore } from '../breaks';
import type { Session } from '../db';
import { type BusinessDate, type Instant, isOutsideId } from '../kernel';
import { openChargeStore } from './charge-store';
import { type MatchedField, mismatchBreak } from './subscription-breaks';
import { openSubscriptionStore, type SubscriptionChange } from './subscription-store';
import { sessionTimeoutMs } from './subscription-terms';
import type { SubscriptionMirror, SubscriptionWebhookEvent, SubscriptionWebhookEventOutcome } from './subscriptions';

const CURRENCY = 'TND';

/**
 * Applies a signed webhook. It finds the subscription, attaches the gateway's id if it is unknown, opens a break if the
 * event contradicts the requested terms, and makes the next status check due now. It changes no state, so events lead
 * to the same result in any order and any number.
 */
export async function applyWebhookEvent(
  { database, clock, calendar }: CollectingDeps,
  event: SubscriptionWebhookEvent,
): Promise<SubscriptionWebhookEventOutcome> {
  return database.transact(
    async (session): Promise<SubscriptionWebhookEventOutcome> => {
      const store = openSubscriptionStore(session);
      const found = await findSubscription(session, event);
      const subscription = found && (await store.lock(found.trackingId));
      if (subscription === undefined) return { kind: 'unknown_subscription' };
      const now = clock.now();
      const { trackingId } = subscription;
      const differing = differingFields(subscription, event);
      const since: BusinessDate = calendar.dateOf(event.receivedAt);
      const breaks = differing.map((difference) => mismatchBreak(trackingId, difference, since));
      await openBreakStore(session).openNew(breaks, now, STATUS_CHECK_ACTOR);
      const attachment = attached(subscription, event);
      const change = { ...attachment, ...triggered({ ...subscription, ...attachment }, event, now) };
      if (Object.keys(change).length > 0) await store.change(subscription, change);
      return { kind: 'known', trackingId, mismatch: differing.length > 0 };
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}

async function findSubscription(
  session: Session,
  { subscriptionId, trackingId, paymentId }: SubscriptionWebhookEvent,
): Promise<SubscriptionMirror | undefined> {
  const store = openSubscriptionStore(session);
  const named =
    (isOutsideId(subscriptionId) ? await store.bySubscriptionId(subscriptionId) : undefined) ??
    (isOutsideId(trackingId) ? await store.find(trackingId) : undefined);
  if (named !== undefined || !isOutsideId(paymentId)) return named;
  const charge = await openChargeStore(session).find(paymentId);
  return charge === undefined ? store.byFirstPaymentId(paymentId) : store.find(charge.trackingId);
}

/** Returns the fields in which the event differs from the requested terms. */
function differingFields(
  { trackingId, subscriptionId, amount }: SubscriptionMirror,
  event: SubscriptionWebhookEvent,
): { readonly field: MatchedField; readonly ours: string | number; readonly theirs: string | number | undefined }[] {
  const pairs = [
    { field: 'developer_tracking_id', ours: trackingId, theirs: event.trackingId },
    { field: 'subscription_id', ours: subscriptionId ?? event.subscriptionId ?? '', theirs: event.subscriptionId },
    { field: 'amount', ours: amount, theirs: event.amount },
    { field: 'currency', ours: CURRENCY, theirs: event.currency },
  ] as const;
  return pairs.filter(({ ours, theirs }) => theirs !== undefined && theirs !== ours);
}

/**
 * Attaches the gateway's id. Only the gateway can sign Millime's tracking id together with its own id, so the
 * subscription exists (open point 129).
 */
function attached(subscription: SubscriptionMirror, { subscriptionId }: SubscriptionWebhookEvent): SubscriptionChange {
  if (subscription.subscriptionId !== undefined || !isOutsideId(subscriptionId)) return {};
  const { sentAt, requestedAt, terms } = subscription;
  return {
    subscriptionId,
    requestState: 'made',
    requestError: undefined,
    sessionEndsAt: (sentAt ?? requestedAt) + sessionTimeoutMs(terms),
  };
}

/**
 * Returns the change that triggers a status check. A check that started after the event arrived already covers it.
 * Without the gateway's id no check is possible.
 */
function triggered(
  { subscriptionId, lastCheckAt }: Pick<SubscriptionMirror, 'subscriptionId' | 'lastCheckAt'>,
  { receivedAt }: SubscriptionWebhookEvent,
  now: Instant,
): SubscriptionChange {
  if (subscriptionId === undefined || (lastCheckAt !== undefined && lastCheckAt > receivedAt)) return {};
  return { triggeredAt: now, nextCheckAt: now };
}
