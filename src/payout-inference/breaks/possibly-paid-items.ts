import type { BusinessDate, Instant } from '../../kernel';
import type { Stream } from '../match-request';
import type { InferredCredit } from '../match-result';
import type { BreakContext } from './break-context';
import { creditClassOf } from './credit-class';
import type { UnsettledItem } from './item-states';
import type { BookingWindow } from './payout-cadence';

const ANY_TIME = Number.POSITIVE_INFINITY;

/** Booking days of unresolved credits, in order, with the latest possible end of their cuts. */
interface OpenDays {
  readonly dates: readonly BusinessDate[];
  readonly latestCut: ReadonlyMap<BusinessDate, Instant>;
}

/**
 * Returns whether an unresolved credit may contain an item. Such money may have arrived, so the item is not missing in
 * the bank; the break of the credit reports it. An unexplained credit is another payer's money and contains no item.
 */
export function possiblyPaidItems(context: BreakContext): (item: UnsettledItem) => boolean {
  const { inference, lines, cadenceOf } = context;
  const named = new Set<string>();
  const latestCuts = new Map<Stream | undefined, Map<BusinessDate, Instant>>();
  for (const credit of inference.credits) {
    const line = lines.get(credit.lineId);
    if (line === undefined || !isOpenCredit(credit, context)) continue;
    for (const itemId of credit.commonCore) named.add(itemId);
    for (const itemId of credit.proposal) named.add(itemId);
    for (const itemId of credit.mayHold ?? []) named.add(itemId);
    if (credit.mayHold !== undefined) continue;
    let latest = latestCuts.get(credit.stream);
    if (latest === undefined) latestCuts.set(credit.stream, (latest = new Map<BusinessDate, Instant>()));
    latest.set(line.bookingDate, Math.max(latest.get(line.bookingDate) ?? 0, credit.cut?.until ?? ANY_TIME));
  }
  const byStream = new Map([...latestCuts].map(([stream, latestCut]) => [stream, openDaysOf(latestCut)]));
  const ofAnyStream = byStream.get(undefined);
  return ({ item, available, stream, dueOn }) => {
    if (named.has(item.itemId)) return true;
    const window = cadenceOf(stream).bookingWindow(available, dueOn);
    return [byStream.get(stream), ofAnyStream].some((openDays) => mayHold(openDays, window, available.after));
  };
}

function isOpenCredit(credit: InferredCredit, { returnedLineIds }: BreakContext): boolean {
  const creditClass = creditClassOf(credit);
  if (creditClass === 'missing_in_book') return returnedLineIds.has(credit.lineId);
  return creditClass !== undefined;
}

function openDaysOf(latestCut: ReadonlyMap<BusinessDate, Instant>): OpenDays {
  return { dates: [...latestCut.keys()].sort(), latestCut };
}

/** Returns whether the window has a credit whose cut may be later than the item's earliest availability. */
function mayHold(openDays: OpenDays | undefined, { from, until }: BookingWindow, after: Instant): boolean {
  if (openDays === undefined) return false;
  const { dates, latestCut } = openDays;
  for (let index = firstFrom(dates, from); index < dates.length; index += 1) {
    const date = dates[index];
    if (date === undefined || date > until) return false;
    if ((latestCut.get(date) ?? 0) > after) return true;
  }
  return false;
}

function firstFrom(dates: readonly BusinessDate[], from: BusinessDate): number {
  let low = 0;
  let high = dates.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const date = dates[middle];
    if (date !== undefined && date < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
