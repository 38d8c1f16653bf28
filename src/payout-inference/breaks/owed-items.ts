import type { BusinessDate } from '../../kernel';
import type { BreakContext } from './break-context';
import { doubtfulMoney } from './doubtful-money';
import type { UnsettledItem } from './item-states';

/** A refund that its stream's payouts went past. */
export interface PassedRefund extends UnsettledItem {
  /** The booking of the first payout that should have taken it, or that came after the one that should have. */
  readonly passedOn: BusinessDate;
}

/** What no credit paid though one should have: each item in one list at most. */
export interface OwedItems {
  /** Of streams that are paid out: the bank should show them. */
  readonly missing: readonly UnsettledItem[];
  /** Of streams that no resolved credit ever paid. */
  readonly neverPaid: readonly UnsettledItem[];
  readonly passedRefunds: readonly PassedRefund[];
}

/**
 * Sorts what is not settled. A refund whose payment is not settled either is a part of what that payout lacks; one whose
 * payment was paid, or is not known here, should have been taken back by the next cut.
 */
export function owedItems(unsettled: readonly UnsettledItem[], context: BreakContext): OwedItems {
  const { habitOf } = context;
  const isInDoubt = doubtfulMoney(context);
  const unpaidPayments = paymentsUnpaid(unsettled);
  const missing: UnsettledItem[] = [];
  const neverPaid: UnsettledItem[] = [];
  const passedRefunds: PassedRefund[] = [];
  for (const unpaid of unsettled) {
    const { item, available, stream, isOverdue } = unpaid;
    const habit = habitOf(stream);
    if (!habit.everPaid) {
      if (isOverdue) neverPaid.push(unpaid);
      continue;
    }
    const isOwnRefund = item.amount < 0 && !(item.refundOf !== undefined && unpaidPayments.has(item.refundOf));
    const passedOn = isOwnRefund ? habit.passedOn(available) : undefined;
    if (passedOn === undefined && !isOverdue) continue;
    if (isInDoubt(unpaid)) continue;
    if (passedOn === undefined) missing.push(unpaid);
    else passedRefunds.push({ ...unpaid, passedOn });
  }
  return { missing, neverPaid, passedRefunds };
}

/** Of the payments that refunds name, those that nobody paid either. */
function paymentsUnpaid(unsettled: readonly UnsettledItem[]): ReadonlySet<string> {
  const refunded = new Set<string>();
  for (const { item } of unsettled) if (item.amount < 0 && item.refundOf !== undefined) refunded.add(item.refundOf);
  const unpaid = new Set<string>();
  if (refunded.size === 0) return unpaid;
  for (const { item } of unsettled) if (refunded.has(item.itemId)) unpaid.add(item.itemId);
  return unpaid;
}
