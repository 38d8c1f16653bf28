import { at, elementAt } from './at';
import {
  BIN_MS,
  BINS,
  type ClockCounts,
  learnClock,
  noClockCounts,
  type OtherClock,
  otherClock,
  placeOf,
  sumOf,
} from './cut-clock';
import type { DayGrid } from './day-grid';

const DAY_MS = BIN_MS * BINS;
/** The kinds of days: the seven weekdays if banks work, and days off. */
const DAY_KINDS = 8;
const DAY_OFF = 7;
export const LAGS = 8;
/** A cut before noon may be booked on the same day, and one after noon on the next. */
const HALF_DAYS = 2;
export const HALF_DAY_MS = DAY_MS / HALF_DAYS;
/** The lags of a half of the day begin as those of all cuts, with this weight. */
const LAGS_OF_ALL = 2;

/** Even a certain cut is sometimes missed: e^-3.5 is 3 %. */
export const EXPECTED_PER_DAY_MAX = 3.5;
const FIRST_LAGS = [0.22, 0.45, 0.15, 0.08, 0.05, 0.03, 0.01, 0.01] as const;

/** The rates at which the gateway cuts and the bank books, as the file shows them. They weigh explanations. */
export interface CutRates {
  /** Returns the expected number of cuts in `[from, to)`. */
  expected(from: number, to: number): number;
  /** Returns the probability of a lag in working days, for a cut at a time of day, in milliseconds; for any if undefined. */
  lag(workingDays: number, intoDayMs?: number): number;
  /** The width of a cut's time of day, in milliseconds; a day if nothing is known. */
  readonly widthMs: number;
}

/** Cuts and lags, each weighted with its probability. */
export interface CutCounts {
  readonly clock: ClockCounts;
  readonly dayKind: Float64Array;
  /** By lag, those of cuts before noon first. */
  readonly lag: Float64Array;
  /** The days on which cuts were searched. */
  readonly days: { readonly from: number; readonly to: number };
}

export function countNothing(days: CutCounts['days']): CutCounts {
  return {
    clock: noClockCounts(),
    dayKind: new Float64Array(DAY_KINDS),
    lag: new Float64Array(HALF_DAYS * LAGS),
    days,
  };
}

/** Returns the rates before anything is known: a number of cuts a day, at any time. */
export function unknownCutRates(grid: DayGrid, cutsPerDay: number): CutRates {
  const rates = new Float64Array(DAY_KINDS).fill(Math.min(EXPECTED_PER_DAY_MAX, Math.max(0.05, cutsPerDay)));
  rates[DAY_OFF] = at(rates, 0) * 0.2;
  return cutRatesOf(grid, new Float64Array(BINS).fill(1 / BINS), rates, lagsOf(new Float64Array(HALF_DAYS * LAGS)));
}

/** Rates that were learned from cuts. */
export interface LearnedCutRates extends CutRates {
  /** Returns the rates as they were without some of the cuts from which they were learned. */
  without(cuts: CutCounts): CutRates;
}

/** Returns the rates that the cuts of a stream show, and those of the other streams as far as they are alike. */
export function learnCutRates(grid: DayGrid, own: CutCounts, others?: OtherCuts): LearnedCutRates {
  const counts = others === undefined ? own : { ...own, ...addedTo(own, others) };
  const clock = learnClock(own.clock, others?.clock);
  const days = daysByKind(grid, counts.days);
  return {
    ...cutRatesOf(grid, clock.shape, dayRates(counts.dayKind, days), lagsOf(counts.lag)),
    // A cut leaves with its day: a day without a cut would count against another one.
    without: (cuts) =>
      cutRatesOf(
        grid,
        clock.without(cuts.clock),
        dayRates(less(counts.dayKind, cuts.dayKind), less(days, cuts.dayKind)),
        lagsOf(less(counts.lag, cuts.lag)),
      ),
  };
}

/** Returns the number of days of each kind on which cuts were searched. */
function daysByKind(grid: DayGrid, { from, to }: CutCounts['days']): Float64Array {
  const days = new Float64Array(DAY_KINDS);
  for (let day = from; day <= to && day < grid.days; day += 1) {
    const kind = dayKind(grid, day);
    days[kind] = at(days, kind) + 1;
  }
  return days;
}

/** Returns the expected cuts on a day of each kind. */
function dayRates(cuts: Float64Array, days: Float64Array): Float64Array {
  const average = sumOf(cuts) / Math.max(1, sumOf(days));
  return cuts.map((count, kind) => {
    // The weight of two average days keeps a weekday that was seen once from being certain.
    const share = (count + 2 * average) / (at(days, kind) + 2);
    const rate = share <= 1 ? Math.min(EXPECTED_PER_DAY_MAX, -Math.log(1 - Math.min(0.97, share))) : share * 2.5;
    return Math.max(rate, 0.004);
  });
}

function less(all: Float64Array, part: Float64Array): Float64Array {
  return all.map((count, place) => Math.max(0, count - at(part, place)));
}

