import { type CollectingDeps, requireGateway, STATUS_CHECK_ACTOR } from '../attempts';
import { type BreakStore, openBreakStore } from '../breaks';
import { type Charge, type GatewayClient, GatewayError, isGatewayError, type Subscription } from '../gateway';
import { AppError, assert, type Instant, isOutsideId } from '../kernel';
import { openChargeStore } from './charge-store';
import { decideStatusCheck } from './decide-status-check';
import { recordFailedCheck } from './record-failed-check';
import { chargeMismatchFingerprint, MATCHED_FIELDS, mismatchFingerprint } from './subscription-breaks';
import { openSubscriptionStore } from './subscription-store';
import type { SubscriptionCheckOutcome, SubscriptionMirror } from './subscriptions';
import { writeCharges } from './write-charges';

const CHARGES_PER_PAGE = 100;

interface Seen {
  readonly answer: Subscription;
  /** The newest first. */
  readonly listed: readonly Charge[];
}

/**
 * Reads a subscription and all its charges from the gateway, and stores the result in one transaction: the states, the
 * observations, the money, the breaks, and the next check.
 *
 * Two concurrent status checks: the row is locked, and an answer that was requested before the stored one changes
 * nothing.
 *
 * @throws AppError `not_found`, `misconfigured`.
 */
export async function checkSubscriptionStatus(
  deps: CollectingDeps,
  trackingId: string,
  { notBefore }: { readonly notBefore?: Instant } = {},
): Promise<SubscriptionCheckOutcome & { readonly affectsAll?: boolean }> {
  const gateway = requireGateway(deps);
  const { database, clock } = deps;
  const subscription = await database.read((session) => openSubscriptionStore(session).find(trackingId));
  if (subscription === undefined) throw new AppError('not_found', { thing: 'subscription', id: trackingId });
  const { subscriptionId, lastCheckAt } = subscription;
  if (subscriptionId === undefined) return { kind: 'nothing_to_ask', subscription };
  if (notBefore !== undefined && lastCheckAt !== undefined && lastCheckAt >= notBefore) {
    return { kind: 'looked', subscription };
  }
  // Read before the call: events during the call are left to the next status check.
  const observedAt = clock.now();
  try {
    const seen = await readFromGateway(gateway, subscriptionId);
    return { kind: 'looked', subscription: await writeStatusCheck(deps, trackingId, seen, observedAt) };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return recordFailedCheck(deps, trackingId, { fault: error, beganAt: observedAt });
  }
}

async function readFromGateway({ subscriptions }: GatewayClient, subscriptionId: string): Promise<Seen> {
  const answer = await subscriptions.retrieve(subscriptionId);
  const listed: Charge[] = [];
  for await (const charge of subscriptions.listCharges(subscriptionId, { pageSize: CHARGES_PER_PAGE })) {
    if (!isOutsideId(charge.paymentId)) {
      throw new GatewayError('unexpected_shape', 'the id of a charge cannot be kept', {
        operation: 'subscriptions.listCharges',
      });
    }
    listed.push(charge);
  }
  return { answer, listed };
}

async function writeStatusCheck(
  { database, clock, calendar }: CollectingDeps,
  trackingId: string,
  { answer, listed }: Seen,
  observedAt: Instant,
): Promise<SubscriptionMirror> {
  return database.transact(
    async (session) => {
      const store = openSubscriptionStore(session);
      const subscription = await store.lock(trackingId);
      assert(subscription !== undefined, 'a subscription that was asked about is there');
      const { lastCheckAt } = subscription;
      if (lastCheckAt !== undefined && observedAt <= lastCheckAt) return subscription;
      const now = clock.now();
      const since = calendar.dateOf(observedAt);
      const charges = openChargeStore(session);
      const known = await charges.ofSubscription(trackingId);
      const paymentIds = listed.map(({ paymentId }) => paymentId);
      const ofOthers = await charges.ofOthers(trackingId, paymentIds);
      const breaks = openBreakStore(session);
      const decision = decideStatusCheck({
        subscription,
        known,
        ofOthers: new Set(ofOthers.map(({ paymentId }) => paymentId)),
        answer,
        listed,
        observedAt,
        now,
        since,
        mismatches: await mismatchesOf(breaks, trackingId, paymentIds),
      });
      await store.observe({ trackingId, observedAt, status: answer.status, detail: JSON.stringify(answer.raw) }, now);
      await store.change(subscription, decision.change);
      const by = { recordedAt: now, recordedBy: STATUS_CHECK_ACTOR };
      const found = await writeCharges(session, decision, { trackingId, observedAt, since, by });
      await breaks.openNew([...decision.breaks, ...found], now, STATUS_CHECK_ACTOR);
      return { ...subscription, ...decision.change };
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}

/**
 * Returns the mismatches that were opened for the subscription or its charges, and whether a person has resolved them.
 */
async function mismatchesOf(
  breaks: BreakStore,
  trackingId: string,
  paymentIds: readonly string[],
): Promise<Map<string, { readonly isResolved: boolean }>> {
  const opened = await breaks.byFingerprint([
    ...MATCHED_FIELDS.map((field) => mismatchFingerprint(trackingId, field)),
    ...paymentIds.map(chargeMismatchFingerprint),
  ]);
  return new Map([...opened].map(([fingerprint, { status }]) => [fingerprint, { isResolved: status === 'resolved' }]));
}
