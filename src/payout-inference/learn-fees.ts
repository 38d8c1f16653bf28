import { at, elementAt } from './at';
import { CHAIN_MAX, chainLength, type FirstRun, mayContinue, openCredits, roughOf, type Tried } from './fee-chain';
import { type Base, GRID_PARTS, GRID_SIZE, type Kept, termsNear, TVA_PPMS, type Unrounded } from './fee-grid';
import { type ChargedItems, FeeRunFinder, type FeeSearch } from './fee-runs';
import { type FeeTerms, keptOf, termsKey } from './fee-terms';
import { type Channel, CHANNELS, FEE_ROUNDINGS } from './match-request';
import type { StreamItems } from './order-stream';
import type { ClawbackFee } from './price-stream';

/** Terms must explain a chain of this length. */
export const CHAIN_MIN = 4;
const CANDIDATES_MAX = 3;
const BASES = ['item', 'payout'] as const;
/** With more prices, different terms hardly ever have the same fees. */
const PRICES_MAX = 32;

/** Terms that explain a chain of credits, for some channels of a stream. */
export interface LearnedTerms {
  readonly terms: FeeTerms;
  readonly basis: 'item' | 'payout';
  readonly channels: readonly Channel[];
  readonly clawback: ClawbackFee;
  /** The number of credits in a row that they explain. */
  readonly chain: number;
}

export interface LearnRequest extends FeeSearch {
  /** The positions where the first payout may begin, the likeliest first. */
  readonly starts: readonly number[];
  /** The sets of channels that may share the terms, the likeliest first. Sets of one rank are tried together. */
  readonly channelSets: readonly (readonly (readonly Channel[])[])[];
  readonly clawbacks: readonly ClawbackFee[];
}

interface ItemsTried extends ChargedItems {
  readonly channels: readonly Channel[];
  /** The different amounts with a fee, if they are few. */
  readonly prices: readonly number[] | undefined;
}

/**
 * Learns the gateway's fees from a run of items, a credit, and their difference. Terms of the grid that may explain the
 * difference must explain the following credits, too. It yields after each start, with terms if a long chain proves
 * them; if nothing better is found in a part of the grid, with those of a shorter one. It goes on if no terms are right.
 */
export function* learnFees(request: LearnRequest): Generator<readonly LearnedTerms[], void, void> {
  const tried = request.channelSets.map((sets) => itemsTried(request, sets));
  const finder = new FeeRunFinder(request);
  const search: Search = {
    request,
    finder,
    openFrom: openCredits(request),
    found: new Map(),
    taken: new Set(),
    failed: new Set(),
  };
  const { starts } = request;
  // The whole grid is tried at the likeliest start before the others: few files begin in the middle of a payout.
  for (const some of [starts.slice(0, 1), starts.slice(1)]) {
    for (const [part, rank] of stagesOf(tried.length)) {
      for (const start of some) {
        search.failed.clear();
        for (const items of elementAt(tried, rank)) searchFrom(search, start, items, elementAt(GRID_PARTS, part));
        yield takeBest(search, CHAIN_MAX);
      }
      yield takeBest(search, CHAIN_MIN);
    }
  }
}

interface Search {
  readonly request: LearnRequest;
  readonly finder: FeeRunFinder;
  readonly openFrom: ReturnType<typeof openCredits>;
  /** By the fees that they cause. */
  readonly found: Map<string, LearnedTerms>;
  readonly taken: Set<string>;
  /** Those that explain no chain from the current start. */
  readonly failed: Set<string>;
}

/** Returns the number of hypotheses that a search chooses from. */
export function hypothesesOf({ channelSets, clawbacks }: LearnRequest): number {
  return GRID_SIZE * FEE_ROUNDINGS.length * BASES.length * channelSets.flat().length * clawbacks.length;
}

/** Returns the parts of the grid with the ranks of channel sets, the likeliest first. */
function stagesOf(ranks: number): (readonly [part: number, rank: number])[] {
  return GRID_PARTS.flatMap((_, part) => Array.from({ length: ranks }, (__, rank) => [part, rank] as const));
}

function itemsTried({ sequence, clawbacks }: LearnRequest, sets: readonly (readonly Channel[])[]): ItemsTried[] {
  return clawbacks.flatMap((clawback) =>
    sets.map((channels) => {
      const isCharged = Uint8Array.from(CHANNELS, (channel) => (channels.includes(channel) ? 1 : 0));
      return { channels, clawback, isCharged, prices: pricesOf(sequence, isCharged) };
    }),
  );
}

