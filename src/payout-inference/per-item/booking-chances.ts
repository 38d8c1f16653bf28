import { at } from '../at';
import type { DayGrid } from '../day-grid';
import type { Bookings } from './pair-columns';
import type { PayoutHazard } from './payout-hazard';
import { availableAt, takenBetween, type Wait, WAIT_DAYS_MAX } from './wait-of-item';

/**
 * The probability of observations that contradict each other and the payment, as after a payout that was called off.
 */
const CONTRADICTED = 1e-5;
const POSSIBLE_MIN = 1e-9;
/** The limit, in calendar days, from a cut to its booking. */
const BOOKED_WITHIN_DAYS = 2 * WAIT_DAYS_MAX;

/**
 * Returns, by index into `days`, the probability that the bank books the waiting item on that day. All days of a wait
 * are computed together, because the probability of being taken on a day does not depend on the booking.
 */
export function bookingChances(
  { waits, begin, days }: Omit<Bookings, 'ofPair'>,
  hazard: PayoutHazard,
  grid: DayGrid,
): Float64Array {
  const chances = new Float64Array(days.length);
  const lags = lagsBefore(hazard, grid);
  waits.forEach((wait, index) => {
    const from = at(begin, index);
    const to = at(begin, index + 1);
    const limits = limitsOf(wait, hazard, grid);
    let earliest = Infinity;
    let latest = -Infinity;
    for (let place = from; place < to; place += 1) {
      earliest = Math.min(earliest, at(days, place));
      latest = Math.max(latest, at(days, place));
    }
    const firstDay = Math.max(limits.firstDay, earliest - BOOKED_WITHIN_DAYS);
    const taken = takenOnDays(wait, limits, hazard, grid, { firstDay, lastDay: latest });
    for (let place = from; place < to; place += 1) {
      const day = at(days, place);
      let chance = 0;
      for (let cut = Math.max(limits.firstDay, day - BOOKED_WITHIN_DAYS); cut <= day; cut += 1) {
        chance += at(lags, day * (BOOKED_WITHIN_DAYS + 1) + day - cut) * at(taken, cut - firstDay);
      }
      chances[place] = limits.isContradicted ? chance * CONTRADICTED : Math.min(1, chance / limits.possible);
    }
  });
  return chances;
}

/** Returns the probability of each lag, by day of booking and days since the cut. */
function lagsBefore(hazard: PayoutHazard, grid: DayGrid): Float64Array {
  const width = BOOKED_WITHIN_DAYS + 1;
  const lags = new Float64Array(grid.days * width);
  for (let day = 0; day < grid.days; day += 1) {
    for (let since = 0; since <= Math.min(day, BOOKED_WITHIN_DAYS); since += 1) {
      lags[day * width + since] = hazard.lag(grid.lag(day - since, day));
    }
  }
  return lags;
}

interface Limits {
  /** The cut lies in `[open, close)`, on `firstDay` or later. */
  readonly open: number;
  readonly close: number;
  readonly firstDay: number;
  /** The probability of a cut that fits the observations, given that there was one. */
  readonly possible: number;
  readonly isContradicted: boolean;
}

function limitsOf(wait: Wait, hazard: PayoutHazard, grid: DayGrid): Limits {
  const { after, from, to, seenOpen, seenTaken } = wait;
  const isUnseen = seenOpen === -Infinity && seenTaken === Infinity;
  const possible = isUnseen ? 1 : takenBetween(wait, hazard, seenOpen, seenTaken);
  const isContradicted = possible < POSSIBLE_MIN;
  const open = isContradicted ? from : Math.max(from, seenOpen);
  const close = isContradicted ? to : Math.min(to, seenTaken);
  return { open, close, firstDay: grid.dayOf(Math.max(after + 1, open)), possible, isContradicted };
}

/** Returns the probability of being taken on each of some days. */
function takenOnDays(
  wait: Wait,
  { open, close }: Limits,
  { upTo, upToDay }: PayoutHazard,
  { startAt }: DayGrid,
  { firstDay, lastDay }: { readonly firstDay: number; readonly lastDay: number },
): Float64Array {
  const taken = new Float64Array(Math.max(0, lastDay - firstDay + 1));
  const points = availableAt(wait);
  for (const available of points) {
    const upToAvailable = upTo(available);
    for (let day = firstDay; day <= lastDay; day += 1) {
      const midnight = at(startAt, day);
      const nextMidnight = at(startAt, day + 1);
      const from = Math.max(available, open, midnight);
      const to = Math.min(close, nextMidnight);
      if (to <= from) continue;
      // The sum up to each midnight is known, and most days are whole.
      const upToFrom = from === midnight ? at(upToDay, day) : upTo(from);
      const upToTo = to === nextMidnight ? at(upToDay, day + 1) : upTo(to);
      const untaken = from > available ? Math.exp(-Math.max(0, upToFrom - upToAvailable)) : 1;
      const chance = untaken * -Math.expm1(-Math.max(0, upToTo - upToFrom));
      taken[day - firstDay] = at(taken, day - firstDay) + chance;
    }
  }
  return points.length === 1 ? taken : taken.map((sum) => sum / points.length);
}
