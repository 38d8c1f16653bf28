import { compareBytes } from '../kernel';
import { at } from './at';
import { type DayGrid, dayGrid } from './day-grid';
import type { Credit } from './find-links';
import { findReturnedPayouts } from './find-returned-payouts';
import type { BankLine, MatchRequest } from './match-request';
import type { ReturnedPayout } from './match-result';
import { type ObservationBounds, readObservationBounds } from './observation-bounds';
import { observedItems } from './observed-items';

/** The bank books a payout at most so many working days after its cut. */
export const LAG_WORKING_DAYS_MAX = 6;

/** A request made ready: numbers instead of dates, indexes instead of ids. */
export interface PreparedFile {
  readonly request: MatchRequest;
  readonly grid: DayGrid;
  /** Of the items that a refund names. */
  readonly indexOf: ReadonlyMap<string, number>;
  readonly bounds: ObservationBounds;
  /** Positive lines, by booking date and id. */
  readonly lines: readonly BankLine[];
  /** Those that may be payouts: what was debited back is none. A credit that came again counts from its first day. */
  readonly credits: readonly Credit[];
  /**
   * With those that were debited back and did not come again: their runs were cut, although the money went back. One that
   * came again is there for its first day and for its own.
   */
  readonly creditsOfRuns: readonly Credit[];
  readonly returned: readonly ReturnedPayout[];
  /** The last day of the statement. */
  readonly horizonDay: number;
}

export function prepareFile(request: MatchRequest): PreparedFile {
  const { items, observations, calendar, workingDays } = request;
  const indexOf = refundedIndexes(request);
  let least = Infinity;
  let most = -Infinity;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (item === undefined) continue;
    least = Math.min(least, item.succeededAt, item.availableUntil ?? Infinity);
    most = Math.max(most, item.succeededAt, item.availableUntil ?? -Infinity);
  }
  const allLines = [...request.lines].sort(byBooking);
  const lines = allLines.filter(({ amount }) => amount > 0);
  const dates = request.lines.map(({ bookingDate }) => bookingDate);
  if (Number.isFinite(least)) dates.push(calendar.dateOf(least), calendar.dateOf(most));
  for (const { cut, bookingDate } of request.history?.payouts ?? []) {
    dates.push(bookingDate, calendar.dateOf(cut.after));
  }
  const sorted = dates.sort();
  const [from] = sorted;
  const to = sorted.at(-1);
  const grid = dayGrid({ from: from ?? EPOCH, to: to ?? EPOCH, calendar, workingDays });
  const lastBooked = allLines.at(-1)?.bookingDate;
  const returned = findReturnedPayouts(allLines, grid);
  const gone = new Map(returned.map((payout) => [payout.lineId, payout]));
  const firstOf = new Map(returned.map(({ lineId, paidAgainLineId }) => [paidAgainLineId, lineId]));
  const dateOf = new Map(allLines.map(({ lineId, bookingDate }) => [lineId, bookingDate]));
  const toCredit = ({ lineId, amount, bookingDate }: BankLine, index: number): Credit[] => {
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
    // What seems a second try may be a payout of its own that happens to be as large: both must be tried.
    return firstOn === undefined ? [bookedOn(bookingDate)] : [bookedOn(firstOn), bookedOn(bookingDate)];
  };
  const creditsOfRuns = lines.flatMap(toCredit);
  return {
    request,
    grid,
    indexOf,
    bounds: readObservationBounds(items, observations, observedItems(request)),
    lines,
    returned,
    credits: creditsOfRuns.filter(
      ({ index, takenBackDay }, place) => takenBackDay === undefined && creditsOfRuns[place - 1]?.index !== index,
    ),
    creditsOfRuns,
    horizonDay: lastBooked === undefined ? 0 : grid.dayOfDate(lastBooked),
  };
}

const EPOCH = '1970-01-01' as BankLine['bookingDate'];

/** Few items are taken back: a map of all ids takes longer than the search. */
function refundedIndexes({ items }: MatchRequest): Map<string, number> {
  const named = new Set<string>();
  for (const { refundOf } of items) if (refundOf !== undefined) named.add(refundOf);
  const indexOf = new Map<string, number>();
  if (named.size === 0) return indexOf;
  items.forEach(({ itemId }, index) => {
    if (named.has(itemId)) indexOf.set(itemId, index);
  });
  return indexOf;
}

function byBooking(a: BankLine, b: BankLine): number {
  return compareBytes(a.bookingDate, b.bookingDate) || compareBytes(a.lineId, b.lineId);
}
