import { nextPendingCheck, STATUS_CHECK_ACTOR, UNKNOWN_FOLLOWED_MS, UNKNOWN_GRACE_MS } from '../../attempts';
import { openBreakStore } from '../../breaks';
import { assert, DAY_MS, type Instant } from '../../kernel';
import { type Payment, startOf } from '../payment';
import { openPaymentOperations } from '../payment-operation-store';
import { openPaymentStore } from '../payment-store';
import type { PaymentsDeps, StatusCheckOutcome } from '../payments';
import { lastCheckOf } from './last-check';
import { isCancelDone, isPaidOrHeld } from './payment-status';
import { CHECK_SPACING_MS } from './record-failed-check';
import { statusCheckBreak } from './status-check-break';

/** Returns when to check a payment again that the gateway does not know, and whether a break opens. Pure. */
export function nextUnfoundCheck(
  { payment, isCancelled }: { readonly payment: Payment; readonly isCancelled: boolean },
  now: Instant,
): { readonly nextCheckAt: Instant | undefined; readonly isUnclear: boolean } {
  const { status, sessionEndsAt } = payment;
  const startedAt = startOf(payment);
  // If the gateway knew the payment before, the days count from its last answer.
  const graceEndsAt = Math.max((sessionEndsAt ?? startedAt) + UNKNOWN_GRACE_MS, lastCheckOf(payment, now) ?? startedAt);
  const planned = nextPendingCheck({ startedAt, sessionEndsAt }, now);
  if (now < graceEndsAt) return { nextCheckAt: Math.min(planned, graceEndsAt), isUnclear: false };
  // No reserved money can be missing.
  if (isCancelled && status !== 'SUCCESS') return { nextCheckAt: undefined, isUnclear: false };
  const isUnresolved = now >= graceEndsAt + UNKNOWN_FOLLOWED_MS;
  return { nextCheckAt: isUnresolved ? undefined : now + DAY_MS, isUnclear: true };
}

/** Returns whether no status check and no signed webhook ever reported money of a payment, and none is posted. Pure. */
function isWithoutMoney({ status, captured, itemId, succeededUntil }: Payment): boolean {
  return !isPaidOrHeld(status) && captured === undefined && itemId === undefined && succeededUntil === undefined;
}

/**
 * Stores that the gateway does not know a payment that it created. While the payment can still be paid, this has no
 * further effect. Later a break opens, once, and its reference becomes free; for a cancelled reservation no break
 * opens. The answer does not cover events that arrived after `askedAt`.
 */
export async function recordNotFound(
  { database, clock, calendar }: PaymentsDeps,
  { trackingId }: Payment,
  askedAt: Instant,
): Promise<StatusCheckOutcome> {
  return database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const payment = await store.lock(trackingId);
      assert(payment !== undefined, 'a checked payment exists');
      const now = clock.now();
      const isCancelled = isCancelDone(await openPaymentOperations(session).ofPayment(trackingId));
      const { nextCheckAt, isUnclear } = nextUnfoundCheck({ payment, isCancelled }, now);
      if (isUnclear) {
        const facts = { reason: 'not_found', gatewayId: payment.gatewayId ?? '' };
        const found = statusCheckBreak(payment, { breakClass: 'outcome_unknown', since: calendar.dateOf(now), facts });
        await openBreakStore(session).openNew([found], now, STATUS_CHECK_ACTOR);
      }
      const { triggeredAt } = payment;
      const isServed = triggeredAt === undefined || triggeredAt <= askedAt;
      const failed = { failedChecks: payment.failedChecks + 1, lastCheckError: 'not_found' };
      const noted = isServed ? { ...failed, triggeredAt: undefined } : failed;
      // A payment without further checks stays without them.
      const followed =
        payment.nextCheckAt === undefined
          ? noted
          : { ...noted, nextCheckAt: isServed ? nextCheckAt : now + CHECK_SPACING_MS };
      const change = isUnclear && isWithoutMoney(payment) ? { ...followed, isLive: false } : followed;
      await store.change(payment, change);
      return { kind: 'looked', payment: { ...payment, ...change } };
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}
