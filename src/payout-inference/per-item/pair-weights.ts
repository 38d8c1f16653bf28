import { at, type DayGrid } from '../day-grid';
import type { FoundPairs, Pair } from './find-pairs';
import type { LineOfWaits } from './line-of-waits';
import type { TakingHabits } from './taking-habits';
import { chanceOfBeingSeen, chanceOfBooking } from './wait-of-item';

/** What a hit on an amount is worth at most: amounts are never as free as they look. */
const WORTH_MAX = 2_000;
/** What lies on the wrong side of a cut may be there for the clocks, which are not the same on both sides. */
const UNTIMELY_MIN = 1e-3;
/** Clawbacks that are less likely to be paid back together are not looked at. */
const TOGETHER_MIN = 1e-4;

/** What is given of a file in which items are paid one by one. */
export interface PairFile {
  readonly waiting: LineOfWaits;
  readonly found: FoundPairs;
  readonly grid: DayGrid;
  /** The days of the statement. */
  readonly days: { readonly firstDay: number; readonly horizonDay: number };
  /** How many credits there are. */
  readonly credits: number;
}

/** What is learned of it. */
export interface PairRates {
  readonly habits: TakingHabits;
  /** The share of the items that should be on the statement and are not. */
  readonly deviation: number;
  /** Credits of a day that pay none of the items. */
  readonly strangersPerDay: number;
}

export interface PairWeights {
  /** By pair: how much likelier it is than that the credit is a stranger's and the items are not paid. */
  readonly weights: Float64Array;
  /** By pair: how likely the items are to be booked on the day of the credit. */
  readonly chances: Float64Array;
  /** By position, how likely it is that the statement should show the item. */
  readonly seen: Float64Array;
  /** By position, how likely it is that no credit of the statement pays the item. */
  readonly unpaid: Float64Array;
}

export function pairWeights(
  { waiting, found, grid, days }: PairFile,
  { habits, deviation, strangersPerDay }: PairRates,
): PairWeights {
  const seen = Float64Array.from(waiting.waits, (wait) => chanceOfBeingSeen(wait, habits, grid, days));
  const unpaid = seen.map((chance) => 1 - (1 - deviation) * chance);
  const worthOf = worthOfHit(found.alike);
  const weights = new Float64Array(found.pairs.length);
  const chances = new Float64Array(found.pairs.length);
  found.pairs.forEach((pair, index) => {
    const { credit, positions, wait } = pair;
    const chance = chanceOfBooking(wait, habits, grid, credit.bookingDay) * together(pair, waiting, habits);
    const ofItems = positions.reduce((all, position) => (all * (1 - deviation)) / at(unpaid, position), 1);
    chances[index] = chance;
    weights[index] = (chance * worthOf(credit.amount) * ofItems) / strangersPerDay;
  });
  return { weights, chances, seen, unpaid };
}

/**
 * Among how many amounts a stranger's credit would have had to choose: as many as the items show. That an amount was seen
 * once says little, so as often as amounts were seen twice (Good and Turing), it counts less than once.
 */
function worthOfHit(alike: FoundPairs['alike']): (amount: number) => number {
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
    return Math.max(1, Math.min(WORTH_MAX, size / (count > 1 ? count : ofOnce)));
  };
}

/**
 * A clawback is paid back by the first payments of a cut: so there was a cut just before them, none until all of them were
 * there, and no other clawback was owed by then.
 */
function together({ clawback, positions }: Pair, { line }: LineOfWaits, habits: TakingHabits): number {
  if (clawback === undefined) return 1;
  const { firstOfCut, owed, others } = clawback;
  const untaken = (from: number, to: number): number => Math.exp(-habits.hazard(at(line.key, from), at(line.key, to)));
  const first = positions[0] ?? firstOfCut;
  const last = positions.at(-1) ?? firstOfCut;
  // Before its payment is paid a refund takes nothing back: the two leave together.
  const isOwed = (refund: number): number => {
    const payment = line.payment[refund] ?? -1;
    return payment < 0 ? 1 : 1 - untaken(payment, refund);
  };
  let before = firstOfCut - 1;
  while (before >= 0 && at(line.amount, before) <= 0) before -= 1;
  let chance = untaken(first, last) * Math.max(UNTIMELY_MIN, before < 0 ? 1 : 1 - untaken(before, firstOfCut));
  for (const refund of owed) chance *= Math.max(UNTIMELY_MIN, isOwed(refund));
  for (const refund of others) {
    const isElsewhere = 1 - isOwed(refund) * (refund < last ? untaken(refund, last) : untaken(last, refund));
    chance *= Math.max(UNTIMELY_MIN, isElsewhere);
  }
  return chance < TOGETHER_MIN ? 0 : chance;
}
