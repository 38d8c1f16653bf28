import { addToGroup } from '../kernel';
import { countAlternativeCuts } from './alternative-cuts';
import { at } from './at';
import { boundCut, type BoundedLink } from './bound-cut';
import {
  addCounts,
  countCut,
  countNothing,
  type CutCounts,
  type CutRates,
  EXPECTED_PER_DAY_MAX,
  learnCutRates,
  type LearnedCutRates,
  type LikelyCut,
  type OtherCuts,
  unknownCutRates,
} from './cut-rates';
import type { CutFinder } from './cut-states';
import type { DayGrid } from './day-grid';
import {
  continuationOf,
  deviationOf,
  FIRST_DEVIATION,
  FIRST_LACKING,
  FIRST_MERGED,
  FIRST_RATES,
  lackingShare,
  mergedShare,
  type StreamPaths,
} from './deviation-rates';
import { findGaps, type Gap } from './find-gaps';
import type { Credit, Link, LinkSearch } from './find-links';
import type { ObservationBounds } from './observation-bounds';
import type { StreamItems } from './order-stream';
import {
  type Beliefs,
  NOTHING_DEVIATES,
  type PathWeigher,
  pathWeigher,
  type PathWeigherRequest,
  type WeighedPaths,
} from './path-weigher';
import { lackingLinks, recurringDifferences } from './recurring-differences';
import { FIRST_CONTINUATION, type PathWeights } from './weigh-paths';

const ROUNDS = 6;
/** Shares that change by less have settled, and what they teach with them. */
const SETTLED = 1e-4;
const GAP_SHARE_OF_INTERVAL = 0.3;
const FREE_SHARE_MAX = 0.9;
const SHARE_COUNTED_MIN = 1e-4;

export interface WeighRequest extends PathWeigherRequest, LinkSearch {
  readonly links: readonly Link[];
  readonly bounds: ObservationBounds;
  readonly finder: CutFinder;
  /** The cuts of the other streams of the same gateway, if they have any. */
  readonly others: OtherCuts | undefined;
  /** The paths of other streams of the same gateway that are paid. */
  readonly pathsOfOthers: readonly StreamPaths[];
  /**
   * Indexes into `links` of links with almost no weight at first, so that the cut rates are learned from the others. If
   * both results explain the file, it does not show which rates are true.
   */
  readonly avoided?: ReadonlySet<number> | undefined;
}

/** The links of a stream, what they show of the gateway, and what they leave open. */
export interface LearnedLinks extends Learned {
  readonly links: readonly BoundedLink[];
  readonly weigh: PathWeigher;
  /** The credits that no link explains well. */
  readonly free: readonly Credit[];
  readonly gaps: readonly Gap[];
}

/** Weighs links, and learns from them how the gateway pays. */
export function learnFrom(request: WeighRequest, found: readonly Link[]): LearnedLinks {
  const { sequence, bounds, credits } = request;
  const links = found.map((link) => boundCut(link, sequence, bounds));
  const weigh = pathWeigher(request, links);
  const learned = learnBeliefs(request, links, weigh);
  const { paths, states } = learned.weighed;
  return {
    ...learned,
    links,
    weigh,
    free: credits.filter(({ index }) => at(learned.beliefs.explained, index) < FREE_SHARE_MAX),
    gaps: findGaps(paths, states, sequence),
  };
}

interface Learned {
  readonly beliefs: Beliefs;
  /** The counts from which the rates were learned. */
  readonly counts: CutCounts;
  readonly weighed: WeighedPaths;
}

