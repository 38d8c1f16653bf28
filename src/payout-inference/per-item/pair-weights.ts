import { at } from '../at';
import type { DayGrid } from '../day-grid';
import { bookingChances } from './booking-chances';
import type { FoundPairs, Pair } from './find-pairs';
import type { OrderedWaits } from './ordered-waits';
import type { PairColumns } from './pair-columns';
import type { PayoutHazard } from './payout-hazard';
import { chanceOfBeingSeen } from './wait-of-item';

/** The weight of an item on the wrong side of a cut: the clocks of both sides may differ. */
const UNTIMELY_MIN = 1e-3;
/** Less likely combinations of clawbacks are not weighed. */
const TOGETHER_MIN = 1e-4;

/** The facts of a file in which items are paid one by one. */
export interface PairFile {
  readonly waiting: OrderedWaits;
  readonly found: FoundPairs;
  readonly columns: PairColumns;
  readonly grid: DayGrid;
  /** The days of the statement. */
  readonly days: { readonly firstDay: number; readonly horizonDay: number };
  /** The number of credits. */
  readonly credits: number;
}

/** The rates learned from the file. */
export interface PairRates {
  readonly hazard: PayoutHazard;
  /** The share of the items that should be on the statement and are not. */
  readonly deviation: number;
  /** The number of credits of a day that pay none of the items. */
  readonly strangersPerDay: number;
}

export interface PairWeights {
  /** By pair: how much likelier it is than a stranger's credit beside unpaid items. */
  readonly weights: Float64Array;
  /** By pair: the probability that the items are booked on the day of the credit. */
  readonly chances: Float64Array;
  /** By position, the probability that the statement should show the item. */
  readonly seen: Float64Array;
  /** By position, the probability that no credit of the statement pays the item. */
  readonly unpaid: Float64Array;
}

export function pairWeights(
  { waiting, found, columns, grid, days }: PairFile,
  { hazard, deviation, strangersPerDay }: PairRates,
): PairWeights {
  const seen = Float64Array.from(waiting.waits, (wait) => chanceOfBeingSeen(wait, hazard, grid, days));
  const unpaid = seen.map((chance) => 1 - (1 - deviation) * chance);
  const { size, begin, positions, hitRatio, clawbacks, bookings } = columns;
  const ofBooking = bookingChances(bookings, hazard, grid);
  const chances = Float64Array.from(bookings.ofPair, (place) => at(ofBooking, place));
  for (const index of clawbacks) {
    const pair = found.pairs[index];
    if (pair !== undefined) chances[index] = at(chances, index) * together(pair, waiting, hazard);
  }
  const weights = new Float64Array(size);
  for (let index = 0; index < size; index += 1) {
    let ofItems = 1;
    const end = at(begin, index + 1);
    for (let place = at(begin, index); place < end; place += 1) {
      ofItems = (ofItems * (1 - deviation)) / at(unpaid, at(positions, place));
    }
    weights[index] = (at(chances, index) * at(hitRatio, index) * ofItems) / strangersPerDay;
  }
  return { weights, chances, seen, unpaid };
}

/**
 * Returns the probability that the first payments of a cut cover a clawback. Then a cut was made just before them, none
 * until all of them were available, and no other clawback was owed by then.
 */
function together({ clawback, positions }: Pair, { sequence }: OrderedWaits, hazard: PayoutHazard): number {
  if (clawback === undefined) return 1;
  const { firstOfCut, owed, others } = clawback;
  const untaken = (from: number, to: number): number =>
    Math.exp(-hazard.between(at(sequence.key, from), at(sequence.key, to)));
  const first = positions[0] ?? firstOfCut;
  const last = positions.at(-1) ?? firstOfCut;
  // A refund deducts nothing before its payment is paid: then the two leave together.
  const isOwed = (refund: number): number => {
    const payment = at(sequence.payment, refund);
    return payment < 0 ? 1 : 1 - untaken(payment, refund);
  };
  let before = firstOfCut - 1;
  while (before >= 0 && at(sequence.amount, before) <= 0) before -= 1;
  let chance = untaken(first, last) * Math.max(UNTIMELY_MIN, before < 0 ? 1 : 1 - untaken(before, firstOfCut));
  for (const refund of owed) chance *= Math.max(UNTIMELY_MIN, isOwed(refund));
  for (const refund of others) {
    const isElsewhere = 1 - isOwed(refund) * (refund < last ? untaken(refund, last) : untaken(last, refund));
    chance *= Math.max(UNTIMELY_MIN, isElsewhere);
  }
  return chance < TOGETHER_MIN ? 0 : chance;
}
