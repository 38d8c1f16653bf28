import { assert } from '../../kernel';
import type { BreakContext, NamedBreak } from './break-context';
import { buildBreaks } from './build-breaks';
import { groupItems } from './group-items';
import type { UnsettledItem } from './item-states';

const BEFORE = 'before_first_booking';

/**
 * Reports one break for each stream and day of availability: one missing payout, not its forty payments. What was due
 * by the first booking of the bank is one break, because an earlier statement is more likely to be missing.
 */
export function missingInBank(
  missing: readonly UnsettledItem[],
  { days, cadenceOf, firstBooking }: BreakContext,
): NamedBreak[] {
  const dayOf = ({ available }: UnsettledItem) => days.dateOf(available.until);
  const groupOf = (unpaid: UnsettledItem) => {
    const bookedBy = cadenceOf(unpaid.stream).bookedBy(unpaid.available);
    return firstBooking !== undefined && bookedBy <= firstBooking ? BEFORE : dayOf(unpaid);
  };
  return groupItems(missing, groupOf).flatMap(({ stream, day: group, items }) => {
    const [since] = items.map(dayOf).sort();
    assert(since !== undefined, 'a group has items');
    return buildBreaks({ breakClass: 'missing_in_bank', name: `${stream}:${group}`, since, items });
  });
}
