import type { Instant } from '../../kernel';
import type { PayableItem } from './payable-item';

export interface PairsCancelled {
  readonly left: readonly PayableItem[];
  /** Payments that were refunded before any payout, and their refunds: neither is ever paid out. */
  readonly cancelled: readonly PayableItem[];
}

/**
 * Removes each payment that was fully refunded while it was still open, together with its refund; the pair costs no
 * fee. A card payment may be refunded before it becomes available.
 */
export function cancelPairs(open: readonly PayableItem[], cutAt: Instant): PairsCancelled {
  const byId = new Map(open.map((item) => [item.itemId, item]));
  const gone = new Set<string>();
  for (const refund of open) {
    const payment = refund.refundOf === undefined ? undefined : byId.get(refund.refundOf);
    if (payment === undefined || refund.availableAt > cutAt || gone.has(payment.itemId)) continue;
    if (payment.amountMillimes + refund.amountMillimes !== 0) continue;
    gone.add(payment.itemId).add(refund.itemId);
  }
  return {
    left: open.filter(({ itemId }) => !gone.has(itemId)),
    cancelled: open.filter(({ itemId }) => gone.has(itemId)),
  };
}
