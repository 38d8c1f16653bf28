import { HOUR_MS } from '../kernel';
import { at, elementAt } from './at';
import type { CutRates } from './cut-rates';
import type { DayGrid } from './day-grid';
import type { GapOrEnd } from './find-gaps';
import { upperBound } from './lower-bound';
import type { StreamItems } from './order-stream';

/** A cut is assumed only if it is likelier than no cut. */
const CUT_LIKELY = 0.5;
/** A cut nearer than this to a known cut is the same one: the share of a day's cuts between the two. */
const SAME_CUT_SHARE = 0.55;
/** Nearly all cuts of a day lie between these shares of it. */
const EARLY_SHARE = 0.05;
const LATE_SHARE = 0.95;
const HALF = 0.5;
const BISECTIONS = 40;
const HOURS = 24;
const WEEK = [0, 1, 2, 3, 4, 5, 6];

/** A payout that the cut rates of the stream predict: positions, and how far its cuts may be off. */
export interface ExpectedPayout {
  readonly from: number;
  readonly to: number;
  /** The first and the last possible position. */
  readonly fromEarliest: number;
  readonly toLatest: number;
}

interface ExpectedCut {
  readonly position: number;
  readonly earliest: number;
  readonly latest: number;
}

/** Predicts the payouts of a stretch from the stream's cut rates. */
export function expectedPayouts(
  sequence: StreamItems,
  cutRates: CutRates,
  grid: DayGrid,
  { from, to, isOpen = false }: GapOrEnd,
): ExpectedPayout[] {
  const begin = cutBetween(cutRates, sequence.key[from - 1], sequence.key[from]);
  // Items that became available last may have been paid within a day.
  const end = isOpen
    ? at(sequence.key, to - 1) + HOURS * HOUR_MS
    : cutBetween(cutRates, sequence.key[to - 1], sequence.key[to]);
  const place = (instant: number): number => upperBound(sequence.key, instant, from, to);
  const cuts: ExpectedCut[] = [sure(from)];
  const [firstDay, lastDay] = [grid.dayOf(begin), grid.dayOf(end)];
  const quiet = quietTime(cutRates, at(grid.startAt, firstDay));
  for (let day = firstDay - 1; day <= lastDay; day += 1) {
    const [start, next] = [at(grid.startAt, day) + quiet, at(grid.startAt, day + 1) + quiet];
    const ofDay = cutRates.expected(start, next);
    if (-Math.expm1(-ofDay) < CUT_LIKELY) continue;
    const instant = instantAt(cutRates, start, next, HALF);
    const isAnother = (a: number, b: number): boolean => cutRates.expected(a, b) > SAME_CUT_SHARE * ofDay;
    if (!isAnother(begin, instant) || (isOpen ? instant > end : !isAnother(instant, end))) continue;
    const cut = {
      position: place(instant),
      earliest: place(instantAt(cutRates, start, next, EARLY_SHARE)),
      latest: place(instantAt(cutRates, start, next, LATE_SHARE)),
    };
    const isNew = cut.position > (cuts.at(-1)?.position ?? from);
    if (isNew && (cut.position < to || isOpen)) cuts.push(cut);
  }
  if (!isOpen) cuts.push(sure(to));
  return cuts.slice(1).map((cut, index) => {
    const before = elementAt(cuts, index);
    return { from: before.position, to: cut.position, fromEarliest: before.earliest, toLatest: cut.latest };
  });
}

/** Returns the likely time of a cut between two items, or beside one. */
function cutBetween(cutRates: CutRates, last: number | undefined, next: number | undefined): number {
  if (last === undefined || next === undefined || !Number.isFinite(next)) return last ?? next ?? 0;
  return instantAt(cutRates, last, next, HALF);
}

function sure(position: number): ExpectedCut {
  return { position, earliest: position, latest: position };
}

/**
 * Returns the time of day from which a day of cuts is best counted: the one farthest from all cuts, so that no midnight
 * divides them.
 */
function quietTime(cutRates: CutRates, start: number): number {
  const cuts = Array.from({ length: HOURS }, (_, hour) =>
    WEEK.reduce((sum, day) => {
      const from = start + (day * HOURS + hour) * HOUR_MS;
      return sum + cutRates.expected(from, from + HOUR_MS);
    }, 0),
  );
  const nearness = cuts.map((_, quiet) =>
    cuts.reduce((sum, count, hour) => {
      // The distance from the start of the quiet hour to the middle of the other hour.
      const apart = Math.abs(hour + HALF - quiet);
      return sum + count * (HOURS - Math.min(apart, HOURS - apart));
    }, 0),
  );
  return nearness.indexOf(Math.min(...nearness)) * HOUR_MS;
}

/** Returns the instant before which this share of a span's cuts lies. */
function instantAt(cutRates: CutRates, start: number, end: number, share: number): number {
  const wanted = share * cutRates.expected(start, end);
  let low = start;
  let high = end;
  for (let step = 0; step < BISECTIONS && high - low > 1; step += 1) {
    const middle = (low + high) / 2;
    if (cutRates.expected(start, middle) < wanted) low = middle;
    else high = middle;
  }
  return high;
}
