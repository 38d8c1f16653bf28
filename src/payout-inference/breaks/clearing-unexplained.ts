import type { BusinessDate } from '../../kernel';
import type { BreakContext, NamedBreak } from './break-context';
import { buildBreaks } from './build-breaks';
import { groupItems } from './group-items';
import type { UnsettledItem } from './item-states';

/** The length of `2026-03`. */
const MONTH_CHARACTERS = 7;

/**
 * Reports streams that no credit ever paid: they are perhaps not paid to this bank account. There is one break for each
 * month in which their money became available.
 */
export function clearingUnexplained(neverPaid: readonly UnsettledItem[], { days }: BreakContext): NamedBreak[] {
  const dayOf = ({ available }: UnsettledItem): BusinessDate => days.dateOf(available.until);
  const monthOf = (item: UnsettledItem): string => dayOf(item).slice(0, MONTH_CHARACTERS);
  return groupItems(neverPaid, monthOf).flatMap(({ stream, day: month, items }) => {
    const since = items.map(dayOf).reduce((first, day) => (day < first ? day : first));
    return buildBreaks({ breakClass: 'clearing_unexplained', name: `${stream}:${month}`, since, items });
  });
}
