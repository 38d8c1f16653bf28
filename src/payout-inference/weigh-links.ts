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
import { deviationOf, FIRST_DEVIATION, FIRST_MERGED, mergedShare, repairRates } from './deviation-rates';
import { findGaps, type Gap, openEnds, stretchesToRepair } from './find-gaps';
import type { Chances, Credit, Link } from './find-links';
import { chanceByDigits, hitLikelihoodRatio } from './hit-likelihood';
import { countBoundaries, logNoCutBefore, logPrior, rivalsAround } from './link-prior';
import type { ObservationBounds } from './observation-bounds';
import type { StreamItems } from './order-stream';
import type { PastCuts } from './past-cuts';
import type { Priced } from './price-stream';
import { type Repair, repairGap } from './repair-gaps';
import { repairOneSide } from './repair-one-side';
import { logAdd, type PathEdge, type PathNode, type PathWeights, weighPaths } from './weigh-paths';

const ROUNDS = 6;
/** What a link weighs that an observation contradicts: that may have been of a payout that was called off. */
const CONTRADICTED = Math.log(1e-5);
const AVOIDED = Math.log(1e-6);
const GAP_SHARE_OF_INTERVAL = 0.3;
const DEVIATION_OF_NOTHING = 0.29;
const REPAIR_ROUNDS = 3;
const FREE_SHARE_MAX = 0.9;
const SHARE_COUNTED_MIN = 1e-4;

/** A link and its share of all ways. */
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
  /** What no repair explains either. */
  readonly gaps: readonly Gap[];
  readonly cutRates: CutRates;
  /** The counts that the rates were learned from. */
  readonly counts: CutCounts;
  readonly deviation: number;
  readonly paths: PathWeights;
  /** By how much (a logarithm) the file speaks for payouts of this stream against none. */
  readonly logEvidence: number;
}

export interface WeighRequest {
  readonly sequence: StreamItems;
  readonly priced: readonly Priced[];
  readonly links: readonly Link[];
  readonly chances: Chances;
  readonly credits: readonly Credit[];
  readonly bounds: ObservationBounds;
  readonly grid: DayGrid;
  /** What other streams leave of each credit, by its index; 1 where no other stream claims it. */
  readonly free: (credit: Credit) => number;
  readonly horizonDay: number;
  /** What other streams show of the same gateway's cuts. */
  readonly others: readonly CutCounts[];
  /** What earlier runs settled of this stream. */
  readonly past: PastCuts | undefined;
  /**
   * Links, by their place among `links`, that are hardly believed at first: what is learned then of the gateway's cuts is
   * learned from the others. Where both stand, the file does not say which rates are the true ones.
   */
  readonly avoided?: ReadonlySet<number> | undefined;
}

