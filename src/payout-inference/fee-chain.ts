import { addToGroup } from '../kernel';
import { at } from './at';
import { type FeeTerms, keptOf } from './fee-terms';
import type { Credit } from './find-links';
import type { StreamItems } from './order-stream';
import type { ClawbackFee } from './price-stream';

/** Chance explains no chain of this length, so a chain need not be longer. */
export const CHAIN_MAX = 8;
/** The number of cuts from which a chain is followed at the same time. */
const WAYS_MAX = 4;
/** The limit on the work for one file, in computed fees and visited items. */
const STEPS_MAX = 40_000_000;
/** A sum above the largest credit by this factor does not fall below it again. */
const ABOVE_LARGEST = 1.5;
const NO_CREDITS: readonly Credit[] = [];

/** The remaining work that one file may cost. */
export interface LearnBudget {
  left: number;
}

export function learnBudget(): LearnBudget {
  return { left: STEPS_MAX };
}

export interface ChainRequest {
  readonly budget: LearnBudget;
  readonly sequence: StreamItems;
  readonly credits: readonly Credit[];
  readonly windowMs: number;
}

/** A run that is assumed to be the payment of a credit. */
export interface FirstRun {
  /** The position after its last item. */
  readonly to: number;
  readonly credit: Credit;
}

/** Terms that may be the gateway's. */
export interface Tried {
  readonly terms: FeeTerms;
  readonly basis: 'item' | 'payout';
  readonly isCharged: Uint8Array;
  readonly clawback: ClawbackFee;
}

/** Returns the credits that a payout beginning at a position may be. */
export interface OpenCredits {
  readonly byAmount: ReadonlyMap<number, readonly Credit[]>;
  readonly largestFirst: readonly Credit[];
}

/** Caches the open credits of each position, because hundreds of terms ask for the same positions. */
export function openCredits({ sequence, credits, windowMs }: ChainRequest): (start: number) => OpenCredits {
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

/** Returns how many credits in a row the terms explain, including the first one, on the longest path. */
export function chainLength(
  request: ChainRequest,
  first: FirstRun,
  tried: Tried,
  openFrom: (start: number) => OpenCredits,
): number {
  let reached = new Map<number, number>([[first.to, 1]]);
  let longest = 1;
  const used = new Set([first.credit.index]);
  while (reached.size > 0 && longest < CHAIN_MAX && request.budget.left >= 0) {
    const next = new Map<number, number>();
    for (const [start, length] of [...reached].slice(0, WAYS_MAX)) {
      longest = Math.max(longest, length);
      for (const { to, credit } of linksUnder(request, start, openFrom(start), used, tried)) {
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
  { sequence, windowMs, budget }: ChainRequest,
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
