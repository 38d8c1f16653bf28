import { at } from './at';

/** The width of a time of day in which cuts are counted. */
export const BIN_MS = 300_000;
export const BINS = 288;

/** The share of cuts at any time of day, however regular the others are. */
const UNIFORM_SHARE = 0.03;
/** How far the cuts of one clock lie apart, in bins to both sides twice: 6 minutes, a quarter and three quarters of an hour. */
const SPREADS = [1, 3, 10] as const;
/** Beside other streams, a stream with a clock of its own has this many cuts at any time of day at first. */
const OPEN_CUTS = 4;

/** Cuts by time of day: those of even days first, then those of odd days, so that each half can test the other. */
export type ClockCounts = Float64Array;

export function noClockCounts(): ClockCounts {
  return new Float64Array(2 * BINS);
}

/** The clock of the other streams of the same gateway. */
export interface OtherClock {
  readonly counts: ClockCounts;
  readonly shape: Float64Array;
}

export function otherClock(others: readonly ClockCounts[]): OtherClock {
  const counts = noClockCounts().map((_, place) => others.reduce((sum, clock) => sum + at(clock, place), 0));
  return { counts, shape: clockOf(counts).shape };
}

/** Returns the index of a bin of a day in the counts. */
export function placeOf(day: number, bin: number): number {
  return (day % 2) * BINS + bin;
}

/** The times of day of a stream's cuts. */
export interface Clock {
  /** The probability of each bin. */
  readonly shape: Float64Array;
  /** Returns the shape as it was without some of the cuts. */
  without(cuts: ClockCounts): Float64Array;
}

/**
 * Learns the times of day of a stream's cuts. How wide the hours are is learned: each half of the days states how well it
 * predicts the other. Whether the stream is cut with the others is learned in the same way.
 */
export function learnClock(own: ClockCounts, others: OtherClock | undefined): Clock {
  const alone = clockOf(own);
  if (others === undefined) return alone;
  const logSame = logOf(bothHalves(own), others.shape);
  const same = 1 / (1 + Math.exp(alone.logPredicted - logSame));
  const together = clockOf(own.map((count, place) => count + at(others.counts, place)));
  const cuts = sumOf(own);
  const open = OPEN_CUTS / (OPEN_CUTS + cuts) / BINS;
  const closed = cuts / (OPEN_CUTS + cuts);
  const mixed = (ofBoth: Float64Array, ofOne: Float64Array): Float64Array =>
    ofBoth.map((share, bin) => same * share + (1 - same) * (closed * at(ofOne, bin) + open));
  return {
    shape: mixed(together.shape, alone.shape),
    without: (part) => mixed(together.without(part), alone.without(part)),
  };
}

interface OwnClock extends Clock {
  /** The log probability of each half of the cuts, predicted from the other one. */
  readonly logPredicted: number;
}

function clockOf(counts: ClockCounts): OwnClock {
  const [even, odd] = [counts.subarray(0, BINS), counts.subarray(BINS)];
  const logs = SPREADS.map((spread) => logOf(even, spreadOut(odd, spread)) + logOf(odd, spreadOut(even, spread)));
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => weight / total);
  const all = spreadBy(bothHalves(counts), shares);
  return {
    shape: shapeOf(all),
    without: (part) => {
      const spread = spreadBy(bothHalves(part), shares);
      return shapeOf(all.map((count, bin) => Math.max(0, count - (spread[bin] ?? 0))));
    },
    logPredicted: most + Math.log(total / SPREADS.length),
  };
}

/** Returns the counts, a share of them spread by each width. */
function spreadBy(counts: Float64Array, shares: readonly number[]): Float64Array {
  const all = new Float64Array(BINS);
  SPREADS.forEach((width, index) => {
    const share = shares[index] ?? 0;
    if (share < 1e-6) return;
    const spread = averagedAround(averagedAround(counts, width), width);
    for (let bin = 0; bin < BINS; bin += 1) all[bin] = (all[bin] ?? 0) + share * (spread[bin] ?? 0);
  });
  return all;
}

/** Returns the log probability of counts under a shape. */
function logOf(counts: Float64Array, shape: Float64Array): number {
  let log = 0;
  // The loops here run for each stream in each round, so they read the arrays without `at`.
  for (let bin = 0; bin < BINS; bin += 1) {
    const count = counts[bin] ?? 0;
    if (count > 0) log += count * Math.log(shape[bin] ?? 0);
  }
  return log;
}

/** Returns the shape of counts that are spread over the bins around each of them. */
function spreadOut(counts: Float64Array, spread: number): Float64Array {
  return shapeOf(averagedAround(averagedAround(counts, spread), spread));
}

/** Returns the probabilities that spread counts show. */
function shapeOf(spread: Float64Array): Float64Array {
  const total = sumOf(spread);
  if (total === 0) return new Float64Array(BINS).fill(1 / BINS);
  return spread.map((count) => ((1 - UNIFORM_SHARE) * count) / total + UNIFORM_SHARE / BINS);
}

/** Returns the average of each bin and of so many bins on both sides of it, around the clock. */
function averagedAround(counts: Float64Array, reach: number): Float64Array {
  const averaged = new Float64Array(BINS);
  let sum = 0;
  for (let bin = -reach; bin <= reach; bin += 1) sum += counts[(bin + BINS) % BINS] ?? 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    averaged[bin] = Math.max(0, sum) / (2 * reach + 1);
    sum += (counts[(bin + reach + 1) % BINS] ?? 0) - (counts[(bin - reach + BINS) % BINS] ?? 0);
  }
  return averaged;
}

function bothHalves(counts: ClockCounts): Float64Array {
  const both = counts.slice(0, BINS);
  for (let bin = 0; bin < BINS; bin += 1) both[bin] = (both[bin] ?? 0) + (counts[BINS + bin] ?? 0);
  return both;
}

export function sumOf(numbers: Float64Array): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