export function weighLinks(request: WeighRequest): WeighedStream {
  const { sequence, links, chances, credits, bounds, grid, horizonDay } = request;
  const bounded = links.map((link) => boundCut(link, sequence, bounds));
  // Before anything is known, one hit of each credit is half believed.
  let explained = chances.met.map((count) => (count > 0 ? 0.5 : 0));
  const chanceOfAmount = chanceByDigits(sequence, request.priced);
  const anchor = request.past === undefined ? 0 : anchorOf(request.past, sequence);
  let positions = positionsOf(bounded, anchor);
  let nodeOf = nodesByPosition(positions);
  const boundariesBefore = countBoundaries(sequence);
  const days = { from: grid.dayOf(at(sequence.key, 0)), to: horizonDay };
  const workingDays = Math.max(1, grid.lag(days.from, days.to));
  let cutRates = unknownCutRates(grid, credits.length / workingDays);
  let counts = countNothing(days);
  if (request.others.length > 0 || request.past !== undefined) cutRates = learnCutRates(grid, known(counts));
  if (request.avoided !== undefined) {
    cutRates = learnCutRates(grid, known(countAlternativeCuts(bounded, request.avoided, { cutRates, grid, days })));
  }
  let deviation = FIRST_DEVIATION;
  const sweptAgain = runsTakenBack(bounded);
  let gapMs = 0;
  let mergedRate = FIRST_MERGED;
  let rates = repairRates([], undefined);

  function known(own: CutCounts): CutCounts {
    const all = withOthers(own, request.others);
    return request.past === undefined ? all : addCounts(all, request.past.counts);
  }

  function weigh(
    repairs: readonly Repair[],
    believed: Float64Array = explained,
    avoided?: ReadonlySet<number>,
  ): { paths: PathWeights; weightOf: (link: Link) => number } {
    const logDeviation = Math.log(deviation);
    const hitRatio = hitLikelihoodRatio(chances, credits, believed, chanceOfAmount);
    const nodes = positions.map((position): PathNode => ({
      ...nodeAt(position, sequence, cutRates, grid, horizonDay, logDeviation),
      logStart: logStartOf(position, anchor, request.past !== undefined),
    }));
    const weightOf = (link: Link, isMerged = false): number =>
      logPrior(link, sequence, cutRates, grid) +
      logNoCutBefore(link, sequence, cutRates, mergedRate, isMerged) +
      Math.log(hitRatio(link.credit) * rivalsAround(link, sequence, cutRates, boundariesBefore)) +
      Math.log(1 - deviation) +
      Math.log(Math.max(1e-12, request.free(link.credit)));
    const edgeOf = ({ from, to }: { from: number; to: number }, logWeight: number): PathEdge => ({
      from: nodeOf.get(from) ?? 0,
      to: nodeOf.get(to) ?? 0,
      logWeight,
    });
    const weightOfBounded = (link: BoundedLink): number => {
      const weight = weightOf(link, link.observed === 'merged') + (link.observed === 'against' ? CONTRADICTED : 0);
      return sweptAgain(link).reduce(
        (sum, first) => logAdd(sum, weightOf(first) + weightOf(link, true) - Math.log(mergedRate) + SWEPT_AGAIN),
        weight,
      );
    };
    const edges = [
      ...bounded.map((link, index) =>
        edgeOf(link, weightOfBounded(link) + (avoided?.has(index) === true ? AVOIDED : 0)),
      ),
      ...repairs.map((repair) => edgeOf(repair, repair.logBase + Math.log(rates[repair.kind]))),
    ];
    return {
      paths: weighPaths({
        nodes,
        edges,
        logDeviation,
        gapMs,
        logColdStart: request.past === undefined ? HALF : COLD_AFTER_PAST,
      }),
      weightOf,
    };
  }

  let { paths, weightOf } = weigh([], explained, request.avoided);
  for (let round = 1; round < ROUNDS; round += 1) {
    counts = countNothing(days);
    explained = new Float64Array(chances.met.length);
    for (const [index, link] of bounded.entries()) {
      const share = at(paths.shares, index);
      explained[link.credit.index] = at(explained, link.credit.index) + share;
      if (share < SHARE_COUNTED_MIN) continue;
      const { bookingDay } = link.credit;
      countCut(counts, cutRates, grid, { from: link.cutFrom, to: link.cutTo, bookingDay, share });
    }
    cutRates = learnCutRates(grid, known(counts));
    deviation = deviationOf(paths);
    mergedRate = mergedShare(bounded, paths);
    gapMs = typicalInterval(bounded, paths, sequence) * GAP_SHARE_OF_INTERVAL;
    ({ paths, weightOf } = weigh([]));
  }

  const free = credits.filter(({ index }) => at(explained, index) < FREE_SHARE_MAX);
  const found = findGaps(paths, positions, sequence);
  const toRepair = { sequence, priced: request.priced, grid, weightOf };
  const repairs = unlike([
    ...stretchesToRepair(found, bounded, paths).flatMap(({ from, to, beside }) =>
      repairGap({ ...toRepair, free: [...free, ...beside] }, from, to),
    ),
    ...[...found, ...openEnds(paths, positions, sequence, free)].flatMap((gap) =>
      repairOneSide({ ...toRepair, free }, gap),
    ),
  ]);
  positions = positionsOf([...bounded, ...repairs], anchor);
  nodeOf = nodesByPosition(positions);
  for (let round = 0; round < REPAIR_ROUNDS && repairs.length > 0; round += 1) {
    ({ paths } = weigh(repairs));
    rates = repairRates(repairs, { paths, links: bounded.length });
    deviation = deviationOf(paths);
  }
  return {
    grid,
    links: bounded.map((link, index) => ({ ...link, share: at(paths.shares, index) })),
    repairs: repairs.map((repair, index) => ({ ...repair, share: at(paths.shares, bounded.length + index) })),
    gaps: findGaps(paths, positions, sequence),
    cutRates,
    counts,
    deviation,
    paths,
    logEvidence: logEvidenceOf(weigh(repairs, new Float64Array(chances.met.length)).paths, deviation),
  };
}

