import { DAY_MS } from '../../kernel';
import { countCut, countNothing, type CutCounts, type CutRates, learnCutRates, unknownCutRates } from '../cut-rates';
import type { DayGrid } from '../day-grid';
import { type CutSlot, stretchesOf } from './cut-slots';

/**
 * Returns the cut rates that tracers alone show: one cut somewhere in each stretch that they leave open, and one a day
 * in a longer stretch. The lag of the booking is still unknown.
 */
export function cutRatesOfSlots(
  slots: readonly CutSlot[],
  credits: number,
  grid: DayGrid,
  days: CutCounts['days'],
): CutRates {
  const flat = unknownCutRates(grid, credits / Math.max(1, grid.lag(days.from, days.to)));
  const counts = countNothing(days);
  for (const stretch of stretchesOf(slots)) {
    const first = stretch[0];
    const last = stretch.at(-1);
    if (first === undefined || last === undefined) continue;
    const cuts = Math.max(1, Math.round((last.to - first.from) / DAY_MS));
    const total = stretch.reduce((sum, slot) => sum + chanceOf(slot), 0);
    for (const slot of stretch) {
      const share = (cuts * chanceOf(slot)) / total;
      countCut(counts, flat, grid, { from: slot.from, to: slot.to, bookingDay: grid.dayOf(slot.from), share });
    }
  }
  const total = counts.dayKind.reduce((sum, count) => sum + count, 0);
  const scale = credits / Math.max(1, total);
  return learnCutRates(grid, {
    ...counts,
    dayKind: counts.dayKind.map((count) => count * scale),
    lag: counts.lag.fill(0),
  });
}

function chanceOf({ from, to, logTraced }: CutSlot): number {
  return (to - from) * Math.exp(logTraced);
}
