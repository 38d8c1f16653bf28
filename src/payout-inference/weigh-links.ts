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
  unknownCutRates,
  withOthers,
} from './cut-rates';
import type { DayGrid } from './day-grid';
import {
  continuationOf,
  deviationOf,
  FIRST_DEVIATION,
  FIRST_LACKING,
  FIRST_MERGED,
  lackingShare,
  mergedShare,
  repairRates,
} from './deviation-rates';
import { findGaps, type Gap, openEnds, stretchesToRepair } from './find-gaps';
import type { Credit, Link, LinkSearch } from './find-links';
import type { ObservationBounds } from './observation-bounds';
import type { StreamItems } from './order-stream';
import {
  type Beliefs,
  type PathWeigher,
  pathWeigher,
  type PathWeigherRequest,
  type WeighedPaths,
} from './path-weigher';
import { lackingLinks, recurringDifferences } from './recurring-differences';
import { type Repair, repairGap } from './repair-gaps';
import { repairOneSide } from './repair-one-side';
import { FIRST_CONTINUATION, type PathWeights } from './weigh-paths';

const ROUNDS = 6;
const GAP_SHARE_OF_INTERVAL = 0.3;
const DEVIATION_OF_NOTHING = 0.29;
const REPAIR_ROUNDS = 3;
const FREE_SHARE_MAX = 0.9;
const SHARE_COUNTED_MIN = 1e-4;

/** A link with its share of all paths. */
export interface WeighedLink extends BoundedLink {
  readonly share: number;
}

export interface WeighedRepair extends Repair {
  readonly share: number;
}

export interface WeighedStream {
  readonly grid: DayGrid;
  readonly links: readonly WeighedLink[];
  readonly repairs: readonly WeighedRepair[];
  /** The gaps that no repair explains. */
  readonly gaps: readonly Gap[];
  readonly cutRates: CutRates;
  /** The counts from which the rates were learned. */
  readonly counts: CutCounts;
  readonly deviation: number;
  readonly paths: PathWeights;
  /** The log likelihood ratio of payouts of this stream against none. */
  readonly logEvidence: number;
}

export interface WeighRequest extends PathWeigherRequest, LinkSearch {
  readonly links: readonly Link[];
  readonly bounds: ObservationBounds;
  /** The cut counts of other streams of the same gateway. */
  readonly others: readonly CutCounts[];
  /** The paths of other streams of the same gateway that are paid. */
  readonly pathsOfOthers: readonly PathWeights[];
  /**
   * Indexes into `links` of links with almost no weight at first, so that the cut rates are learned from the others. If
   * both results explain the file, it does not show which rates are true.
   */
  readonly avoided?: ReadonlySet<number> | undefined;
}

/** Weighs the links of a stream, learns from them how the gateway pays, and repairs the stretches between them. */
export function weighLinks(request: WeighRequest): WeighedStream {
  const { sequence, chances, grid } = request;
  const exact = learnFrom(request, request.links);
  const lacking = findLackingLinks(request, exact);
  const learned = lacking.length === 0 ? exact : learnFrom(request, [...request.links, ...lacking]);
  const { links, weigh } = learned;
  const repairs = findRepairs(request, learned);
  let { beliefs, weighed } = learned;
  for (let round = 0; round < REPAIR_ROUNDS && repairs.length > 0; round += 1) {
    weighed = weigh(beliefs, repairs);
    const { paths } = weighed;
    beliefs = {
      ...beliefs,
      repairRates: repairRates(repairs, { paths, links: links.length }),
      deviation: deviationOf(paths, request.pathsOfOthers),
      continuation: continuationOf(paths),
    };
  }
  const { paths, positions } = weighed;
  const { cutRates, deviation } = beliefs;
  const unexplained = { ...beliefs, explained: new Float64Array(chances.met.length) };
  return {
    grid,
    links: links.map((link, index) => ({ ...link, share: at(paths.shares, index) })),
    repairs: repairs.map((repair, index) => ({ ...repair, share: at(paths.shares, links.length + index) })),
    gaps: findGaps(paths, positions, sequence),
    cutRates,
    counts: learned.counts,
    deviation,
    paths,
    logEvidence: logEvidenceOf(weigh(unexplained, repairs).paths, deviation),
  };
}

/** The links of a stream, what they show of the gateway, and what they leave open. */
interface LearnedLinks extends Learned {
  readonly links: readonly BoundedLink[];
  readonly weigh: PathWeigher;
  /** The credits that no link explains well. */
  readonly free: readonly Credit[];
  readonly gaps: readonly Gap[];
}