/**
 * Against the hypothesis that nothing is paid every hit is chance, also those that a chain made credible. A file that
 * deviates all the time is no chain at all.
 */
function logEvidenceOf({ logTotal, logNothing }: PathWeights, deviation: number): number {
  return deviation >= DEVIATION_OF_NOTHING ? 0 : logTotal - logNothing;
}

/** What the bank took back stays with the gateway, or is paid with its next run. */
const SWEPT_AGAIN = Math.log(0.3);

/** The links, taken back before this one was booked, whose whole run this one pays once more. */
function runsTakenBack(links: readonly BoundedLink[]): (link: BoundedLink) => readonly BoundedLink[] {
  const byStart = new Map<number, BoundedLink[]>();
  for (const link of links) {
    if (link.credit.takenBackDay !== undefined) byStart.set(link.from, [...(byStart.get(link.from) ?? []), link]);
  }
  return ({ from, to, credit }) =>
    (byStart.get(from) ?? []).filter((first) => first.to < to && (first.credit.takenBackDay ?? 0) <= credit.bookingDay);
}

const HALF = Math.log(0.5);
/** After payouts that are known, the next one begins where the last one ended, unless something deviates. */
const START_AFTER_PAST = Math.log(0.65);
/** What a person took back, or what was never paid, lies before the last cut. */
const START_OF_LEFT_OVERS = Math.log(0.3);
const COLD_AFTER_PAST = Math.log(0.05);

/** The position behind the last cut that is known. */
function anchorOf({ lastCut }: PastCuts, sequence: StreamItems): number {
  let position = 0;
  while (position < sequence.size && at(sequence.key, position) <= lastCut.after) position += 1;
  return position;
}

function logStartOf(position: number, anchor: number, hasPast: boolean): number {
  if (position === anchor) return hasPast ? START_AFTER_PAST : HALF;
  return position === 0 && hasPast ? START_OF_LEFT_OVERS : -Infinity;
}

function nodeAt(
  position: number,
  sequence: StreamItems,
  cutRates: CutRates,
  grid: DayGrid,
  horizonDay: number,
  logDeviation: number,
): Omit<PathNode, 'logStart'> {
  const instant = position === 0 ? at(sequence.key, 0) - 1 : at(sequence.key, position - 1);
  const bookedBy = at(grid.startAt, grid.workingBefore(horizonDay, 1));
  const next = Math.min(at(sequence.key, position), bookedBy);
  const expected = cutRates.expected(instant, Math.max(instant + 1, Math.min(at(sequence.key, position), bookedBy)));
  return {
    position,
    instant,
    cutsBefore: cutRates.expected(at(sequence.key, 0), instant) / EXPECTED_PER_DAY_MAX,
    logCut: Math.log(Math.max(1e-12, -Math.expm1(-expected))),
    logEnd: Math.max(logDeviation, -cutRates.expected(next, bookedBy)),
  };
}

/** The median time between two cuts of the links so far. */
function typicalInterval(links: readonly BoundedLink[], paths: PathWeights, sequence: StreamItems): number {
  const lengths = links
    .filter((link, index) => at(paths.shares, index) > 0.5 && link.from > 0)
    .map((link) => at(sequence.key, link.to - 1) - at(sequence.key, link.from - 1))
    .sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length * 0.1)] ?? 0;
}

/** Two gaps that begin with the same cut find some repairs twice. */
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

function nodesByPosition(positions: readonly number[]): Map<number, number> {
  return new Map(positions.map((position, node) => [position, node]));
}

function positionsOf(links: readonly Pick<Link, 'from' | 'to'>[], anchor: number): number[] {
  const positions = new Set([0, anchor]);
  for (const { from, to } of links) positions.add(from).add(to);
  return [...positions].sort((a, b) => a - b);
}
