import { compareBytes } from '../kernel';
import { creditsOfLines } from './credits-of-lines';
import { type DayGrid, dayGrid } from './day-grid';
import type { Credit } from './find-links';
import { findReturnedPayouts } from './find-returned-payouts';
import type { BankLine, MatchRequest } from './match-request';
import type { ReturnedPayout } from './match-result';
import { type ObservationBounds, readObservationBounds } from './observation-bounds';
import { observedItems } from './observed-items';

/** A prepared request: numbers instead of dates, indexes instead of ids. */
export interface PreparedFile {
  readonly request: MatchRequest;
  readonly grid: DayGrid;
  /** The index of each item that a refund names. */
  readonly indexOf: ReadonlyMap<string, number>;
  readonly bounds: ObservationBounds;
  /** Positive lines, by booking date and id. */
  readonly lines: readonly BankLine[];
  /**
   * The lines that may be payouts, without those that were debited back. A repeated payment counts from its first day.
   */
  readonly credits: readonly Credit[];
  /**
   * The same with credits that were debited back and not paid again: the gateway cut their runs, although it got the
   * money back. A repeated payment is included for its first day and for its own.
   */
  readonly creditsOfRuns: readonly Credit[];
  readonly returned: readonly ReturnedPayout[];
  /** The last day of the statement. */
  readonly horizonDay: number;
}

export function prepareFile(request: MatchRequest): PreparedFile {
  const { items, observations } = request;
  const grid = gridOf(request);
  const allLines = [...request.lines].sort(byBooking);
  const lines = allLines.filter(({ amount }) => amount > 0);
  const lastBooked = allLines.at(-1)?.bookingDate;
  const returned = findReturnedPayouts(allLines, grid);
  const creditsOfRuns = creditsOfLines(allLines, returned, grid);
  return {
    request,
    grid,
    indexOf: refundedIndexes(request),
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

/** Returns the days from the first to the last one that an item, a line or an earlier payout names. */
function gridOf({ items, lines, history, calendar, workingDays }: MatchRequest): DayGrid {
  let least = Infinity;
  let most = -Infinity;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (item === undefined) continue;
    least = Math.min(least, item.succeededAt, item.availableUntil ?? Infinity);
    most = Math.max(most, item.succeededAt, item.availableUntil ?? -Infinity);
  }
  const dates = lines.map(({ bookingDate }) => bookingDate);
  if (Number.isFinite(least)) dates.push(calendar.dateOf(least), calendar.dateOf(most));
  for (const { cut, bookingDate } of history?.payouts ?? []) dates.push(bookingDate, calendar.dateOf(cut.after));
  dates.sort();
  return dayGrid({ from: dates[0] ?? EPOCH, to: dates.at(-1) ?? EPOCH, calendar, workingDays });
}

/** Returns the indexes of refunded items. They are few, and a map of all ids would take longer than the search. */
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