function pricesOf({ amount, channel, size }: StreamItems, isCharged: Uint8Array): number[] | undefined {
  const prices = new Set<number>();
  for (let position = 0; position < size; position += 1) {
    if (isCharged[at(channel, position)] === 1) prices.add(Math.abs(at(amount, position)));
    if (prices.size > PRICES_MAX) return undefined;
  }
  return [...prices];
}

function searchFrom(search: Search, start: number, items: ItemsTried, part: readonly Base[]): void {
  const { to, credit, kept, positive, count, rounded, order } = search.finder.from(start, items);
  for (const place of order) {
    if (search.request.budget.left < 0) return;
    const run = {
      to: elementAt(to, place),
      credit: elementAt(credit, place),
      kept: elementAt(kept, place),
      positive: at(positive, place),
      count: at(count, place),
      rounded: at(rounded, place),
    };
    const isFound = searchRun(search, { start, run, items, part });
    // Other terms that fit as well fit the same run.
    if (isFound) {
      for (const other of GRID_PARTS) if (other !== part) searchRun(search, { start, run, items, part: other });
    }
  }
}

interface RunTried {
  readonly start: number;
  readonly run: FirstRun & Kept;
  readonly items: ItemsTried;
  readonly part: readonly Base[];
}

/** Adds the terms of a part of the grid that explain a chain that begins with a run. Returns whether there are any. */
function searchRun(search: Search, { start, run, items, part }: RunTried): boolean {
  const { budget } = search.request;
  let isFound = false;
  for (const basis of BASES) {
    // The fee on a payout does not depend on the fees given back.
    if (basis === 'payout' && items.clawback === 'returned') continue;
    const near: Unrounded[] = [];
    termsNear(part, basis === 'item' ? run : { ...run, count: 1, rounded: 1 }, near);
    budget.left -= part.length;
    for (const unrounded of near) {
      const rough = roughOf(unrounded, basis);
      if (!mayContinue({ finder: search.finder, items, rough }, run, CHAIN_MIN - 1)) continue;
      for (const rounding of FEE_ROUNDINGS) {
        if (addIfChained(search, start, { terms: { ...unrounded, rounding }, basis, ...items })) isFound = true;
      }
    }
  }
  return isFound;
}

function addIfChained(
  { request, openFrom, found, taken, failed }: Search,
  start: number,
  tried: Tried & ItemsTried,
): boolean {
  const { terms, basis, channels, clawback } = tried;
  const key = `${channels.join()} ${clawback} ${basis} ${feesKey(tried)}`;
  if (taken.has(key) || failed.has(key)) return false;
  const known = found.get(key);
  if (known !== undefined) {
    if (isUsualBefore(terms, known.terms)) found.set(key, { ...known, terms });
    return true;
  }
  const chain = chainLength(request, start, tried, openFrom);
  if (chain < CHAIN_MIN) failed.add(key);
  else found.set(key, { terms, basis, channels, clawback, chain });
  return chain >= CHAIN_MIN;
}

/** Returns a key that is equal for terms that cause the same fees. */
function feesKey({ terms, basis, prices }: Tried & ItemsTried): string {
  if (basis === 'payout' || prices === undefined) return termsKey(terms);
  return prices.map((price) => keptOf(price, terms)).join();
}

/** Returns whether terms come first among those that cause the same fees: the usual TVA, then the least fixed part. */
function isUsualBefore(a: FeeTerms, b: FeeTerms): boolean {
  const [tvaOfA, tvaOfB] = [a, b].map(({ tvaPpm }) => TVA_PPMS.findIndex((tva) => tva === tvaPpm));
  return (tvaOfA ?? 0) < (tvaOfB ?? 0) || (tvaOfA === tvaOfB && a.fixedMillimes < b.fixedMillimes);
}

/** Takes the terms found so far, the best first, if one explains a chain of this length. */
function takeBest({ found, taken }: Search, chainMin: number): readonly LearnedTerms[] {
  const best = [...found.values()].sort(
    (a, b) =>
      b.chain - a.chain ||
      a.channels.length - b.channels.length ||
      FEE_ROUNDINGS.indexOf(a.terms.rounding) - FEE_ROUNDINGS.indexOf(b.terms.rounding),
  );
  if ((best[0]?.chain ?? 0) < chainMin) return [];
  for (const key of found.keys()) taken.add(key);
  found.clear();
  return best.slice(0, CANDIDATES_MAX);
}
