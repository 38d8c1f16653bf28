import { openBreakBook } from '../../breaks';
import { assert, type Instant } from '../../kernel';
import { LOOK_ACTOR } from './apply-look';
import { lastLookOf } from './last-look';
import { lookBreak } from './look-break';
import { nextPendingLook } from './next-look';
import { LOOK_SPACING_MS } from './note-failed-look';
import type { Payment } from '../payment';
import { isCancelDone } from '../operations/operation-rules';
import { openPaymentOperations } from '../operations/payment-operation-store';
import { isPaidOrHeld } from './payment-status';
import { openPaymentBook } from '../payment-store';
import type { LookOutcome, PaymentsDeps } from '../payments';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Until then the gateway may not have it yet, or may still get it (open points 55 and 129). */
const NOT_FOUND_GRACE_MS = 40 * MINUTE_MS;
/** For how long a payment that the gateway does not know is asked about. */
const NOT_FOUND_DAYS_MAX = 5;

/** When a payment that the gateway does not know is asked about again, and whether a person must know. Pure. */
export function nextUnfoundLook(
  { payment, isCancelled }: { readonly payment: Payment; readonly isCancelled: boolean },
  now: Instant,
): { readonly nextLookAt: Instant | undefined; readonly isUnclear: boolean } {
  const { status, sentAt, requestedAt, sessionEndsAt } = payment;
  const startedAt = sentAt ?? requestedAt;
  // What it knew once, it has forgotten: its days begin with the last time that it knew.
  const graceEndsAt = Math.max(
    (sessionEndsAt ?? startedAt) + NOT_FOUND_GRACE_MS,
    lastLookOf(payment, now) ?? startedAt,
  );
  const planned = nextPendingLook({ startedAt, sessionEndsAt }, now);
  if (now < graceEndsAt) return { nextLookAt: Math.min(planned, graceEndsAt), isUnclear: false };
  // Nothing is held that anybody could miss.
  if (isCancelled && status !== 'SUCCESS') return { nextLookAt: undefined, isUnclear: false };
  const isGivenUp = now >= graceEndsAt + NOT_FOUND_DAYS_MAX * DAY_MS;
  return { nextLookAt: isGivenUp ? undefined : now + DAY_MS, isUnclear: true };
}

/** Whether nobody has ever said that a payment has money, nor is some in the books: neither a look nor a signed message. Pure. */
function isWithoutMoney({ status, captured, itemId, succeededUntil }: Payment): boolean {
  return !isPaidOrHeld(status) && captured === undefined && itemId === undefined && succeededUntil === undefined;
}

/**
 * Notes that the gateway does not know a payment that it made: an answer, and no failure of the payment, until nobody can
 * pay it any more. Then a person is told, once, and another session may be made for its reference; a hold that we cancelled
 * is over, and nobody is told. News that came after `askedAt` are not served by it.
 */
export async function noteNotFound(
  { database, clock, calendar }: PaymentsDeps,
  { trackingId }: Payment,
  askedAt: Instant,
): Promise<LookOutcome> {
  return database.transact(
    async (session) => {
      const book = openPaymentBook(session);
      const payment = await book.lock(trackingId);
      assert(payment !== undefined, 'a payment that was looked at is there');
      const now = clock.now();
      const isCancelled = isCancelDone(await openPaymentOperations(session).ofPayment(trackingId));
      const { nextLookAt, isUnclear } = nextUnfoundLook({ payment, isCancelled }, now);
      if (isUnclear) {
        const facts = { reason: 'not_found', gatewayId: payment.gatewayId ?? '' };
        const found = lookBreak(payment, { breakClass: 'outcome_unknown', since: calendar.dateOf(now), facts });
        await openBreakBook(session).openNew([found], now, LOOK_ACTOR);
      }
      const { nudgedAt } = payment;
      const isServed = nudgedAt === undefined || nudgedAt <= askedAt;
      const failed = { failedLooks: payment.failedLooks + 1, lastLookError: 'not_found' };
      const noted = isServed ? { ...failed, nudgedAt: undefined } : failed;
      // One that is not followed any more stays so.
      const followed =
        payment.nextLookAt === undefined
          ? noted
          : { ...noted, nextLookAt: isServed ? nextLookAt : now + LOOK_SPACING_MS };
      const change = isUnclear && isWithoutMoney(payment) ? { ...followed, isLive: false } : followed;
      await book.change(payment, change);
      return { kind: 'looked', payment: { ...payment, ...change } };
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}
