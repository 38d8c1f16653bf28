import { at, elementAt } from './at';
import type { DayGrid } from './day-grid';

const BIN_MS = 900_000;
const BINS = 96;
const DAY_MS = BIN_MS * BINS;
/** The kinds of days: the seven weekdays if banks work, and days off. */
const DAY_KINDS = 8;
const DAY_OFF = 7;
export const LAGS = 8;

/** Even a certain cut is sometimes missed: e^-3.5 is 3 %. */
export const EXPECTED_PER_DAY_MAX = 3.5;
const UNIFORM_SHARE = 0.03;
const SMOOTHING = [0.06, 0.24, 0.4, 0.24, 0.06] as const;
const FIRST_LAGS = [0.22, 0.45, 0.15, 0.08, 0.05, 0.03, 0.01, 0.01] as const;

/** The rates at which the gateway cuts and the bank books, as the file shows them. They weigh explanations. */
export interface CutRates {
  /** Returns the expected number of cuts in `[from, to)`. */
  expected(from: number, to: number): number;
  lag(workingDays: number): number;
  /** The width of a cut's time of day, in milliseconds; a day if nothing is known. */
  readonly widthMs: number;
}

/** Cuts and lags, each weighted with its probability. */
export interface CutCounts {
  readonly clock: Float64Array;
  readonly dayKind: Float64Array;
  readonly lag: Float64Array;
  /** The days on which cuts were searched. */
  readonly days: { readonly from: number; readonly to: number };
}

export function countNothing(days: CutCounts['days']): CutCounts {
  return {
    clock: new Float64Array(BINS),
    dayKind: new Float64Array(DAY_KINDS),
    lag: new Float64Array(LAGS),
    days,
  };
}

/** Returns the rates before anything is known: a number of cuts a day, at any time. */
export function unknownCutRates(grid: DayGrid, cutsPerDay: number): CutRates {
  const rates = new Float64Array(DAY_KINDS).fill(Math.min(EXPECTED_PER_DAY_MAX, Math.max(0.05, cutsPerDay)));
  rates[DAY_OFF] = at(rates, 0) * 0.2;
  return cutRatesOf(grid, new Float64Array(BINS).fill(1 / BINS), rates, Float64Array.from(FIRST_LAGS));
}

export function learnCutRates(grid: DayGrid, counts: CutCounts): CutRates {
  const shape = smoothed(counts.clock);
  const seen = new Float64Array(DAY_KINDS);
  for (let day = counts.days.from; day <= counts.days.to && day < grid.days; day += 1) {
    const kind = dayKind(grid, day);
    seen[kind] = at(seen, kind) + 1;
  }
  const total = sumOf(counts.dayKind);
  const average = total / Math.max(1, counts.days.to - counts.days.from + 1);
  const rates = counts.dayKind.map((count, kind) => {
    // The weight of two average days keeps a weekday that was seen once from being certain.
    const share = (count + 2 * average) / (at(seen, kind) + 2);
    return share <= 1 ? Math.min(EXPECTED_PER_DAY_MAX, -Math.log(1 - Math.min(0.97, share))) : share * 2.5;
  });
  const lags = counts.lag.map((count, lag) => count + 2 * elementAt(FIRST_LAGS, lag));
  const sum = sumOf(lags);
  return cutRatesOf(
    grid,
    shape,
    rates.map((rate) => Math.max(rate, 0.004)),
    lags.map((count) => count / sum),
  );
}

/** The limit on the cuts that other streams of the same gateway contribute: enough for a start, too few to outvote. */
const OTHERS_MAX = 8;

/** The probability that a stream is cut at the hours of the other streams. Otherwise it has hours of its own. */
const SAME_CLOCK = 0.5;

/** Returns a stream's own counts, with a small weight of the other streams' counts. */
export function withOthers(own: CutCounts, others: readonly CutCounts[]): CutCounts {
  const total = others.reduce((sum, { dayKind }) => sum + sumOf(dayKind), 0);
  if (total === 0) return own;
  const scale = Math.min(1, OTHERS_MAX / total);
  const add = (field: 'clock' | 'dayKind' | 'lag', weight = scale, each = 0): Float64Array =>
    own[field].map(
      (count, place) => count + each + weight * others.reduce((sum, other) => sum + at(other[field], place), 0),
    );
  const clock = add('clock', scale * SAME_CLOCK, (scale * total * (1 - SAME_CLOCK)) / BINS);
  return { clock, dayKind: add('dayKind'), lag: add('lag'), days: own.days };
}

