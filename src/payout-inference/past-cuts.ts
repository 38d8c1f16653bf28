import { countCut, countNothing, type CutCounts, unknownCutRates } from './cut-rates';
import type { DayGrid } from './day-grid';
import type { GapOrEnd } from './find-gaps';
import { upperBound } from './lower-bound';
import type { History, Stream } from './match-request';
import type { StreamItems } from './order-stream';

/** Fewer payouts teach no rates. */
const PAYOUTS_MIN = 3;

/** The facts of a stream that earlier runs settled: its cut counts, and where the next payout begins. */
export interface PastCuts {
  readonly counts: CutCounts;
  /** The instants after which the cuts were made, in ascending order. */
  readonly after: Float64Array;
}

export function pastCutsOf(history: History | undefined, stream: Stream, grid: DayGrid): PastCuts | undefined {
  const payouts = (history?.payouts ?? []).filter((payout) => payout.stream === stream);
  if (payouts.length < PAYOUTS_MIN) return undefined;
  const last = payouts.reduce((latest, payout) => (payout.cut.after > latest.cut.after ? payout : latest));
  const first = payouts.reduce((earliest, payout) => (payout.cut.after < earliest.cut.after ? payout : earliest));
  const days = { from: grid.dayOf(first.cut.after), to: grid.dayOf(last.cut.after) };
  const counts = countNothing(days);
  const cutRates = unknownCutRates(grid, 1);
  for (const { cut, bookingDate } of payouts) {
    const bookingDay = grid.dayOfDate(bookingDate);
    countCut(counts, cutRates, grid, { from: cut.after, to: Math.max(cut.until, cut.after + 1), bookingDay, share: 1 });
  }
  return { counts, after: Float64Array.from(payouts, ({ cut }) => cut.after).sort() };
}

/** Returns the positions of the known cuts among the items that are not paid yet, in ascending order. */
export function knownCuts({ after }: PastCuts, { key, size }: StreamItems): ReadonlySet<number> {
  const positions = new Set<number>();
  for (const instant of after) positions.add(upperBound(key, instant, 0, size));
  return positions;
}

/** Returns the stretches between known cuts in which items were left over. */
export function leftOvers(past: PastCuts | undefined, sequence: StreamItems): GapOrEnd[] {
  if (past === undefined) return [];
  const cuts = [...new Set([0, ...knownCuts(past, sequence)])];
  return cuts.slice(1).map((to, place) => ({ from: cuts[place] ?? 0, to }));
}
