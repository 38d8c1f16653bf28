import { countCut, countNothing, type CutCounts, unknownCutRates } from './cut-rates';
import type { DayGrid } from './day-grid';
import type { History, Stream } from './match-request';

/** Fewer payouts teach no rates. */
const PAYOUTS_MIN = 3;

/** The facts of a stream that earlier runs settled: its cut counts, and where the next payout begins. */
export interface PastCuts {
  readonly counts: CutCounts;
  readonly lastCut: { readonly after: number; readonly until: number };
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
  return { counts, lastCut: last.cut };
}