/** Returns the sum of both counts. */
export function addCounts(own: CutCounts, more: CutCounts): CutCounts {
  const add = (field: 'clock' | 'dayKind' | 'lag'): Float64Array =>
    own[field].map((count, place) => count + at(more[field], place));
  const days = { from: Math.min(own.days.from, more.days.from), to: Math.max(own.days.to, more.days.to) };
  return { clock: add('clock'), dayKind: add('dayKind'), lag: add('lag'), days };
}

function sumOf(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Adds a cut somewhere in `[from, to)`, distributed as the current rates expect it, and its lag to the booking. */
export function countCut(
  counts: CutCounts,
  cutRates: CutRates,
  grid: DayGrid,
  cut: { readonly from: number; readonly to: number; readonly bookingDay: number; readonly share: number },
): void {
  const total = cutRates.expected(cut.from, cut.to);
  if (!(total > 0)) return;
  const lastDay = Math.min(grid.dayOf(cut.to - 1), cut.bookingDay);
  for (let day = grid.dayOf(cut.from); day <= lastDay; day += 1) {
    const start = at(grid.startAt, day);
    const kind = dayKind(grid, day);
    const firstBin = Math.max(0, Math.floor((cut.from - start) / BIN_MS));
    const lastBin = Math.min(BINS - 1, Math.floor((cut.to - 1 - start) / BIN_MS));
    let ofDay = 0;
    for (let bin = firstBin; bin <= lastBin; bin += 1) {
      const from = Math.max(cut.from, start + bin * BIN_MS);
      const to = Math.min(cut.to, start + (bin + 1) * BIN_MS);
      const share = (cut.share * cutRates.expected(from, to)) / total;
      counts.clock[bin] = at(counts.clock, bin) + share;
      ofDay += share;
    }
    counts.dayKind[kind] = at(counts.dayKind, kind) + ofDay;
    const lag = Math.min(LAGS - 1, grid.lag(day, cut.bookingDay));
    if (lag >= 0) counts.lag[lag] = at(counts.lag, lag) + ofDay;
  }
}

function cutRatesOf(grid: DayGrid, shape: Float64Array, rates: Float64Array, lags: Float64Array): CutRates {
  const upTo = new Float64Array(BINS + 1);
  for (let bin = 0; bin < BINS; bin += 1) upTo[bin + 1] = at(upTo, bin) + at(shape, bin);
  const before = new Float64Array(grid.days + 1);
  for (let day = 0; day < grid.days; day += 1) {
    before[day + 1] = at(before, day) + at(rates, dayKind(grid, day));
  }
  const concentration = shape.reduce((sum, share) => sum + share * share, 0);

  function cumulated(instant: number): number {
    if (instant === Infinity) return at(before, grid.days);
    const day = grid.dayOf(instant);
    const into = Math.max(0, Math.min(DAY_MS, instant - at(grid.startAt, day)));
    const bin = Math.min(BINS - 1, Math.floor(into / BIN_MS));
    const share = at(upTo, bin) + at(shape, bin) * ((into - bin * BIN_MS) / BIN_MS);
    return at(before, day) + at(rates, dayKind(grid, day)) * share;
  }
  return {
    expected: (from, to) => (to <= from ? 0 : Math.max(0, cumulated(to) - cumulated(from))),
    lag: (workingDays) => (workingDays < 0 || workingDays >= LAGS ? 0 : at(lags, workingDays)),
    widthMs: BIN_MS / concentration,
  };
}

function dayKind(grid: DayGrid, day: number): number {
  return grid.isWorking[day] === 1 ? at(grid.weekday, day) : DAY_OFF;
}

function smoothed(counts: Float64Array): Float64Array {
  const spread = new Float64Array(BINS);
  counts.forEach((count, bin) => {
    SMOOTHING.forEach((share, offset) => {
      const place = (bin + offset - 2 + BINS) % BINS;
      spread[place] = at(spread, place) + count * share;
    });
  });
  const total = sumOf(spread);
  return spread.map((count) => (total > 0 ? ((1 - UNIFORM_SHARE) * count) / total : 0) + UNIFORM_SHARE / BINS);
}
