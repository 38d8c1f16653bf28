import { compareBytes } from '../kernel';
import { dayGrid, type DayGrid } from './day-grid';
import type { Credit } from './find-links';
import { findReturnedPayouts } from './find-returned-payouts';
import type { BankLine, MatchRequest } from './match-request';
import type { ReturnedPayout } from './match-result';
import { readPolls, type Polls } from './read-polls';

/** The bank books a payout at most so many working days after its cut. */
export const LAG_WORKING_DAYS_MAX = 6;

/** A request made ready: numbers instead of dates, indexes instead of ids. */
export interface PreparedFile {
  readonly request: MatchRequest;
  readonly grid: DayGrid;
  readonly indexOf: ReadonlyMap<string, number>;
  readonly polls: Polls;
  /** Positive lines, by booking date and id. */
  readonly lines: readonly BankLine[];
  /** Those that may be payouts: what was debited back is none. A credit that came again counts from its first day. */
  readonly credits: readonly Credit[];
  readonly returned: readonly ReturnedPayout[];
  /** The last day of the statement. */
  readonly horizonDay: number;
}

export function prepareFile(request: MatchRequest): PreparedFile {
  const { items, observations, calendar, workingDays } = request;
  const indexOf = indexesOf(request);
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
  const gone = new Set(returned.map(({ lineId }) => lineId));
  const firstOf = new Map(returned.map(({ lineId, paidAgainLineId }) => [paidAgainLineId, lineId]));
  const dateOf = new Map(lines.map(({ lineId, bookingDate }) => [lineId, bookingDate]));
  return {
    request,
    grid,
    indexOf,
    polls: readPolls(items, indexOf, observations),
    lines,
    returned,
    credits: lines.flatMap(({ lineId, amount, bookingDate }, index) => {
      if (gone.has(lineId)) return [];
      const bookingDay = grid.dayOfDate(dateOf.get(firstOf.get(lineId) ?? '') ?? bookingDate);
      return {
        index,
        amount,
        bookingDay,
        earliest: grid.startAt[grid.workingBefore(bookingDay, LAG_WORKING_DAYS_MAX)] ?? 0,
        latest: grid.startAt[bookingDay + 1] ?? Infinity,
      };
    }),
    horizonDay: lastBooked === undefined ? 0 : grid.dayOfDate(lastBooked),
  };
}

const EPOCH = '1970-01-01' as BankLine['bookingDate'];

/** Of the items that something refers to: a map of a million ids that nobody asks for takes longer than the search. */
function indexesOf({ items, observations }: MatchRequest): Map<string, number> {
  const named = new Set<string>();
  for (const { itemId } of observations) named.add(itemId);
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
