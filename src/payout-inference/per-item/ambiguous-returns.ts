import { addToGroup } from '../../kernel';
import { at } from '../at';
import type { PreparedFile } from '../prepare-file';
import type { FoundPairs } from './find-pairs';
import type { OrderedWaits } from './ordered-waits';

/** The limit in days from a payout to its return, and from the return to the repeated payment. */
const DAYS_AROUND = 21;

/**
 * Finds credits that may have been debited back, or that may have replaced a returned credit: those around a debit that
 * states only an amount and fits several items.
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
    if (items.length > 1) addToGroup(daysOf, amount, day);
  }
  return new Set(
    credits
      .filter(({ amount, bookingDay }) =>
        (daysOf.get(amount) ?? []).some((day) => Math.abs(day - bookingDay) <= DAYS_AROUND),
      )
      .map(({ index }) => index),
  );
}
