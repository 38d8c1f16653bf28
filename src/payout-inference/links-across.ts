import { at } from './at';
import type { CutRates } from './cut-rates';
import { cleanCut, type CutFinder, type CutState, nameOfCut } from './cut-states';
import type { DayGrid } from './day-grid';
import { type DeviatingLink, isPossible } from './deviating-links';
import type { Credit } from './find-links';
import { logPrior } from './link-prior';
import type { StreamItems } from './order-stream';

const CREDITS_MAX = 10;
const STEPS_MAX = 200;
const STATES_PER_STEP_MAX = 60;
/** With a few prices, so many ways lead across a stretch that none of them is sure. */
const LINKS_MAX = 4_000;
/** The logarithm of how much less likely than the likeliest one a cut may be. */
const LOG_LESS_MAX = Math.log(1e4);
const EARLY_MAX = 400;
/** Longer stretches are not searched cut by cut. */
const STRETCH_MAX = 60_000;

export interface AcrossRequest {
  readonly sequence: StreamItems;
  readonly finder: CutFinder;
  readonly cutRates: CutRates;
  readonly grid: DayGrid;
  /** Whether a fee is charged on each payout as a whole. */
  readonly hasFeePerPayout: boolean;
}

/** Some credits of a stretch in an order, the last of them, and the cuts that can lie after it. */
interface Step {
  readonly paid: number;
  readonly used: number;
  readonly last: number;
  readonly states: readonly CutState[];
}

/**
 * Returns the links of all ways from one clean cut to another past payouts with one moved item at each cut between them.
 * After some of the credits, the sum of what was paid is known, so each possible cut shows which amount must have moved.
 */
export function linksAcross(
  request: AcrossRequest,
  { from, to, credits }: { readonly from: number; readonly to: number; readonly credits: readonly Credit[] },
): DeviatingLink[] {
  const { finder, hasFeePerPayout } = request;
  if (hasFeePerPayout || to - from > STRETCH_MAX || to <= from) return [];
  const tried = credits.slice(0, CREDITS_MAX);
  const cutsOf = tried.map((credit) => likelyCuts(request, credit, { from, to }));
  const total = finder.sum(from, to);
  const steps = new Map<string, Step>();
  const statesOf = new Map<string, readonly CutState[]>();
  const statesOnce = (paid: number, index: number): readonly CutState[] => {
    const name = `${paid} ${index}`;
    const known =
      statesOf.get(name) ?? statesAfter(request, paid, cutsOf[index] ?? [], { from, to, isLast: paid === total });
    statesOf.set(name, known);
    return known;
  };
  const links: DeviatingLink[] = [];
  const queue: Step[] = [{ paid: 0, used: 0, last: -1, states: [cleanCut(from)] }];
  for (let place = 0; place < queue.length && queue.length < STEPS_MAX && links.length < LINKS_MAX; place += 1) {
    const step = queue[place];
    if (step === undefined) break;
    tried.forEach((credit, index) => {
      const bit = 1 << index;
      const paid = step.paid + credit.amount;
      if ((step.used & bit) !== 0 || paid > total) return;
      const name = `${step.used | bit} ${index}`;
      const next = steps.get(name) ?? {
        paid,
        used: step.used | bit,
        last: index,
        states: statesOnce(paid, index),
      };
      const joining = joined(finder, step.states, next.states, credit);
      if (joining.length === 0) return;
      links.push(...joining);
      if (steps.has(name)) return;
      steps.set(name, next);
      if (paid < total) queue.push(next);
    });
  }
  return thatReach(links, nameOfCut(cleanCut(to)));
}

/** Returns the positions at which the payout of a credit may have been cut. */
function likelyCuts(
  { sequence, cutRates, grid }: AcrossRequest,
  credit: Credit,
  { from, to }: { readonly from: number; readonly to: number },
): number[] {
  const logs = new Map<number, number>();
  let most = -Infinity;
  for (let position = from + 1; position <= to; position += 1) {
    if (at(sequence.isBoundary, position) === 0) continue;
    if (credit.latest <= at(sequence.key, position - 1) || credit.earliest >= at(sequence.key, position)) continue;
    const log = logPrior({ from, to: position, credit }, sequence, cutRates, grid);
    logs.set(position, log);
    most = Math.max(most, log);
  }
  return [...logs].filter(([, log]) => log > most - LOG_LESS_MAX).map(([position]) => position);
}

function statesAfter(
  { finder }: AcrossRequest,
  paid: number,
  cuts: readonly number[],
  { from, to, isLast }: { readonly from: number; readonly to: number; readonly isLast: boolean },
): CutState[] {
  if (isLast) return cuts.includes(to) ? [cleanCut(to)] : [];
  const states: CutState[] = [];
  for (const position of cuts) {
    if (position >= to || states.length >= STATES_PER_STEP_MAX) break;
    const carried = finder.sum(from, position) - paid;
    const state = finder.stateAt(position, carried, { from, to: Math.min(to, position + EARLY_MAX) });
    if (state !== undefined) states.push(state);
  }
  return states;
}

function joined(
  finder: CutFinder,
  starts: readonly CutState[],
  ends: readonly CutState[],
  credit: Credit,
): DeviatingLink[] {
  const links: DeviatingLink[] = [];
  for (const start of starts) {
    for (const end of ends) {
      const [from, to] = [start.position, end.position];
      if (from >= to || finder.sum(from, to) + start.carried - end.carried !== credit.amount) continue;
      const link = { from, to, credit, start, end, leftOut: [], ways: 1 };
      if (isPossible(link)) links.push(link);
    }
  }
  return links;
}

/** Returns the links from which others lead to a cut, and that lead there themselves. */
function thatReach(links: readonly DeviatingLink[], cut: string): DeviatingLink[] {
  const reaching = new Set([cut]);
  const found: DeviatingLink[] = [];
  // Links lead to later positions only, so the last one comes first.
  for (const link of [...links].sort((a, b) => b.to - a.to)) {
    if (!reaching.has(nameOfCut(link.end))) continue;
    reaching.add(nameOfCut(link.start));
    found.push(link);
  }
  return found;
}
