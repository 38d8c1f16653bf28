import type { BreakContext, NamedBreak } from './break-context';
import { buildBreaks } from './build-breaks';
import { groupItems } from './group-items';
import type { UnsettledItem } from './item-states';

/** Reports one break for each stream and day of availability: one missing payout, not its forty payments. */
export function missingInBank(missing: readonly UnsettledItem[], { days }: BreakContext): NamedBreak[] {
  const dayOf = ({ available }: UnsettledItem) => days.dateOf(available.until);
  return groupItems(missing, dayOf).flatMap(({ stream, day, items }) =>
    buildBreaks({ breakClass: 'missing_in_bank', name: `${stream}:${day}`, since: day, items }),
  );
}
