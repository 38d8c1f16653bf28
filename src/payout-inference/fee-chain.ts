import { addToGroup } from '../kernel';
import { at, elementAt } from './at';
import { PPM, roundedBy, type Unrounded } from './fee-grid';
import type { ChargedItems, FeeRunFinder, FeeRuns, FeeSearch, LearnBudget } from './fee-runs';
import { type FeeTerms, keptOf } from './fee-terms';
import type { Credit } from './find-links';
import { lowerBound } from './lower-bound';

/** Chance explains no chain of this length, so a chain need not be longer. */
export const CHAIN_MAX = 8;
/** The number of cuts from which a chain is followed at the same time. */
const WAYS_MAX = 4;
/** A sum above the largest credit by this factor does not fall below it again. */
const ABOVE_LARGEST = 1.5;
const NO_CREDITS: readonly Credit[] = [];

/** Terms that may be the gateway's. */
export interface Tried extends ChargedItems {
  readonly terms: FeeTerms;
  readonly basis: 'item' | 'payout';
}

/** The run with which a chain begins. */
export interface FirstRun {
  /** The position after its last item. */
  readonly to: number;
  readonly credit: Credit;
}

/** Terms up to the rounding, with the fee as a share and a fixed part of each amount, TVA included. */
export interface Rough {
  readonly basis: 'item' | 'payout';
  readonly share: number;
  readonly fixed: number;
  /** By how much the roundings of one fee may lower and raise it. */
  readonly below: number;
  readonly above: number;
}

export function roughOf({ ratePpm, fixedMillimes, tvaPpm }: Unrounded, basis: 'item' | 'payout'): Rough {
  const withTva = 1 + tvaPpm / PPM;
  return { basis, share: (ratePpm / PPM) * withTva, fixed: fixedMillimes * withTva, ...roundedBy(withTva, 1) };
}

/**
 * Returns whether so many more credits may follow a run under some rounding of the terms. Only the sums of the runs are
 * compared, so nearly all terms are ruled out before any fee is computed.
 */
export function mayContinue(
  { finder, items, rough }: { readonly finder: FeeRunFinder; readonly items: ChargedItems; readonly rough: Rough },
  { to, credit }: FirstRun,
  credits: number,
): boolean {
  const used = new Set<number>([credit.index]);
  const follow = (position: number, left: number): boolean => {
    if (left === 0) return true;
    const runs = finder.from(position, items);
    const isFollowedBy = (run: number): boolean => {
      const { index } = elementAt(runs.credit, run);
      if (used.has(index)) return false;
      used.add(index);
      const isFollowed = follow(elementAt(runs.to, run), left - 1);
      used.delete(index);
      return isFollowed;
    };
    return runs.free.some(isFollowedBy) || somePossible(runs, rough, finder.budget, isFollowedBy);
  };
  return follow(to, credits);
}

/** Returns whether one of the runs that may keep what the terms say satisfies a condition. */
function somePossible(
  { kept, positive, count, rounded, order, shares, counts, roundings, payouts }: FeeRuns,
  { basis, share, fixed, below, above }: Rough,
  budget: LearnBudget,
  isWanted: (run: number) => boolean,
): boolean {
  const fees = basis === 'item' ? counts : payouts;
  const most = share + fixed * fees.most + above * (basis === 'item' ? roundings.most : payouts.most);
  const least = share + fixed * fees.least - below * (basis === 'item' ? roundings.most : payouts.most);
  for (let place = lowerBound(shares, least, 0, shares.length); place < order.length; place += 1) {
    budget.left -= 1;
    if (at(shares, place) > most) break;
    const run = at(order, place);
    const expected = share * at(positive, run) + fixed * (basis === 'item' ? at(count, run) : 1);
    const fewer = expected - elementAt(kept, run);
    const times = basis === 'item' ? at(rounded, run) : 1;
    if (fewer <= below * times && -fewer <= above * times && isWanted(run)) return true;
  }
  return false;
}

interface OpenCredits {
  readonly byAmount: ReadonlyMap<number, readonly Credit[]>;
  readonly largestFirst: readonly Credit[];
}

/** Caches the credits that a payout beginning at a position may be, because many terms ask for the same positions. */
export function openCredits({ sequence, credits, windowMs }: FeeSearch): (start: number) => OpenCredits {
  const known = new Map<number, OpenCredits>();
  return (start) => {
    const before = known.get(start);
    if (before !== undefined) return before;
    const from = at(sequence.key, start);
    const byAmount = new Map<number, Credit[]>();
    const open = credits.filter(({ latest, earliest }) => latest > from && earliest < from + windowMs);
    for (const credit of open) {
      addToGroup(byAmount, credit.amount, credit);
    }
    const found = { byAmount, largestFirst: open.sort((a, b) => b.amount - a.amount) };
    known.set(start, found);
    return found;
  };
}

/** Returns how many credits in a row the terms explain to the millime from a position, on the longest path. */
export function chainLength(
  search: FeeSearch,
  first: number,
  tried: Tried,
  openFrom: (start: number) => OpenCredits,
): number {
  let reached = new Map<number, number>([[first, 0]]);
  let longest = 0;
  const used = new Set<number>();
  while (reached.size > 0 && longest < CHAIN_MAX) {
    const next = new Map<number, number>();
    for (const [start, length] of [...reached].slice(0, WAYS_MAX)) {
      for (const { to, credit } of linksUnder(search, start, openFrom(start), used, tried)) {
        if (length + 1 > (next.get(to) ?? 0)) next.set(to, length + 1);
        used.add(credit.index);
      }
    }
    reached = next;
    if (reached.size > 0) longest = Math.max(longest, ...reached.values());
  }
  return longest;
}

function linksUnder(
  { sequence, windowMs, budget }: FeeSearch,
  start: number,
  { byAmount, largestFirst }: OpenCredits,
  used: ReadonlySet<number>,
  { terms, basis, isCharged, clawback }: Tried,
): { to: number; credit: Credit }[] {
  const place = largestFirst.findIndex(({ index }) => !used.has(index));
  budget.left -= place < 0 ? largestFirst.length : place;
  const most = largestFirst[place]?.amount;
  if (most === undefined) return [];
  const end = at(sequence.key, start) + windowMs;
  const found: { to: number; credit: Credit }[] = [];
  const feeOf = (amount: number): number => {
    budget.left -= 1;
    return keptOf(amount, terms);
  };
  let net = 0;
  let positive = 0;
  for (let position = start; position < sequence.size && at(sequence.key, position) <= end; position += 1) {
    budget.left -= 1;
    const amount = at(sequence.amount, position);
    const charged = isCharged[at(sequence.channel, position)] === 1;
    const payment = at(sequence.payment, position);
    net += amount;
    if (charged && (amount > 0 || payment >= start)) positive += amount;
    if (charged && basis === 'item') {
      if (amount > 0) net -= feeOf(amount);
      else if (payment >= start || clawback === 'returned') net += feeOf(-amount);
    }
    if (sequence.isBoundary[position + 1] === 0) continue;
    const paid = basis === 'payout' && positive > 0 ? net - feeOf(positive) : net;
    if (paid > most * ABOVE_LARGEST) break;
    const cutFrom = at(sequence.key, position);
    const cutTo = at(sequence.key, position + 1);
    for (const credit of byAmount.get(paid) ?? NO_CREDITS) {
      budget.left -= 1;
      const isOpen = !used.has(credit.index) && credit.latest > cutFrom && credit.earliest < cutTo;
      if (isOpen) found.push({ to: position + 1, credit });
    }
  }
  return found;
}
