import { at } from '../at';
import {
  countCut,
  countNothing,
  type CutCounts,
  type CutRates,
  EXPECTED_PER_DAY_MAX,
  learnCutRates,
} from '../cut-rates';
import type { DayGrid } from '../day-grid';
import { deviationOf, FIRST_DEVIATION } from '../deviation-rates';
import type { Credit } from '../find-links';
import type { StreamItems } from '../order-stream';
import { FIRST_CONTINUATION, type PathEdge, type PathNode, type PathWeights, weighPaths } from '../weigh-paths';
import { chainErrors } from './chain-errors';
import type { ChainEdge, ChainNode } from './chain-graph';
import { cutRatesOfSlots } from './cut-rates-of-slots';
import type { CutSlot } from './cut-slots';
import { logOfCut } from './log-of-cut';
import type { FoundChain } from './search-chain';

const ROUNDS = 8;
const HIT_RATIO_MAX = 8_000;
/** Amounts of whole dinars are met by chance more often than others. */
const DINAR_MILLIMES = 1_000;
const GAP_SHARE_OF_INTERVAL = 0.3;
const SHARE_MIN = 1e-4;
const NEVER = 1e-30;
const HALF = Math.log(0.5);

export interface ChainWeighing {
  readonly sequence: StreamItems;
  readonly slots: readonly CutSlot[];
  readonly chain: FoundChain;
  readonly credits: readonly Credit[];
  readonly grid: DayGrid;
  readonly horizonDay: number;
  /** By the credit's index, the weight of its runs: their shares times the probability of their cuts. */
  readonly ofRuns: ReadonlyMap<number, number>;
  /** What other streams leave of each credit. */
  readonly free: (credit: Credit) => number;
  /** All weights are whole multiples of it. */
  readonly step: number;
  /** How many different amounts a run may come to. */
  readonly amountsMax: number;
}

export interface WeighedEdge extends ChainEdge {
  readonly share: number;
  readonly cutFrom: number;
  readonly cutTo: number;
}

export interface WeighedChain {
  readonly edges: readonly WeighedEdge[];
  readonly cutRates: CutRates;
  readonly logEvidence: number;
  readonly explained: number;
  /** By the credit's index, how likely it was paid in a way that was not searched. */
  readonly errors: ReadonlyMap<number, number>;
}

/** What is believed of the gateway while its chains are weighed. */
interface ChainBeliefs {
  readonly cutRates: CutRates;
  readonly deviation: number;
  readonly gapMs: number;
}

/** The nodes and edges in their order, and what chance makes of a credit. */
interface OrderedChain {
  readonly nodes: readonly ChainNode[];
  readonly edges: readonly ChainEdge[];
  readonly hitRatio: (credit: Credit) => number;
}

/** All paths through the nodes, each weighed by when the gateway cuts and by what the intervals say of its straddling items. */
export function weighChain(request: ChainWeighing): WeighedChain {
  const { sequence, chain, credits, grid, horizonDay } = request;
  const ordered: OrderedChain = {
    nodes: [...chain.nodes].sort((a, b) => instantOf(a) - instantOf(b) || a.taken.upTo - b.taken.upTo),
    edges: chain.edges.filter(({ from, to }) => instantOf(from) < instantOf(to)),
    hitRatio: hitRatioOf(credits, request),
  };
  const { edges, hitRatio } = ordered;
  const days = { from: grid.dayOf(sequence.key[0] ?? 0), to: horizonDay };
  let cutRates = cutRatesOfSlots(request.slots, credits.length, grid, days);
  let paths = pathsThrough(request, ordered, { cutRates, deviation: FIRST_DEVIATION, gapMs: 0 });
  for (let round = 1; round < ROUNDS; round += 1) {
    const gapMs = typicalInterval(edges, paths) * GAP_SHARE_OF_INTERVAL;
    cutRates = learnCutRates(grid, countCuts(edges, paths, { cutRates, grid, days }));
    paths = pathsThrough(request, ordered, { cutRates, deviation: deviationOf(paths), gapMs });
  }
  const { shares: shareOf, logTotal, logNothing, links } = paths;
  const shares = edges.map((_, index) => shareOf[index] ?? 0);
  const lag = bookingLag(cutRates, grid);
  const { slots, ofRuns } = request;
  const errors = chainErrors({ slots, chain, credits, edges, shares, cutRates, hitRatio, lag, ofRuns });
  return {
    edges: edges.map((edge, index) => ({
      ...edge,
      share: (shares[index] ?? 0) * (1 - (errors.get(edge.credit.index) ?? 0)),
      ...boundsOf(edge.to),
    })),
    errors,
    cutRates,
    logEvidence: logTotal - logNothing,
    explained: links,
  };
}

