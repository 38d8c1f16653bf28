import type { BoundedLink } from './bound-cut';
import { countCut, countNothing, type CutCounts, type CutRates } from './cut-rates';
import type { DayGrid } from './day-grid';

interface Known {
  readonly cutRates: CutRates;
  readonly grid: DayGrid;
  readonly days: { readonly from: number; readonly to: number };
}

/**
 * Counts the cuts of the other runs of each credit whose likely runs are avoided. `avoided` names links by index; each
 * credit counts once. Without these counts the rates would be learned from almost nothing, and rare cuts would seem
 * impossible.
 */
export function countAlternativeCuts(
  links: readonly BoundedLink[],
  avoided: ReadonlySet<number>,
  { cutRates, grid, days }: Known,
): CutCounts {
  const contested = new Set(links.flatMap(({ credit }, index) => (avoided.has(index) ? [credit.index] : [])));
  const others = links.filter(({ credit }, index) => !avoided.has(index) && contested.has(credit.index));
  const runsOf = new Map<number, number>();
  for (const { credit } of others) runsOf.set(credit.index, (runsOf.get(credit.index) ?? 0) + 1);
  const found = countNothing(days);
  for (const { cutFrom, cutTo, credit } of others) {
    const share = 1 / (runsOf.get(credit.index) ?? 1);
    countCut(found, cutRates, grid, { from: cutFrom, to: cutTo, bookingDay: credit.bookingDay, share });
  }
  return found;
}