/** Weighs the paths under the current beliefs, learns new beliefs from them, and repeats that. */
function learnBeliefs(request: WeighRequest, links: readonly BoundedLink[], weigh: PathWeigher): Learned {
  const { sequence, chances, grid } = request;
  const days = { from: grid.dayOf(at(sequence.key, 0)), to: request.horizonDay };
  let counts = countNothing(days);
  let beliefs = firstBeliefs(request, links, counts);
  let weighed = weigh(beliefs, NOTHING_DEVIATES, request.avoided);
  for (let round = 1, isLast = false; !isLast; round += 1) {
    const { paths } = weighed;
    const { cutRates } = beliefs;
    const explained = new Float64Array(chances.met.length);
    const byCredit = new Map<number, LikelyCut[]>();
    counts = countNothing(days);
    for (const [index, link] of links.entries()) {
      const share = at(paths.shares, index);
      explained[link.credit.index] = at(explained, link.credit.index) + share;
      if (share < SHARE_COUNTED_MIN) continue;
      const cut = { from: link.cutFrom, to: link.cutTo, bookingDay: link.credit.bookingDay, share };
      countCut(counts, cutRates, grid, cut);
      addToGroup(byCredit, link.credit.index, cut);
    }
    isLast =
      round === ROUNDS - 1 ||
      explained.every((share, index) => Math.abs(share - at(beliefs.explained, index)) < SETTLED);
    const learned = learnCutRates(grid, withPast(counts, request), request.others);
    const between = likelyIntervals(links, paths, sequence);
    beliefs = {
      ...beliefs,
      explained,
      cutRates: learned,
      // While it learns, what a credit shows of itself only changes how fast that is.
      ratesWithout: isLast ? ratesWithoutOne(learned, byCredit, { cutRates, grid, days }) : () => learned,
      deviation: deviationOf(paths, request.pathsOfOthers),
      continuation: continuationOf(paths),
      mergedRate: mergedShare(links, paths),
      lackingRate: lackingShare(links, paths),
      cutsPerPayout: averageOf(between.map(({ from, to }) => learned.expected(from, to))) ?? EXPECTED_PER_DAY_MAX,
      gapMs: shortInterval(between) * GAP_SHARE_OF_INTERVAL,
    };
    weighed = weigh(beliefs, NOTHING_DEVIATES);
  }
  return { beliefs, counts, weighed };
}

/** Returns the rates that judge the links of a credit: those that the other credits show. */
function ratesWithoutOne(
  learned: LearnedCutRates,
  byCredit: ReadonlyMap<number, readonly LikelyCut[]>,
  { cutRates, grid, days }: { readonly cutRates: CutRates; readonly grid: DayGrid; readonly days: CutCounts['days'] },
): Beliefs['ratesWithout'] {
  const known = new Map<number, CutRates>();
  return ({ index }) => {
    const cuts = byCredit.get(index);
    if (cuts === undefined) return learned;
    const before = known.get(index);
    if (before !== undefined) return before;
    const own = countNothing(days);
    for (const cut of cuts) countCut(own, cutRates, grid, cut);
    const rates = learned.without(own);
    known.set(index, rates);
    return rates;
  };
}

/** Returns the beliefs before any path was weighed. */
function firstBeliefs(request: WeighRequest, links: readonly BoundedLink[], nothing: CutCounts): Beliefs {
  const { chances, credits, grid, others, past, avoided } = request;
  const { days } = nothing;
  const workingDays = Math.max(1, grid.lag(days.from, days.to));
  let cutRates = unknownCutRates(grid, credits.length / workingDays);
  if (others !== undefined || past !== undefined) cutRates = learnCutRates(grid, withPast(nothing, request), others);
  if (avoided !== undefined) {
    const elsewhere = countAlternativeCuts(links, avoided, { cutRates, grid, days });
    cutRates = learnCutRates(grid, withPast(elsewhere, request), others);
  }
  return {
    cutRates,
    ratesWithout: () => cutRates,
    // One hit of each credit counts as half explained.
    explained: chances.met.map((count) => (count > 0 ? 0.5 : 0)),
    deviation: FIRST_DEVIATION,
    continuation: FIRST_CONTINUATION,
    cutsPerPayout: EXPECTED_PER_DAY_MAX,
    mergedRate: FIRST_MERGED,
    lackingRate: FIRST_LACKING,
    gapMs: 0,
    rates: FIRST_RATES,
  };
}

/** Adds the counts of earlier runs to those of the file. */
function withPast(own: CutCounts, { past }: WeighRequest): CutCounts {
  return past === undefined ? own : addCounts(own, past.counts);
}

/** Finds links whose credits lack an amount that several credits of gaps lack. */
export function findLackingLinks(request: WeighRequest, { weighed, gaps, free }: LearnedLinks): Link[] {
  const differences = recurringDifferences({ ...request, gaps, free });
  return lackingLinks(request, { differences, starts: weighed.states.map(({ position }) => position) });
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Returns the intervals between the cuts of the likely links. */
function likelyIntervals(links: readonly BoundedLink[], paths: PathWeights, { key }: StreamItems): Interval[] {
  return links
    .filter((link, index) => at(paths.shares, index) > 0.5 && link.from > 0)
    .map((link) => ({ from: at(key, link.from - 1), to: at(key, link.to - 1) }));
}

/** Returns the interval that a tenth of the intervals stay below, in milliseconds; 0 for none. */
function shortInterval(intervals: readonly Interval[]): number {
  const lengths = intervals.map(({ from, to }) => to - from).sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length * 0.1)] ?? 0;
}

function averageOf(numbers: readonly number[]): number | undefined {
  const sum = numbers.reduce((total, number) => total + number, 0);
  return sum > 0 ? sum / numbers.length : undefined;
}
