import { countCut, countNothing, type CutRates, EXPECTED_PER_DAY_MAX, learnCutRates } from '../cut-rates';
import type { DayGrid } from '../day-grid';
import type { Credit } from '../find-links';
import type { StreamItems } from '../order-stream';
import { type PathEdge, type PathNode, type PathWeights, weighPaths } from '../weigh-paths';
import { chainErrors, cutShortOf } from './chain-errors';
import { cutRatesOfSlots } from './cut-rates-of-slots';
import type { CutSlot } from './cut-slots';
import { logOfCut } from './log-of-cut';
import type { ChainEdge, ChainNode, FoundChain } from './search-chain';

const ROUNDS = 8;
const HIT_RATIO_MAX = 8_000;
/** Amounts of whole dinars are met by chance more often than others. */
const DINAR_MILLIMES = 1_000;
const FIRST_DEVIATION = 0.04;
/** The file itself must outweigh this many payouts without a deviation before it is said to have none. */
const DEVIATION_PRIOR = { count: 0.7, of: 25 } as const;
const DEVIATION_MAX = 0.3;
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
  /** Credits of which a person should hear that not all was tried. */
  readonly cutShort: ReadonlySet<number>;
}

/** All ways through the nodes, each weighed by when the gateway cuts and by what the intervals say of its straddling items. */
export function weighChain(request: ChainWeighing): WeighedChain {
  const { sequence, chain, credits, grid, horizonDay } = request;
  const nodes = [...chain.nodes].sort((a, b) => instantOf(a) - instantOf(b) || a.taken.upTo - b.taken.upTo);
  const placeOf = new Map(nodes.map((node, place) => [node, place]));
  const edges = chain.edges.filter(({ from, to }) => instantOf(from) < instantOf(to));
  const days = { from: grid.dayOf(sequence.key[0] ?? 0), to: horizonDay };
  const hitRatio = hitRatioOf(credits, request);
  let cutRates = cutRatesOfSlots(request.slots, credits.length, grid, days);
  const lag = (slot: CutSlot, { bookingDay }: Credit): number =>
    cutRates.lag(grid.lag(grid.dayOf(slot.from), bookingDay));
  let deviation = FIRST_DEVIATION;
  let intervalMs = 0;
  let paths: PathWeights | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
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
        Math.log(Math.max(NEVER, request.free(credit))),
    }));
    const gapMs = intervalMs * GAP_SHARE_OF_INTERVAL;
    paths = weighPaths({ nodes: pathNodes, edges: pathEdges, logDeviation, gapMs, logColdStart: HALF });
    const counts = countNothing(days);
    const lengths: number[] = [];
    for (const [index, { from, to, credit }] of edges.entries()) {
      const share = paths.shares[index] ?? 0;
      if (share < SHARE_MIN) continue;
      if (share > 0.5 && from.slots.length > 0) lengths.push(instantOf(to) - instantOf(from));
      const weights = to.slots.map(
        ({ slot, logChance }) => Math.exp(logChance) * cutRates.expected(slot.from, slot.to),
      );
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      to.slots.forEach(({ slot }, place) => {
        const ofSlot = (share * (weights[place] ?? 0)) / total;
        countCut(counts, cutRates, grid, {
          from: slot.from,
          to: slot.to,
          bookingDay: credit.bookingDay,
          share: ofSlot,
        });
      });
    }
    lengths.sort((a, b) => a - b);
    intervalMs = lengths[Math.floor(lengths.length * 0.1)] ?? 0;
    if (round < ROUNDS - 1) cutRates = learnCutRates(grid, counts);
    const { deviations, links } = paths;
    deviation = Math.min(
      DEVIATION_MAX,
      (Math.max(0, deviations - 1) + DEVIATION_PRIOR.count) / (links + DEVIATION_PRIOR.of),
    );
  }
  const shares = edges.map((_, index) => paths?.shares[index] ?? 0);
  const errors = chainErrors({ chain, credits, edges, shares, cutRates, hitRatio, lag });
  return {
    edges: edges.map((edge, index) => ({
      ...edge,
      share: (shares[index] ?? 0) * (1 - (errors.get(edge.credit.index) ?? 0)),
      ...boundsOf(edge.to),
    })),
    errors,
    cutShort: cutShortOf(chain, edges, shares, errors),
    cutRates,
    logEvidence: (paths?.logTotal ?? 0) - (paths?.logNothing ?? 0),
    explained: paths?.links ?? 0,
  };
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
