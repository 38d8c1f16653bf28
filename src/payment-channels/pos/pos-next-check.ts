import type { PosTransaction } from '../../gateway';
import { DAY_MS, HOUR_MS, type Instant } from '../../kernel';
import type { Payment } from '../../payments';
import { POS_FOLLOWED_MS } from './pos-breaks';
import { type PosFacts, statusSince } from './pos-facts';
import { isPosPuzzling, isPosWaiting, methodOfPos } from './pos-status';

/** After a failure a late success may still come; an hour later the terminal has long given up. */
const FAILED_FOLLOWED_MS = HOUR_MS;

/**
 * A terminal can refund or cancel what is booked, and only a hint tells of that. For a hint that was lost it is checked
 * so long after its success.
 */
const BOOKED_CHECKS_AFTER_MS = [DAY_MS, 7 * DAY_MS] as const;

export interface PosCheckState {
  /** Its money is in the books, or it is test money. */
  readonly isBooked: boolean;
  /** It contradicts what we know. */
  readonly isOdd: boolean;
  /** It is not what we asked for, or a person has yet to decide about it. */
  readonly isHeld: boolean;
}

/** When a POS transaction is checked after an answer; undefined when nothing more is expected. Pure. */
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
  // No books to mend.
  if (payment.isTest) return undefined;
  return nextBookedPosCheck(payment, observedAt);
}

/** When to check money of a terminal again that can be paid out; undefined after the last time. Pure. */
export function nextBookedPosCheck({ succeededUntil }: Payment, observedAt: Instant): Instant | undefined {
  const succeededAt = succeededUntil ?? observedAt;
  return BOOKED_CHECKS_AFTER_MS.map((afterMs) => succeededAt + afterMs).find((at) => at > observedAt);
}
