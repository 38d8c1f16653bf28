import { at, elementAt } from '../at';
import { LAGS } from '../cut-rates';
import type { DayGrid } from '../day-grid';

export const BIN_MS = 300_000;
export const BINS = 288;
/** The kinds of days: the seven weekdays if banks work, and days off. */
const DAY_KINDS = 8;
const DAY_OFF = 7;

/** The prior: a cut takes an item once a day on average, at any time. */
const FIRST_PER_DAY = 1;
/** The file must outweigh this many items that were never taken at this time. */
const UNSEEN_ITEMS = 2;
const UNSEEN_PER_DAY = 0.05;
/** A weekday counts as similar to the others until this many items of its own show otherwise. */
const COMMON_ITEMS = 4;
/** Items share their cuts, so many taken items do not prove that the next one is taken. */
const TAKEN_MAX = 0.99;
const FIRST_LAGS = [0.22, 0.45, 0.15, 0.08, 0.05, 0.03, 0.01, 0.01] as const;
const LAG_WEIGHT = 1;

/** The hazard that the gateway takes an available item, and the lag of the booking. */
export interface PayoutHazard {
  /**
   * Returns the hazard between two instants. An item that is available all that time stays untaken with probability
   * e^-hazard.
   */
  between(from: number, to: number): number;
  /** Returns the hazard from the start of the grid up to an instant; `upToDay`: up to the start of each day. */
  upTo(instant: number): number;
  readonly upToDay: Float64Array;
  /** By kind of day and five-minute bin: the probability that an item stays untaken through it. */
  readonly untaken: Float64Array;
  lag(workingDays: number): number;
  /** Returns the probability of at most this number of working days. */
  lagUpTo(workingDays: number): number;
}

/** Counts of items by five-minute bin: those that were taken, and those that could have been. */
export interface ExposureCounts {
  readonly taken: Float64Array;
  readonly atRisk: Float64Array;
  readonly lag: Float64Array;
}

export function noExposure(): ExposureCounts {
  return {
    taken: new Float64Array(DAY_KINDS * BINS),
    atRisk: new Float64Array(DAY_KINDS * BINS),
    lag: new Float64Array(LAGS),
  };
}

export function dayKindOf(grid: DayGrid, day: number): number {
  return grid.isWorking[day] === 1 ? at(grid.weekday, day) : DAY_OFF;
}

export function unknownHazard(grid: DayGrid): PayoutHazard {
  return hazardOf(grid, new Float64Array(DAY_KINDS * BINS).fill(FIRST_PER_DAY / BINS), Float64Array.from(FIRST_LAGS));
}

/** Learns the hazard as a life table: of the items that could have been taken at a time, the share that was. */
export function learnHazard(grid: DayGrid, { taken, atRisk, lag }: ExposureCounts): PayoutHazard {
  const unseen = (UNSEEN_ITEMS * UNSEEN_PER_DAY) / BINS;
  const hazards = new Float64Array(DAY_KINDS * BINS);
  for (let bin = 0; bin < BINS; bin += 1) {
    let takenAny = 0;
    let atRiskAny = 0;
    for (let kind = 0; kind < DAY_OFF; kind += 1) {
      takenAny += at(taken, kind * BINS + bin);
      atRiskAny += at(atRisk, kind * BINS + bin);
    }
    const common = (takenAny + unseen) / (atRiskAny + UNSEEN_ITEMS);
    for (let kind = 0; kind < DAY_KINDS; kind += 1) {
      const place = kind * BINS + bin;
      const [expected, weight] = kind === DAY_OFF ? [unseen, UNSEEN_ITEMS] : [COMMON_ITEMS * common, COMMON_ITEMS];
      const share = (at(taken, place) + expected) / (at(atRisk, place) + weight);
      hazards[place] = -Math.log1p(-Math.min(TAKEN_MAX, share));
    }
  }
  const lags = lag.map((count, days) => count + LAG_WEIGHT * elementAt(FIRST_LAGS, days));
  const sum = lags.reduce((all, count) => all + count, 0);
  return hazardOf(
    grid,
    hazards,
    lags.map((count) => count / sum),
  );
}

function hazardOf(grid: DayGrid, hazards: Float64Array, lags: Float64Array): PayoutHazard {
  const upTo = new Float64Array(DAY_KINDS * (BINS + 1));
  for (let kind = 0; kind < DAY_KINDS; kind += 1) {
    for (let bin = 0; bin < BINS; bin += 1) {
      const place = kind * (BINS + 1) + bin;
      upTo[place + 1] = at(upTo, place) + at(hazards, kind * BINS + bin);
    }
  }
  const kinds = Uint8Array.from({ length: grid.days }, (_, day) => dayKindOf(grid, day));
  const before = new Float64Array(grid.days + 1);
  for (let day = 0; day < grid.days; day += 1) {
    before[day + 1] = at(before, day) + at(upTo, dayKindOf(grid, day) * (BINS + 1) + BINS);
  }
  let all = 0;
  const lagsUpTo = lags.map((share) => (all += share));

  const bins = BINS;
  const binMs = BIN_MS;
  // Called millions of times, so it reads without `at`.
  function cumulated(instant: number): number {
    if (instant === Infinity) return before[grid.days] ?? 0;
    const day = grid.dayOf(instant);
    const into = Math.max(0, Math.min(bins, (instant - (grid.startAt[day] ?? 0)) / binMs));
    const bin = Math.min(bins - 1, Math.floor(into));
    const kind = kinds[day] ?? 0;
    const inBin = (hazards[kind * bins + bin] ?? 0) * (into - bin);
    return (before[day] ?? 0) + (upTo[kind * (bins + 1) + bin] ?? 0) + inBin;
  }
  return {
    between: (from, to) => (to <= from ? 0 : Math.max(0, cumulated(to) - cumulated(from))),
    upTo: cumulated,
    upToDay: before,
    untaken: hazards.map((hazard) => Math.exp(-hazard)),
    lag: (workingDays) => (workingDays < 0 || workingDays >= LAGS ? 0 : at(lags, workingDays)),
    lagUpTo: (workingDays) => (workingDays < 0 ? 0 : at(lagsUpTo, Math.min(LAGS - 1, workingDays))),
  };
}
