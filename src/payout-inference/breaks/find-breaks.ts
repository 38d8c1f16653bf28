import type { BreakContext, NamedBreak } from './break-context';
import { clearingUnexplained } from './clearing-unexplained';
import { creditBreaks } from './credit-breaks';
import type { UnsettledItem } from './item-states';
import { lateSettlements } from './late-settlement';
import { missingInBank } from './missing-in-bank';
import { owedItems } from './owed-items';
import { refundNotReflected } from './refund-not-reflected';
import { returnedPayouts } from './returned-payout';
import { settlementHistory } from './settlement-history';
import { settlementRegressed } from './settlement-regressed';

/**
 * Reports the differences that are older than their grace, oldest first, independent of the order of the input. No
 * credit is in two breaks. No item is in two of `missing_in_bank`, `refund_not_reflected` and `clearing_unexplained`.
 * Facts from the observations of an item (`late_settlement`, `settlement_regressed`) are reported in addition.
 */
export function findBreaks(unsettled: readonly UnsettledItem[], context: BreakContext): NamedBreak[] {
  const { missing, neverPaid, passedRefunds } = owedItems(unsettled, context);
  const history = settlementHistory(context.request.observations);
  return [
    ...missingInBank(missing, context),
    ...clearingUnexplained(neverPaid, context),
    ...refundNotReflected(passedRefunds),
    ...creditBreaks(context),
    ...returnedPayouts(context),
    ...settlementRegressed(context, history),
    ...lateSettlements(context, history),
  ].sort(byAge);
}

function byAge(a: NamedBreak, b: NamedBreak): number {
  if (a.since !== b.since) return a.since < b.since ? -1 : 1;
  if (a.fingerprint === b.fingerprint) return 0;
  return a.fingerprint < b.fingerprint ? -1 : 1;
}
