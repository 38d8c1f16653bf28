import { at } from '../at';
import { LAGS } from '../cut-rates';
import type { DayGrid } from '../day-grid';
import type { PayoutHazard } from './payout-hazard';

/** The longest time that an item waits for its cut. */
export const WAIT_DAYS_MAX = 9;
/** A time known to within five minutes counts as exact. */
const SURE_WITHIN_MS = 300_000;

/** When a cut could first take an item, and what bounds the time of that cut. */
export interface Wait {
  /** It became available in `(after, until]`. */
  readonly after: number;
  readonly until: number;
  /** The cut lies in `[from, to)`. This bound counts against the explanation. */
  readonly from: number;
  readonly to: number;
  /** The cut lies in `[seenOpen, seenTaken)`. Every explanation must fit these observations. */
  readonly seenOpen: number;
  readonly seenTaken: number;
}

/** Returns the instants at which it may have become available, evenly spread over the open interval. */
export function availableAt({ after, until }: Wait): readonly number[] {
  return until - after <= SURE_WITHIN_MS ? [until] : [after, (after + until) / 2, until];
}

/** Returns the probability that a cut in `[from, to)` takes the waiting item. */
export function takenBetween(wait: Wait, hazard: PayoutHazard, from: number, to: number): number {
  const { after, until } = wait;
  if (until - after <= SURE_WITHIN_MS) return takenFrom(until, hazard, from, to);
  const middle = (after + until) / 2;
  return (
    (takenFrom(after, hazard, from, to) + takenFrom(middle, hazard, from, to) + takenFrom(until, hazard, from, to)) / 3
  );
}

function takenFrom(available: number, hazard: PayoutHazard, from: number, to: number): number {
  const start = Math.max(available, from);
  if (to <= start) return 0;
  return Math.exp(-hazard.between(available, start)) * -Math.expm1(-hazard.between(start, to));
}

/** Returns the probability that its booking is among the days of the statement, `[firstDay, horizonDay]`. */
export function chanceOfBeingSeen(
  wait: Wait,
  hazard: PayoutHazard,
  grid: DayGrid,
  { firstDay, horizonDay }: { readonly firstDay: number; readonly horizonDay: number },
): number {
  let chance = 0;
  const first = grid.dayOf(wait.until);
  const last = first + 2 * WAIT_DAYS_MAX;
  // Far from both ends of the statement, the day of the booking does not matter.
  if (first >= firstDay && last + 2 * LAGS < horizonDay) {
    return takenFrom(wait.until, hazard, wait.from, Math.min(wait.to, at(grid.startAt, last)));
  }
  for (let day = first; day <= Math.min(horizonDay, last); day += 1) {
    const upTo = hazard.lagUpTo(grid.lag(day, horizonDay));
    const before = day < firstDay ? hazard.lagUpTo(grid.lag(day, firstDay) - 1) : 0;
    const from = Math.max(wait.from, at(grid.startAt, day));
    const to = Math.min(wait.to, at(grid.startAt, day + 1));
    chance += Math.max(0, upTo - before) * takenFrom(wait.until, hazard, from, to);
  }
  return Math.min(1, chance);
}

const LEFT_OUT = 5e-4;
/** The time of the cuts is learned in bins of five minutes, and a bin is no more exact than its neighbors. */
const CLOCK_WIDTH_MS = 600_000;
const STEPS = 24;

/** Returns the interval of the cut, given its booking, with all but a thousandth of the probability. */
export function cutOf(
  wait: Wait,
  hazard: PayoutHazard,
  grid: DayGrid,
  bookingDay: number,
): { readonly cutFrom: number; readonly cutTo: number } {
  const open = Math.max(wait.from, wait.seenOpen, wait.after);
  const latest = Math.min(wait.to, wait.seenTaken, at(grid.startAt, bookingDay + 1));
  const days: { readonly from: number; readonly to: number; readonly chance: number }[] = [];
  for (let day = grid.dayOf(open); day <= bookingDay; day += 1) {
    const from = Math.max(open, at(grid.startAt, day));
    const to = Math.min(latest, at(grid.startAt, day + 1));
    const chance = hazard.lag(grid.lag(day, bookingDay)) * takenBetween(wait, hazard, from, to);
    if (to > from && chance > 0) days.push({ from, to, chance });
  }
  const total = days.reduce((sum, { chance }) => sum + chance, 0);
  const likely = days.filter(({ chance }) => chance > LEFT_OUT * total);
  const first = likely[0];
  const last = likely.at(-1);
  if (first === undefined || last === undefined) {
    return { cutFrom: wait.until, cutTo: Math.max(latest, wait.until + 1) };
  }
  const rest = LEFT_OUT * total;
  const cutFrom = quantile(first, (to) => chanceIn(wait, hazard, grid, bookingDay, first.from, to) >= rest);
  const cutTo = quantile(last, (to) => chanceIn(wait, hazard, grid, bookingDay, to, last.to) <= rest);
  const from = Math.max(open, Math.floor(cutFrom.low) - CLOCK_WIDTH_MS);
  return { cutFrom: from, cutTo: Math.max(from + 1, Math.min(latest, Math.ceil(cutTo.high) + CLOCK_WIDTH_MS)) };
}

/** Returns the probability of a cut within one day that is booked on the day. */
function chanceIn(
  wait: Wait,
  hazard: PayoutHazard,
  grid: DayGrid,
  bookingDay: number,
  from: number,
  to: number,
): number {
  return hazard.lag(grid.lag(grid.dayOf(from), bookingDay)) * takenBetween(wait, hazard, from, to);
}

/** Narrows an interval to the point from which a condition holds. */
function quantile(
  { from, to }: { readonly from: number; readonly to: number },
  isTrueAt: (instant: number) => boolean,
): { readonly low: number; readonly high: number } {
  let low = from;
  let high = to;
  for (let step = 0; step < STEPS && high - low > 1; step += 1) {
    const middle = (low + high) / 2;
    if (isTrueAt(middle)) high = middle;
    else low = middle;
  }
  return { low, high };
}
