import { DAY_MS } from '../kernel';
import { at, elementAt } from './at';
import type { DayGrid } from './day-grid';
import { upperBound } from './lower-bound';
import type { StreamItems } from './order-stream';
import { payoutFees, type Priced } from './price-stream';

/** A credit in the form that links need. */
export interface Credit {
  /** The index among the credits of the request, by booking date and id. */
  readonly index: number;
  readonly amount: number;
  readonly bookingDay: number;
  /** The cut of its payout lies in `[earliest, latest)`. */
  readonly earliest: number;
  readonly latest: number;
  /** The day on which the bank debited it back, unless the same amount was paid again. */
  readonly takenBackDay?: number | undefined;
}

/** A run of items, from position `from` up to `to`, whose payout is the amount of the credit. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly credit: Credit;
  /** What the credit lacks of the payout of the run, if it lacks a recurring amount; negative if it holds more. */
  readonly lacks?: number | undefined;
}

export interface LinkSearch {
  readonly sequence: StreamItems;
  readonly priced: readonly Priced[];
  readonly credits: readonly Credit[];
  readonly grid: DayGrid;
  /** The longest time between two cuts. */
  readonly windowMs: number;
}

/**
 * By the credit's `index`: how many runs passed the credit's amount, and how many met it. The likelihood ratio of a hit
 * depends on both.
 */
export interface Chances {
  readonly passed: Float64Array;
  readonly met: Float64Array;
}

/** Finds the links that begin at a position. It searches the credits in the order of their amounts. */
export interface LinkFinder {
  from(position: number): Link[];
  readonly chances: Chances;
  /** The steps so far: the cost of the search. */
  steps(): number;
}

export function linkFinder(search: LinkSearch): LinkFinder {
  const { sequence, priced, credits, grid } = search;
  const count = credits.reduce((most, { index }) => Math.max(most, index + 1), 0);
  const chances: Chances = { passed: new Float64Array(count), met: new Float64Array(count) };
  const plausible = plausibleCredits(search);
  let steps = 0;
  return {
    chances,
    steps: () => steps,
    from(position) {
      const found: Link[] = [];
      const list = plausible(grid.dayOf(at(sequence.key, position)));
      if (list.length === 0) return found;
      for (const version of priced) steps += walk(search, { start: position, version, list, chances, found });
      return found;
    },
  };
}

/** Returns a function that finds the credits, by amount, whose cut can lie within the window after a day. */
function plausibleCredits({ credits, grid, windowMs }: LinkSearch): (day: number) => readonly Credit[] {
  const listOfDay = new Map<number, readonly Credit[]>();
  const byAmount = [...credits].sort((a, b) => a.amount - b.amount || a.index - b.index);
  return (day) => {
    const known = listOfDay.get(day);
    if (known !== undefined) return known;
    const from = at(grid.startAt, day);
    const found = byAmount.filter(({ earliest, latest }) => latest > from && earliest < from + windowMs + DAY_MS);
    listOfDay.set(day, found);
    return found;
  };
}

interface Walk {
  readonly start: number;
  readonly version: Priced;
  /** By amount; at least one. */
  readonly list: readonly Credit[];
  /** Both grow. */
  readonly chances: Chances;
  readonly found: Link[];
}

/** Adds the links that begin at a position under one set of fee rules. Returns the steps taken. */
function walk(
  { sequence, grid, windowMs }: LinkSearch,
  { start, version, list, chances: { passed, met }, found }: Walk,
): number {
  const { net, perPayout } = version;
  const { key, payment, isBoundary, amount, refundedBefore, size } = sequence;
  const most = elementAt(list, list.length - 1).amount;
  const end = at(key, start) + windowMs;
  const validFrom = at(grid.startAt, version.fromDay);
  const validTo = at(grid.startAt, version.toDay);
  const positives = new Float64Array(perPayout?.terms.length ?? 0);
  const slack = at(refundedBefore, upperBound(key, end, start, size)) - at(refundedBefore, start);
  let steps = 0;
  let sum = 0;
  let next = 0;
  let nextAmount = elementAt(list, 0).amount;
  // The engine's hottest loop reads arrays without `at`, which would make it a tenth slower. Every index is inside.
  for (let position = start; position < size; position += 1) {
    steps += 1;
    const paid = payment[position] ?? -1;
    if (paid >= start) {
      sum -= net[paid] ?? 0;
      if (perPayout !== undefined) addPositive(positives, perPayout.group[paid], -(amount[paid] ?? 0));
    } else {
      sum += net[position] ?? 0;
      const gross = amount[position] ?? 0;
      if (perPayout !== undefined && gross > 0) addPositive(positives, perPayout.group[position], gross);
    }
    if (isBoundary[position + 1] === 0) continue;
    const payout = perPayout === undefined ? sum : sum - payoutFees(positives, perPayout.terms);
    if (payout < nextAmount) {
      // Refunds reduce the sum, so an amount that was passed may still be met.
      while (next > 0 && (list[next - 1]?.amount ?? 0) >= payout) next -= 1;
      nextAmount = list[next]?.amount ?? Infinity;
    }
    const cutFrom = key[position] ?? 0;
    if (payout >= nextAmount) {
      const cutTo = key[position + 1] ?? Infinity;
      while (next < list.length) {
        const credit = list[next];
        if (credit === undefined || credit.amount > payout) break;
        if (credit.latest > cutFrom && credit.earliest < cutTo && cutTo > validFrom && cutFrom < validTo) {
          passed[credit.index] = (passed[credit.index] ?? 0) + 1;
          if (credit.amount === payout) {
            met[credit.index] = (met[credit.index] ?? 0) + 1;
            found.push({ from: start, to: position + 1, credit });
          }
        }
        next += 1;
      }
      nextAmount = list[next]?.amount ?? Infinity;
    }
    if (cutFrom > end) break;
    // Even with all later refunds the sum would exceed the largest credit, so the search ends.
    if (payout - slack > most) break;
  }
  return steps;
}

function addPositive(sums: Float64Array, group: number | undefined, amount: number): void {
  if (group !== undefined && group >= 0) sums[group] = at(sums, group) + amount;
}