function learnFrom(request: WeighRequest, found: readonly Link[]): LearnedLinks {
  const { sequence, bounds, credits } = request;
  const links = found.map((link) => boundCut(link, sequence, bounds));
  const weigh = pathWeigher(request, links);
  const learned = learnBeliefs(request, links, weigh);
  const { paths, positions } = learned.weighed;
  return {
    ...learned,
    links,
    weigh,
    free: credits.filter(({ index }) => at(learned.beliefs.explained, index) < FREE_SHARE_MAX),
    gaps: findGaps(paths, positions, sequence),
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
  let weighed = weigh(beliefs, [], request.avoided);
  for (let round = 1; round < ROUNDS; round += 1) {
    const { paths } = weighed;
    const { cutRates } = beliefs;
    const explained = new Float64Array(chances.met.length);
    counts = countNothing(days);
    for (const [index, link] of links.entries()) {
      const share = at(paths.shares, index);
      explained[link.credit.index] = at(explained, link.credit.index) + share;
      if (share < SHARE_COUNTED_MIN) continue;
      const { bookingDay } = link.credit;
      countCut(counts, cutRates, grid, { from: link.cutFrom, to: link.cutTo, bookingDay, share });
    }
    const learned = learnCutRates(grid, withKnown(counts, request));
    const between = likelyIntervals(links, paths, sequence);
    beliefs = {
      ...beliefs,
      explained,
      cutRates: learned,
      deviation: deviationOf(paths, request.pathsOfOthers),
      continuation: continuationOf(paths),
      mergedRate: mergedShare(links, paths),
      lackingRate: lackingShare(links, paths),
      cutsPerPayout: averageOf(between.map(({ from, to }) => learned.expected(from, to))) ?? EXPECTED_PER_DAY_MAX,
      gapMs: shortInterval(between) * GAP_SHARE_OF_INTERVAL,
    };
    weighed = weigh(beliefs, []);
  }
  return { beliefs, counts, weighed };
}

/** Returns the beliefs before any path was weighed. */
function firstBeliefs(request: WeighRequest, links: readonly BoundedLink[], nothing: CutCounts): Beliefs {
  const { chances, credits, grid, others, past, avoided } = request;
  const { days } = nothing;
  const workingDays = Math.max(1, grid.lag(days.from, days.to));
  let cutRates = unknownCutRates(grid, credits.length / workingDays);
  if (others.length > 0 || past !== undefined) cutRates = learnCutRates(grid, withKnown(nothing, request));
  if (avoided !== undefined) {
    const elsewhere = countAlternativeCuts(links, avoided, { cutRates, grid, days });
    cutRates = learnCutRates(grid, withKnown(elsewhere, request));
  }
  return {
    cutRates,
    // One hit of each credit counts as half explained.
    explained: chances.met.map((count) => (count > 0 ? 0.5 : 0)),
    deviation: FIRST_DEVIATION,
    continuation: FIRST_CONTINUATION,
    cutsPerPayout: EXPECTED_PER_DAY_MAX,
    mergedRate: FIRST_MERGED,
    lackingRate: FIRST_LACKING,
    gapMs: 0,
    repairRates: repairRates([], undefined),
  };
}

/** Adds the counts of other streams and of earlier runs to a stream's own counts. */
function withKnown(own: CutCounts, { others, past }: WeighRequest): CutCounts {
  const all = withOthers(own, others);
  return past === undefined ? all : addCounts(all, past.counts);
}

/** Finds links whose credits lack an amount that several credits of gaps lack. */
function findLackingLinks(request: WeighRequest, { weighed, gaps, free }: LearnedLinks): Link[] {
  const differences = recurringDifferences({ ...request, gaps, free });
  return lackingLinks(request, { differences, starts: weighed.positions });
}

/** Finds possible deviations where no link fits. */
function findRepairs(
  { sequence, priced, grid }: WeighRequest,
  { links, weighed: { paths, positions, weightOf }, free, gaps }: LearnedLinks,
): Repair[] {
  const toRepair = { sequence, priced, grid, weightOf };
  return unlike([
    ...stretchesToRepair(gaps, links, paths).flatMap(({ from, to, beside }) =>
      repairGap({ ...toRepair, free: [...free, ...beside] }, from, to),
    ),
    ...[...gaps, ...openEnds(paths, positions, sequence, free)].flatMap((gap) =>
      repairOneSide({ ...toRepair, free }, gap),
    ),
  ]);
}

/**
 * Compares the paths with the hypothesis that nothing is paid, under which every hit is chance, even in a chain. A file
 * with constant deviations is no chain at all.
 */
function logEvidenceOf({ logTotal, logNothing }: PathWeights, deviation: number): number {
  return deviation >= DEVIATION_OF_NOTHING ? 0 : logTotal - logNothing;
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

/** Removes duplicates: two gaps that begin with the same cut find some repairs twice. */
function unlike(repairs: readonly Repair[]): Repair[] {
  const byName = new Map(
    repairs.map((repair) => {
      const parts = repair.parts.map(({ link, without, withOthers }) =>
        [link.from, link.to, link.credit.index, ...without, '+', ...withOthers].join(' '),
      );
      return [`${repair.kind} ${parts.join(';')}`, repair];
    }),
  );
  return [...byName.values()];
}