/** Returns the probabilities of the lags: of all cuts, and of those in each half of the day. */
function lagsOf(counts: CutCounts['lag']): Lags {
  const [morning, afternoon] = [counts.subarray(0, LAGS), counts.subarray(LAGS)];
  const ofAll = shareOf(morning.map((count, lag) => count + at(afternoon, lag) + 2 * elementAt(FIRST_LAGS, lag)));
  const ofHalf = (half: Float64Array): Float64Array =>
    shareOf(half.map((count, lag) => count + LAGS_OF_ALL * at(ofAll, lag)));
  return { ofAll, ofHalves: [ofHalf(morning), ofHalf(afternoon)] };
}

function shareOf(counts: Float64Array): Float64Array {
  const sum = sumOf(counts);
  return counts.map((count) => count / sum);
}

/** The limit on the cuts that other streams of the same gateway contribute: enough for a start, too few to outvote. */
const OTHERS_MAX = 8;

/** The cuts of the other streams of the same gateway. */
export interface OtherCuts {
  readonly clock: OtherClock;
  readonly dayKind: Float64Array;
  readonly lag: Float64Array;
}

/** Returns what the cuts of other streams say about a stream; undefined if they have none. */
export function otherCuts(others: readonly CutCounts[]): OtherCuts | undefined {
  const total = others.reduce((sum, { dayKind }) => sum + sumOf(dayKind), 0);
  if (total === 0) return undefined;
  const scale = Math.min(1, OTHERS_MAX / total);
  const scaled = (field: 'dayKind' | 'lag', size: number): Float64Array =>
    new Float64Array(size).map((_, place) => scale * others.reduce((sum, other) => sum + at(other[field], place), 0));
  return {
    clock: otherClock(others.map(({ clock }) => clock)),
    dayKind: scaled('dayKind', DAY_KINDS),
    lag: scaled('lag', HALF_DAYS * LAGS),
  };
}

/** Returns the sum of both counts. */
export function addCounts(own: CutCounts, more: CutCounts): CutCounts {
  const days = { from: Math.min(own.days.from, more.days.from), to: Math.max(own.days.to, more.days.to) };
  return { clock: own.clock.map((count, place) => count + at(more.clock, place)), ...addedTo(own, more), days };
}

function addedTo(
  own: CutCounts,
  more: Pick<CutCounts, 'dayKind' | 'lag'>,
): { readonly dayKind: Float64Array; readonly lag: Float64Array } {
  return {
    dayKind: own.dayKind.map((count, place) => count + at(more.dayKind, place)),
    lag: own.lag.map((count, place) => count + at(more.lag, place)),
  };
}

/** A cut somewhere in `[from, to)`, and its probability. */
export interface LikelyCut {
  readonly from: number;
  readonly to: number;
  readonly bookingDay: number;
  readonly share: number;
}

/** Adds a cut, distributed as the current rates expect it, and its lag to the booking. */
export function countCut(counts: CutCounts, cutRates: CutRates, grid: DayGrid, cut: LikelyCut): void {
  const total = cutRates.expected(cut.from, cut.to);
  if (!(total > 0)) return;
  const lastDay = Math.min(grid.dayOf(cut.to - 1), cut.bookingDay);
  for (let day = grid.dayOf(cut.from); day <= lastDay; day += 1) {
    const start = at(grid.startAt, day);
    const kind = dayKind(grid, day);
    const firstBin = Math.max(0, Math.floor((cut.from - start) / BIN_MS));
    const lastBin = Math.min(BINS - 1, Math.floor((cut.to - 1 - start) / BIN_MS));
    let ofDay = 0;
    let ofMorning = 0;
    for (let bin = firstBin; bin <= lastBin; bin += 1) {
      const from = Math.max(cut.from, start + bin * BIN_MS);
      const to = Math.min(cut.to, start + (bin + 1) * BIN_MS);
      const share = (cut.share * cutRates.expected(from, to)) / total;
      const place = placeOf(day, bin);
      counts.clock[place] = at(counts.clock, place) + share;
      ofDay += share;
      if (bin < BINS / HALF_DAYS) ofMorning += share;
    }
    counts.dayKind[kind] = at(counts.dayKind, kind) + ofDay;
    const lag = Math.min(LAGS - 1, grid.lag(day, cut.bookingDay));
    if (lag < 0) continue;
    counts.lag[lag] = at(counts.lag, lag) + ofMorning;
    counts.lag[LAGS + lag] = at(counts.lag, LAGS + lag) + ofDay - ofMorning;
  }
}

interface Lags {
  readonly ofAll: Float64Array;
  readonly ofHalves: readonly [Float64Array, Float64Array];
}

function cutRatesOf(grid: DayGrid, shape: Float64Array, rates: Float64Array, lags: Lags): CutRates {
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
    lag(workingDays, intoDayMs) {
      if (workingDays < 0 || workingDays >= LAGS) return 0;
      if (intoDayMs === undefined) return at(lags.ofAll, workingDays);
      return at(lags.ofHalves[intoDayMs < HALF_DAY_MS ? 0 : 1], workingDays);
    },
    widthMs: BIN_MS / concentration,
  };
}

function dayKind(grid: DayGrid, day: number): number {
  return grid.isWorking[day] === 1 ? at(grid.weekday, day) : DAY_OFF;
}
