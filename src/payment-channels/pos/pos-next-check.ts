import type { PosTransaction } from '../../gateway';
import { DAY_MS, HOUR_MS, type Instant } from '../../kernel';
import type { Payment } from '../../payments';
import { POS_FOLLOWED_MS } from './pos-breaks';
import { type PosFacts, statusSince } from './pos-facts';
import { isPosPuzzling, isPosWaiting, methodOfPos } from './pos-status';

/** A late success may follow a failure; an hour later the terminal has certainly stopped waiting. */
const FAILED_FOLLOWED_MS = HOUR_MS;

/**
 * A terminal can refund or cancel a booked payment, and only a hint reports it. In case the hint is lost, the payment
 * is checked at these times after its success.
 */
const BOOKED_CHECKS_AFTER_MS = [DAY_MS, 7 * DAY_MS] as const;

export interface PosCheckState {
  /** Its money is posted, or it is test money. */
  readonly isBooked: boolean;
  /** Whether it contradicts the stored state. */
  readonly isOdd: boolean;
  /** Whether it differs from the request, or waits for a person's decision. */
  readonly isHeld: boolean;
}

/** Returns when a POS transaction is checked after an answer; undefined if nothing more is expected. Pure. */
export function nextPosCheck(
  facts: PosFacts,
  { paymentStatus, paymentMethod, settlementStatus }: PosTransaction,
  { isBooked, isOdd, isHeld }: PosCheckState,
): Instant | undefined {
  const { payment, startedAt, observedAt, nextCheck } = facts;
  if (isHeld) return nextCheck(Infinity);
  const puzzledUntil = statusSince(facts, paymentStatus) + POS_FOLLOWED_MS;
  if (isOdd || isPosPuzzling(paymentStatus)) return nextCheck(puzzledUntil);
  if (isPosWaiting(paymentStatus)) return nextCheck(startedAt + POS_FOLLOWED_MS);
  if (paymentStatus === 'PF') return nextCheck(startedAt + FAILED_FOLLOWED_MS);
  const method = methodOfPos(paymentMethod ?? payment.method);
  if (method === 'kept') return undefined;
  if (!isBooked || method === 'unknown') return nextCheck(puzzledUntil);
  if (paymentStatus === 'PR') return undefined;
  // Absent in test mode (interface section 2.6).
  if (settlementStatus !== undefined && settlementStatus !== 'AVAILABLE') return nextCheck(Infinity);
  // Nothing is posted that a later refund would change.
  if (payment.isTest) return undefined;
  return nextBookedPosCheck(payment, observedAt);
}

/** Returns when to check a booked payment of a terminal again; undefined after the last time. Pure. */
export function nextBookedPosCheck({ succeededUntil }: Payment, observedAt: Instant): Instant | undefined {
  const succeededAt = succeededUntil ?? observedAt;
  return BOOKED_CHECKS_AFTER_MS.map((afterMs) => succeededAt + afterMs).find((at) => at > observedAt);
}
