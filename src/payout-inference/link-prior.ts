import { HOUR_MS } from '../kernel';
import { at } from './at';
import { type CutRates, HALF_DAY_MS } from './cut-rates';
import type { DayGrid } from './day-grid';
import type { Link } from './find-links';
import { lowerBound } from './lower-bound';
import type { StreamItems } from './order-stream';

/**
 * Returns the log probability that the gateway cuts here and not earlier, and that the bank books it on the credit's
 * day. Observations of the time do not count against this link, because any other explanation must fit them, too.
 */
export function logPrior(link: Link, sequence: StreamItems, cutRates: CutRates, grid: DayGrid): number {
  const { credit } = link;
  const cutFrom = at(sequence.key, link.to - 1);
  const cutTo = Math.max(cutFrom + 1, Math.min(at(sequence.key, link.to), credit.latest));
  const earliest = Math.max(cutFrom, credit.earliest);
  const expected = cutRates.expected(earliest, cutTo);
  let lag = 0;
  const lastDay = grid.dayOf(cutTo - 1);
  for (let day = grid.dayOf(earliest); day <= lastDay; day += 1) {
    const start = at(grid.startAt, day);
    const noon = start + HALF_DAY_MS;
    const lagDays = grid.lag(day, credit.bookingDay);
    const expectedIn = (from: number, to: number): number =>
      cutRates.expected(Math.max(earliest, from), Math.min(cutTo, to));
    lag += expectedIn(start, noon) * cutRates.lag(lagDays, 0);
    lag += expectedIn(noon, at(grid.startAt, day + 1)) * cutRates.lag(lagDays, HALF_DAY_MS);
  }
  const chance = -Math.expm1(-expected);
  return Math.log(Math.max(1e-30, chance * (lag / Math.max(1e-30, expected))));
}

/** Returns the probability of a cut at a position whose payout can be a credit. */
export function cutChance(
  sequence: StreamItems,
  cutRates: CutRates,
  position: number,
  { earliest, latest }: Pick<Link['credit'], 'earliest' | 'latest'>,
): number {
  const from = at(sequence.key, position - 1);
  const to = Math.min(at(sequence.key, position), latest);
  return to <= from || from < earliest ? 0 : -Math.expm1(-cutRates.expected(from, to));
}

/** Returns the log probability of no cut since the last one, or of one whose payout came in the same credit. */
export function logNoCutBefore(
  link: Link,
  sequence: StreamItems,
  cutRates: CutRates,
  mergedRate: number,
  isMerged: boolean,
): number {
  if (isMerged) return Math.log(mergedRate);
  const cutFrom = at(sequence.key, link.to - 1);
  const before = link.from === 0 ? cutFrom : at(sequence.key, link.from);
  return Math.log(Math.exp(-cutRates.expected(before, cutFrom)) + mergedRate);
}

/** However regular the cuts are, an amount that no cut explains may be off by as much as the items of this time. */
const WIDTH_MIN_MS = HOUR_MS;

/** Returns the number of cuts at about this time that a chance hit could have met. */
export function rivalsAround(
  link: Link,
  sequence: StreamItems,
  cutRates: CutRates,
  boundariesBefore: Int32Array,
): number {
  const half = Math.max(WIDTH_MIN_MS, cutRates.widthMs) / 2;
  const cutFrom = at(sequence.key, link.to - 1);
  const cutTo = Math.min(at(sequence.key, link.to), link.credit.latest);
  const low = lowerBound(sequence.key, cutFrom - half, 0, sequence.size);
  const high = lowerBound(sequence.key, Math.min(cutTo, cutFrom + half) + half, 0, sequence.size);
  return Math.max(1, at(boundariesBefore, high) - at(boundariesBefore, low));
}

export function countBoundaries(sequence: StreamItems): Int32Array {
  const before = new Int32Array(sequence.size + 1);
  for (let position = 0; position < sequence.size; position += 1) {
    before[position + 1] = at(before, position) + at(sequence.isBoundary, position);
  }
  return before;
}
