import { at } from './at';
import type { DayGrid } from './day-grid';
import type { Credit } from './find-links';
import type { BankLine } from './match-request';
import type { ReturnedPayout } from './match-result';

/** The bank books a payout at most this number of working days after its cut. */
const LAG_WORKING_DAYS_MAX = 6;

/**
 * Returns the credits that may have ended a run, in the order of `lines`, which are all lines by booking date and id.
 * An index counts the positive lines. If a payout was paid again, only its second credit remains, for both days.
 */
export function creditsOfLines(
  lines: readonly BankLine[],
  returned: readonly ReturnedPayout[],
  grid: DayGrid,
): Credit[] {
  const gone = new Map(returned.map((payout) => [payout.lineId, payout]));
  const firstOf = new Map(returned.map(({ lineId, paidAgainLineId }) => [paidAgainLineId, lineId]));
  const dateOf = new Map(lines.map(({ lineId, bookingDate }) => [lineId, bookingDate]));
  const toCredits = ({ lineId, amount, bookingDate }: BankLine, index: number): Credit[] => {
    const payout = gone.get(lineId);
    if (payout?.paidAgainLineId !== undefined) return [];
    const takenBackOn = payout === undefined ? undefined : dateOf.get(payout.debitLineId);
    const bookedOn = (date: BankLine['bookingDate']): Credit => {
      const bookingDay = grid.dayOfDate(date);
      return {
        index,
        amount,
        bookingDay,
        earliest: at(grid.startAt, grid.workingBefore(bookingDay, LAG_WORKING_DAYS_MAX)),
        latest: at(grid.startAt, bookingDay + 1),
        takenBackDay: takenBackOn === undefined ? undefined : grid.dayOfDate(takenBackOn),
      };
    };
    let first = firstOf.get(lineId);
    for (let before = first; before !== undefined; before = firstOf.get(before)) first = before;
    const firstOn = dateOf.get(first ?? '');
    // An apparent second payment may be a separate payout of the same amount, so both days must be tried.
    return firstOn === undefined ? [bookedOn(bookingDate)] : [bookedOn(firstOn), bookedOn(bookingDate)];
  };
  return lines.filter(({ amount }) => amount > 0).flatMap(toCredits);
}
