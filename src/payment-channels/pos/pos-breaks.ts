import type { PosTransaction } from '../../gateway';
import { DAY_MS } from '../../kernel';
import type { FoundByStatusCheck, Mismatch, Payment } from '../../payments';
import { type PosFacts, statusSince } from './pos-facts';
import { hasPosSucceeded, isPosPuzzling, isPosWaiting, methodOfPos, type PosMove } from './pos-status';

/** How long an unfinished transaction is checked. */
export const POS_FOLLOWED_MS = 10 * DAY_MS;
/** Refund pending, refund failed, unknown: how long these may last before a break opens. */
const PUZZLE_GRACE_WORKING_DAYS = 2;

/** Returns the fields in which the gateway's transaction differs from the request. Pure. */
export function posMismatches(
  { amount, trackingId, gatewayId }: Pick<Payment, 'amount' | 'trackingId' | 'gatewayId'>,
  { amountMillimes, developerTrackingId, serviceTransactionId }: PosTransaction,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  if (amountMillimes !== amount) found.push({ field: 'amount', ours: amount, theirs: amountMillimes });
  if (developerTrackingId !== null && developerTrackingId !== trackingId) {
    found.push({ field: 'tracking_id', ours: trackingId, theirs: developerTrackingId });
  }
  // Its money is posted under the first id; under a second one it would be posted twice.
  if (gatewayId !== undefined && serviceTransactionId.toLowerCase() !== gatewayId.toLowerCase()) {
    found.push({ field: 'service_transaction_id', ours: gatewayId, theirs: serviceTransactionId });
  }
  return found;
}

/** Returns the fields in which the transaction contradicts the stored state. Pure. */
export function posContradictions(
  { status, settlementStatus }: Payment,
  row: PosTransaction,
  { move, isOdd }: { readonly move: PosMove; readonly isOdd: boolean },
): readonly FoundByStatusCheck[] {
  const told = (
    breakClass: FoundByStatusCheck['breakClass'],
    of: string,
    from: string | undefined,
    to: string | undefined,
  ) => {
    const facts = { of, from: from ?? '', to: to ?? '' };
    return [{ breakClass, ...(of === 'status' ? {} : { detail: of }), facts }];
  };
  const { paymentStatus, settlementStatus: observed } = row;
  if (move === 'late_success') return told('late_success', 'status', status, paymentStatus);
  if (move === 'regressed') return told('settlement_regressed', 'status', status, paymentStatus);
  if (!isOdd) return [];
  return told('settlement_regressed', 'settlement', settlementStatus, observed);
}

/** Returns breaks that need a person: the transaction does not end, or it is unknown who has its money. Pure. */
export function posPuzzles(
  facts: PosFacts,
  { paymentStatus, paymentMethod }: PosTransaction,
): readonly FoundByStatusCheck[] {
  const { payment, startedAt, observedAt, calendar, workingDays } = facts;
  const told = (reason: string): readonly FoundByStatusCheck[] => [
    { breakClass: 'pos_unknown', facts: { reason, status: paymentStatus } },
  ];
  if (isPosWaiting(paymentStatus)) {
    return observedAt >= startedAt + POS_FOLLOWED_MS ? told('does not end') : [];
  }
  if (isPosPuzzling(paymentStatus)) {
    const graceEnds = workingDays.add(calendar.dateOf(statusSince(facts, paymentStatus)), PUZZLE_GRACE_WORKING_DAYS);
    return calendar.dateOf(observedAt) >= graceEnds ? told('stays as it is') : [];
  }
  const isUnknownMethod = methodOfPos(paymentMethod ?? payment.method) === 'unknown';
  return hasPosSucceeded(paymentStatus) && isUnknownMethod ? told('paid by an unknown method') : [];
}
