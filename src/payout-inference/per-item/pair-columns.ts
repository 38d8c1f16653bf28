import { at, elementAt } from '../at';
import type { FoundPairs, Pair } from './find-pairs';
import type { Wait } from './wait-of-item';

/** The upper limit of a hit's likelihood ratio: amounts are less random than they seem. */
const HIT_RATIO_MAX = 2_000;

/** The pairs of a file as columns, because learning the rates visits a million of them repeatedly. */
export interface PairColumns {
  readonly size: number;
  /** The highest index of a credit, plus one. */
  readonly credits: number;
  readonly credit: Int32Array;
  /** The offset of each pair in `positions`, with one extra entry at the end. */
  readonly begin: Int32Array;
  readonly positions: Int32Array;
  /** The number of amounts from which a stranger's credit would have been chosen. */
  readonly hitRatio: Float64Array;
  readonly clawbacks: readonly number[];
  readonly bookings: Bookings;
}

/** Waits, each with the days on which a possible payment was booked. */
export interface Bookings {
  readonly waits: readonly Wait[];
  /** The offset of each wait in `days`, with one extra entry at the end. */
  readonly begin: Int32Array;
  readonly days: Int32Array;
  /** By pair, the index of its wait and day in `days`. */
  readonly ofPair: Int32Array;
}

export function pairColumns({ pairs, alike }: Pick<FoundPairs, 'pairs' | 'alike'>): PairColumns {
  const credit = Int32Array.from(pairs, (pair) => pair.credit.index);
  const begin = new Int32Array(pairs.length + 1);
  pairs.forEach(({ positions }, index) => (begin[index + 1] = at(begin, index) + positions.length));
  const positions = new Int32Array(at(begin, pairs.length));
  pairs.forEach((pair, index) => {
    positions.set(pair.positions, begin[index]);
  });
  const hitRatioOf = hitRatiosOf(alike);
  return {
    size: pairs.length,
    credits: credit.reduce((most, index) => Math.max(most, index + 1), 0),
    credit,
    begin,
    positions,
    hitRatio: Float64Array.from(pairs, (pair) => hitRatioOf(pair.credit.amount)),
    clawbacks: pairs.flatMap(({ clawback }, index) => (clawback === undefined ? [] : [index])),
    bookings: bookingsOf(pairs),
  };
}

function bookingsOf(pairs: readonly Pair[]): Bookings {
  const places = new Map<Wait, number>();
  const daysOf: number[][] = [];
  const waitOfPair = new Int32Array(pairs.length);
  const ofPair = new Int32Array(pairs.length);
  pairs.forEach(({ wait, credit: { bookingDay } }, index) => {
    let place = places.get(wait);
    if (place === undefined) {
      place = daysOf.push([]) - 1;
      places.set(wait, place);
    }
    const days = elementAt(daysOf, place);
    const known = days.indexOf(bookingDay);
    waitOfPair[index] = place;
    ofPair[index] = known < 0 ? days.push(bookingDay) - 1 : known;
  });
  const begin = new Int32Array(daysOf.length + 1);
  daysOf.forEach((days, place) => (begin[place + 1] = at(begin, place) + days.length));
  return {
    waits: [...places.keys()],
    begin,
    days: Int32Array.from(daysOf.flat()),
    ofPair: ofPair.map((place, index) => place + at(begin, at(waitOfPair, index))),
  };
}

/**
 * Returns a function that estimates from how many amounts a stranger's credit would have been chosen: as many as the
 * items show. An amount that was seen once is weak evidence, so it counts less than once, according to how often
 * amounts were seen twice (Good-Turing).
 */
function hitRatiosOf(alike: FoundPairs['alike']): (amount: number) => number {
  let size = 0;
  let once = 0;
  let twice = 0;
  for (const { length } of alike.values()) {
    size += length;
    if (length === 1) once += 1;
    if (length === 2) twice += 1;
  }
  const ofOnce = Math.min(1, (2 * twice + 1) / (once + 1));
  return (amount) => {
    const count = alike.get(amount)?.length ?? 0;
    return Math.max(1, Math.min(HIT_RATIO_MAX, size / (count > 1 ? count : ofOnce)));
  };
}
