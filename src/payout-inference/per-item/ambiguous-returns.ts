import { at } from '../at';
import type { PreparedFile } from '../prepare-file';
import type { FoundPairs } from './find-pairs';
import type { OrderedWaits } from './ordered-waits';

/** A payout comes back, and comes again, within so many days. */
const DAYS_AROUND = 21;

/**
 * Finds credits that may have been debited back, or may have replaced one that was: around a debit that
 * says only an amount, and that more than one item matches.
 */
export function ambiguousReturns(
  { request, returned, grid, credits }: PreparedFile,
  { sequence }: OrderedWaits,
  { alike }: FoundPairs,
): ReadonlySet<number> {
  const dateOf = new Map(request.lines.map(({ lineId, bookingDate }) => [lineId, bookingDate]));
  const amountOf = new Map(request.lines.map(({ lineId, amount }) => [lineId, amount]));
  const daysOf = new Map<number, number[]>();
  for (const { lineId, debitLineId } of returned) {
    const amount = amountOf.get(lineId);
    const date = dateOf.get(debitLineId);
    if (amount === undefined || date === undefined) continue;
    const day = grid.dayOfDate(date);
    const isNear = (position: number): boolean => Math.abs(grid.dayOf(at(sequence.key, position)) - day) <= DAYS_AROUND;
    const items = (alike.get(amount) ?? []).filter(isNear);
    if (items.length > 1) daysOf.set(amount, [...(daysOf.get(amount) ?? []), day]);
  }
  return new Set(
    credits
      .filter(({ amount, bookingDay }) =>
        (daysOf.get(amount) ?? []).some((day) => Math.abs(day - bookingDay) <= DAYS_AROUND),
      )
      .map(({ index }) => index),
  );
}
