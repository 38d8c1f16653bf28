import { type CollectingDeps, pauseAfterFailuresMs, SHARED_FAULTS, STATUS_CHECK_ACTOR } from '../attempts';
import { type NewBreak, openBreakStore } from '../breaks';
import type { GatewayErrorCode } from '../gateway';
import { assert, type BusinessDate, DAY_MS, type Instant } from '../kernel';
import { openSubscriptionStore } from './subscription-store';
import type { SubscriptionCheckOutcome, SubscriptionMirror } from './subscriptions';

/** Faults that do not concern the subscription: a check of any other one would fail too. */
const AFFECTING_ALL: readonly GatewayErrorCode[] = [...SHARED_FAULTS, 'timeout', 'unavailable', 'rate_limited'];

/** Why a status check has no answer. `internal`: a bug of Millime. */
export interface StatusCheckFault {
  readonly code: GatewayErrorCode | 'internal';
  readonly message: string;
  readonly retryAfterMs?: number;
}

type LaterOutcome = Extract<SubscriptionCheckOutcome, { kind: 'later' }> & { readonly affectsAll: boolean };

/**
 * Stores an unanswered status check and the time of the next one. Nothing else changes, and nothing at all if another
 * status check that started no earlier was answered meanwhile.
 */
export async function recordFailedCheck(
  { database, clock, calendar }: CollectingDeps,
  trackingId: string,
  { fault, beganAt }: { readonly fault: StatusCheckFault; readonly beganAt: Instant },
): Promise<LaterOutcome> {
  return database.transact(
    async (session) => {
      const store = openSubscriptionStore(session);
      const subscription = await store.lock(trackingId);
      assert(subscription !== undefined, 'a subscription that was asked about is there');
      const now = clock.now();
      const failedChecks = subscription.failedChecks + 1;
      const retryAfterMs = Math.max(pauseAfterFailuresMs(failedChecks), fault.retryAfterMs ?? 0);
      const affectsAll = AFFECTING_ALL.some((code) => code === fault.code);
      const outcome = { kind: 'later', retryAfterMs, reason: fault.message, affectsAll } as const;
      if (subscription.lastCheckAt !== undefined && subscription.lastCheckAt >= beganAt) return outcome;
      const isGone = isGoneForLong(subscription, fault, now);
      await store.change(subscription, {
        failedChecks,
        lastCheckError: fault.code,
        nextCheckAt: now + (isGone ? DAY_MS : retryAfterMs),
      });
      if (isGone) {
        await openBreakStore(session).openNew([gone(subscription, calendar.dateOf(now))], now, STATUS_CHECK_ACTOR);
      }
      return outcome;
    },
    { retryDuplicate: true },
  );
}

/**
 * Returns whether the subscription has been missing for long: a day without any answer, and two answers that the
 * gateway does not know it.
 */
function isGoneForLong(
  { lastCheckAt, sentAt, requestedAt, lastCheckError }: SubscriptionMirror,
  { code }: StatusCheckFault,
  now: Instant,
): boolean {
  const lastKnownAt = lastCheckAt ?? sentAt ?? requestedAt;
  return code === 'not_found' && lastCheckError === 'not_found' && now >= lastKnownAt + DAY_MS;
}

function gone({ trackingId, subscriptionId, amount }: SubscriptionMirror, since: BusinessDate): NewBreak {
  return {
    fingerprint: `outcome_unknown:${trackingId}`,
    breakClass: 'outcome_unknown',
    since,
    amount,
    direction: 'may_have_moved',
    subject: { itemIds: [], lineIds: [], facts: { trackingId, subscriptionId: subscriptionId ?? 'none' } },
  };
}
