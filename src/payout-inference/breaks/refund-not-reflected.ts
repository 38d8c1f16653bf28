import type { NamedBreak } from './break-context';
import { itemBreak } from './build-breaks';
import type { PassedRefund } from './owed-items';

/**
 * Reports refunds that no payout deducted, although later payouts were resolved. The amount is negative, because the
 * integrator owes it.
 */
export function refundNotReflected(refunds: readonly PassedRefund[]): NamedBreak[] {
  return refunds.map(({ item, passedOn }) => itemBreak('refund_not_reflected', item, passedOn));
}
