import type { BusinessDate, Instant, Millimes } from '../../kernel';
import type { BreakContext } from './break-context';
import type { UnsettledItem } from './item-states';
import { possiblyPaidItems } from './possibly-paid-items';

/** A refund that the payouts of its stream passed over. */
export interface PassedRefund extends UnsettledItem {
  /**
   * The booking of the first payout that should have deducted it, or of the first one after a missing payout that
   * should have.
   */
  readonly passedOn: BusinessDate;
}

/** The items that no credit paid although one should have. Each item is in at most one list. */
export interface OwedItems {
  /** Items of streams with payouts: the bank should show them. */
  readonly missing: readonly UnsettledItem[];
  /** Items of streams that no resolved credit ever paid. */
  readonly neverPaid: readonly UnsettledItem[];
  readonly passedRefunds: readonly PassedRefund[];
}

/**
 * Sorts the unsettled items.
 *
 * A refund whose payment is not settled either reduces the amount of that missing payout. If its payment was paid or is
 * unknown here, the next cut should have deducted the refund, unless that very payout is missing. A payment that was
 * refunded in full before it was paid is not owed, whatever happened to its payout.
 */
export function owedItems(unsettled: readonly UnsettledItem[], context: BreakContext): OwedItems {
  const { cadenceOf } = context;
  const isPossiblyPaid = possiblyPaidItems(context);
  const unpaidPayments = paymentsUnpaid(unsettled);
  const cancelled = pairsWithoutMoney(unsettled, unpaidPayments);
  const missing: UnsettledItem[] = [];
  const neverPaid: UnsettledItem[] = [];
  const refunds: PassedRefund[] = [];
  const stretches = new MissedStretches();
  for (const unpaid of unsettled) {
    const { item, available, stream, isOverdue } = unpaid;
    if (cancelled.has(item.itemId)) continue;
    const cadence = cadenceOf(stream);
    if (!cadence.everPaid) {
      if (isOverdue) neverPaid.push(unpaid);
      continue;
    }
    const passedOn = cadence.passedOn(available);
    const isOwnRefund = item.amount < 0 && !(item.refundOf !== undefined && unpaidPayments.has(item.refundOf));
    const isPassedRefund = isOwnRefund && passedOn !== undefined;
    if ((!isPassedRefund && !isOverdue && item.amount < 0) || isPossiblyPaid(unpaid)) continue;
    if (item.amount > 0 && passedOn !== undefined) stretches.add(unpaid, passedOn);
    if (isPassedRefund) refunds.push({ ...unpaid, passedOn });
    else if (isOverdue) missing.push(unpaid);
  }
  const passedRefunds = refunds.filter((refund) => !stretches.hold(refund, refund.passedOn));
  // The refunds of such a payout reduce its missing amount.
  missing.push(...refunds.filter((refund) => refund.isOverdue && stretches.hold(refund, refund.passedOn)));
  return { missing, neverPaid, passedRefunds };
}

/**
 * For each stream, the stretches from the first to the last payment that one payout passed over: a payout between them
 * is missing.
 */
class MissedStretches {
  readonly #byPayout = new Map<string, { from: Instant; to: Instant }>();

  add({ stream, available: { until } }: UnsettledItem, passedOn: BusinessDate): void {
    const key = `${stream} ${passedOn}`;
    const known = this.#byPayout.get(key);
    if (known === undefined) this.#byPayout.set(key, { from: until, to: until });
    else {
      known.from = Math.min(known.from, until);
      known.to = Math.max(known.to, until);
    }
  }

  hold({ stream, available: { until } }: UnsettledItem, passedOn: BusinessDate): boolean {
    const stretch = this.#byPayout.get(`${stream} ${passedOn}`);
    return stretch !== undefined && stretch.from <= until && until <= stretch.to;
  }
}

/** Returns the unpaid ones of the payments that refunds name, with their amounts. */
function paymentsUnpaid(unsettled: readonly UnsettledItem[]): ReadonlyMap<string, Millimes> {
  const refunded = new Set<string>();
  for (const { item } of unsettled) if (item.amount < 0 && item.refundOf !== undefined) refunded.add(item.refundOf);
  const unpaid = new Map<string, Millimes>();
  if (refunded.size === 0) return unpaid;
  for (const { item } of unsettled) if (refunded.has(item.itemId)) unpaid.set(item.itemId, item.amount);
  return unpaid;
}

/** Returns the payments and the refunds of their full amount that are both unpaid. */
function pairsWithoutMoney(
  unsettled: readonly UnsettledItem[],
  unpaidPayments: ReadonlyMap<string, Millimes>,
): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const { item } of unsettled) {
    const { itemId, amount, refundOf } = item;
    if (refundOf !== undefined && amount < 0 && unpaidPayments.get(refundOf) === -amount) {
      pairs.add(itemId).add(refundOf);
    }
  }
  return pairs;
}
