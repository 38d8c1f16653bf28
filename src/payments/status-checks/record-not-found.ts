import { openBreakStore } from '../../breaks';
import { assert, type Instant } from '../../kernel';
import { STATUS_CHECK_ACTOR } from './apply-status-check';
import { lastCheckOf } from './last-check';
import { statusCheckBreak } from './status-check-break';
import { nextPendingCheck } from './next-check';
import { CHECK_SPACING_MS } from './record-failed-check';
import type { Payment } from '../payment';
import { isCancelDone } from '../operations/operation-rules';
import { openPaymentOperations } from '../operations/payment-operation-store';
import { isPaidOrHeld } from './payment-status';
import { openPaymentStore } from '../payment-store';
import type { StatusCheckOutcome, PaymentsDeps } from '../payments';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Until then the gateway may not have it yet, or may still get it (open points 55 and 129). */
const NOT_FOUND_GRACE_MS = 40 * MINUTE_MS;
/** For how long a payment that the gateway does not know is asked about. */
const NOT_FOUND_DAYS_MAX = 5;

/** When a payment that the gateway does not know is asked about again, and whether a person must know. Pure. */
export function nextUnfoundCheck(
  { payment, isCancelled }: { readonly payment: Payment; readonly isCancelled: boolean },
  now: Instant,
): { readonly nextCheckAt: Instant | undefined; readonly isUnclear: boolean } {
  const { status, sentAt, requestedAt, sessionEndsAt } = payment;
  const startedAt = sentAt ?? requestedAt;
  // What it knew once, it has forgotten: its days begin with the last time that it knew.
  const graceEndsAt = Math.max(
    (sessionEndsAt ?? startedAt) + NOT_FOUND_GRACE_MS,
    lastCheckOf(payment, now) ?? startedAt,
  );
  const planned = nextPendingCheck({ startedAt, sessionEndsAt }, now);
  if (now < graceEndsAt) return { nextCheckAt: Math.min(planned, graceEndsAt), isUnclear: false };
  // Nothing is held that anybody could miss.
  if (isCancelled && status !== 'SUCCESS') return { nextCheckAt: undefined, isUnclear: false };
  const isUnresolved = now >= graceEndsAt + NOT_FOUND_DAYS_MAX * DAY_MS;
  return { nextCheckAt: isUnresolved ? undefined : now + DAY_MS, isUnclear: true };
}

/**
 * Whether nobody has ever said that a payment has money, nor is some in the books: neither a status check nor a signed
 * message. Pure.
 */
function isWithoutMoney({ status, captured, itemId, succeededUntil }: Payment): boolean {
  return !isPaidOrHeld(status) && captured === undefined && itemId === undefined && succeededUntil === undefined;
}

/**
 * Notes that the gateway does not know a payment that it made: an answer, and no failure of the payment, until nobody
 * can pay it any more. Then a person is told, once, and another session may be made for its reference; a hold that we
 * cancelled is over, and no break is opened. It does not cover an event that came after `askedAt`.
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
      // One that is not followed any more stays so.
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