function pathsThrough(
  { sequence, grid, horizonDay, free }: ChainWeighing,
  { nodes, edges, hitRatio }: OrderedChain,
  { cutRates, deviation, gapMs }: ChainBeliefs,
): PathWeights {
  const placeOf = new Map(nodes.map((node, place) => [node, place]));
  const lag = bookingLag(cutRates, grid);
  const logDeviation = Math.log(deviation);
  const bookedBy = grid.startAt[grid.workingBefore(horizonDay, 1)] ?? 0;
  const pathNodes = nodes.map((node, index): PathNode => {
    const instant = instantOf(node);
    return {
      position: node.taken.upTo,
      instant,
      logStart: index === 0 ? HALF : -Infinity,
      cutsBefore: cutRates.expected(sequence.key[0] ?? 0, instant) / EXPECTED_PER_DAY_MAX,
      logCut: node.slots.length === 0 ? 0 : logOfCut(node, cutRates, () => 1),
      logEnd: Math.max(logDeviation, -cutRates.expected(lastOf(node, sequence), bookedBy)),
    };
  });
  const pathEdges = edges.map(({ from, to, credit }): PathEdge => ({
    from: placeOf.get(from) ?? 0,
    to: placeOf.get(to) ?? 0,
    logWeight:
      logOfCut(
        to,
        cutRates,
        (slot) => lag(slot, credit) * Math.exp(-cutRates.expected(lastOf(from, sequence), slot.from)),
      ) +
      Math.log(hitRatio(credit)) +
      Math.log(1 - deviation) +
      Math.log(Math.max(NEVER, free(credit))),
  }));
  return weighPaths({
    nodes: pathNodes,
    edges: pathEdges,
    logDeviation,
    continuation: FIRST_CONTINUATION,
    gapMs,
    logColdStart: HALF,
  });
}

/** Returns how likely a cut in a slot is booked on the day of a credit. */
function bookingLag(cutRates: CutRates, grid: DayGrid): (slot: CutSlot, credit: Credit) => number {
  return (slot, { bookingDay }) => {
    const day = grid.dayOf(slot.from);
    return cutRates.lag(grid.lag(day, bookingDay), slot.from - at(grid.startAt, day));
  };
}

/** Counts the cuts of the edges by their shares, each spread over the slots of its node. */
function countCuts(
  edges: readonly ChainEdge[],
  { shares }: PathWeights,
  { cutRates, grid, days }: { readonly cutRates: CutRates; readonly grid: DayGrid; readonly days: CutCounts['days'] },
): CutCounts {
  const counts = countNothing(days);
  edges.forEach(({ to, credit: { bookingDay } }, index) => {
    const share = shares[index] ?? 0;
    if (share < SHARE_MIN) return;
    const weights = to.slots.map(({ slot, logChance }) => Math.exp(logChance) * cutRates.expected(slot.from, slot.to));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    to.slots.forEach(({ slot: { from, to: until } }, place) => {
      const ofSlot = (share * (weights[place] ?? 0)) / total;
      countCut(counts, cutRates, grid, { from, to: until, bookingDay, share: ofSlot });
    });
  });
  return counts;
}

/** Returns the time between two cuts that a tenth of the likely edges stay below. */
function typicalInterval(edges: readonly ChainEdge[], { shares }: PathWeights): number {
  const lengths = edges
    .filter(({ from }, index) => (shares[index] ?? 0) > 0.5 && from.slots.length > 0)
    .map(({ from, to }) => instantOf(to) - instantOf(from))
    .sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length * 0.1)] ?? 0;
}

function instantOf({ slots }: ChainNode): number {
  return slots[0]?.slot.from ?? -Infinity;
}

function lastOf({ slots }: ChainNode, sequence: StreamItems): number {
  return slots.at(-1)?.slot.to ?? (sequence.key[0] ?? 0) - 1;
}

function boundsOf({ slots }: ChainNode): { cutFrom: number; cutTo: number } {
  return {
    cutFrom: slots.reduce((least, { slot }) => Math.min(least, slot.from), Infinity),
    cutTo: slots.reduce((most, { slot }) => Math.max(most, slot.to), -Infinity),
  };
}

/** Among how many amounts a credit of another payer could have been: half the range of all, in steps of its kind. */
function hitRatioOf(
  credits: readonly Credit[],
  { step, amountsMax }: Pick<ChainWeighing, 'step' | 'amountsMax'>,
): (credit: Credit) => number {
  const amounts = credits.map(({ amount }) => amount);
  const range = amounts.reduce((a, b) => Math.max(a, b), 0) - amounts.reduce((a, b) => Math.min(a, b), Infinity);
  return ({ amount }) => {
    const ofKind = amount % DINAR_MILLIMES === 0 ? Math.max(step, DINAR_MILLIMES) : step;
    return Math.min(HIT_RATIO_MAX, Math.max(1, Math.min(amountsMax, range / 2 / ofKind)));
  };
}
