import type { NamedBreak } from './break-context';
import type { PassedRefund } from './owed-items';

/** A refund that no payout took back though later ones were understood. Its amount is negative: it is ours to give. */
export function refundNotReflected(refunds: readonly PassedRefund[]): NamedBreak[] {
  return refunds.map(({ item, passedOn }) => ({
    fingerprint: `refund_not_reflected:${item.itemId}`,
    breakClass: 'refund_not_reflected',
    amount: item.amount,
    itemIds: [item.itemId],
    lineIds: [],
    since: passedOn,
  }));
}
