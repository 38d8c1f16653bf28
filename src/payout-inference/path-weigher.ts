import { addToGroup } from '../kernel';
import { at } from './at';
import type { BoundedLink } from './bound-cut';
import { type CutRates, LAGS } from './cut-rates';
import { chanceOfState, cleanCut, type CutState, nameOfCut } from './cut-states';
import type { DayGrid } from './day-grid';
import type { DeviatingLink } from './deviating-links';
import { type DeviationRates, movedRate } from './deviation-rates';
import type { Chances, Credit, Link } from './find-links';
import { chanceByDigits, hitLikelihoodRatio } from './hit-likelihood';
import { countBoundaries, logNoCutBefore, logPrior, rivalsAround } from './link-prior';
import type { StreamItems } from './order-stream';
import { knownCuts, type PastCuts } from './past-cuts';
import type { Priced } from './price-stream';
import type { Repair } from './repair-gaps';
import { logAdd, type PathEdge, type PathNode, type PathWeights, weighPaths } from './weigh-paths';

/** The log weight of a link that an observation contradicts. The observation may be of a payout that was called off. */
const CONTRADICTED = Math.log(1e-5);
const AVOIDED = Math.log(1e-6);

/** The facts of a stream before its paths are weighed. */
export interface PathWeigherRequest {
  readonly sequence: StreamItems;
  readonly priced: readonly Priced[];
  readonly chances: Chances;
  readonly credits: readonly Credit[];
  readonly grid: DayGrid;
  /** The share of each credit that other streams do not claim, by its index; 1 if none claims it. */
  readonly free: (credit: Credit) => number;
  readonly horizonDay: number;
  /** The probability that the file begins in the middle of a payout, if no earlier runs are known. */
  readonly coldStart: number;
  /** The payouts of this stream that earlier runs settled. */
  readonly past: PastCuts | undefined;
}

/** The assumptions about the gateway while the paths are weighed. */
export interface Beliefs {
  readonly cutRates: CutRates;
  /** The cut rates without what the paths of a credit show of them, by which its links are judged. */
  readonly ratesWithout: (credit: Credit) => CutRates;
  /** By the credit's index, the share that the links explain. */
  readonly explained: Float64Array;
  readonly deviation: number;
  readonly continuation: number;
  /** The number of expected cuts between two payouts, which is the unit of the length of a deviation. */
  readonly cutsPerPayout: number;
  readonly mergedRate: number;
  /** The share of payouts that lack a recurring amount. */
  readonly lackingRate: number;
  readonly gapMs: number;
  readonly rates: DeviationRates;
}

/** What may compete with the links: repairs, and links with moved items or without refunds. */
export interface Deviating {
  readonly repairs: readonly Repair[];
  readonly links: readonly DeviatingLink[];
}

export const NOTHING_DEVIATES: Deviating = { repairs: [], links: [] };

export interface WeighedPaths {
  /** The links first, then the repairs, then the deviating links. */
  readonly paths: PathWeights;
  /** The state of each node of the paths. */
  readonly states: readonly CutState[];
  readonly weightOf: (link: Link) => number;
}

/** Weighs all paths. `avoided`: indexes of links with almost no weight. */
export type PathWeigher = (beliefs: Beliefs, deviating: Deviating, avoided?: ReadonlySet<number>) => WeighedPaths;

/** Returns the weigher of a stream: it computes the probability of each path through its links under given beliefs. */
export function pathWeigher(request: PathWeigherRequest, links: readonly BoundedLink[]): PathWeigher {
  const { sequence, grid, credits, chances, past } = request;
  const chanceOfAmount = chanceByDigits(sequence, request.priced);
  const known: ReadonlySet<number> = past === undefined ? new Set() : knownCuts(past, sequence);
  const start = [...known].at(-1) ?? 0;
  const boundariesBefore = countBoundaries(sequence);
  const sweptAgain = runsTakenBack(links);
  const open = openCredits(request);

  return (beliefs, deviating, avoided) => {
    const { cutRates, ratesWithout, deviation, continuation, mergedRate, lackingRate, gapMs } = beliefs;
    const states = statesOf([...links, ...deviating.repairs], deviating.links, known);
    const nodeOf = new Map(states.map((state, node) => [nameOfCut(state), node]));
    const nodeAt = (state: CutState): number => nodeOf.get(nameOfCut(state)) ?? 0;
    const hitRatio = hitLikelihoodRatio(chances, credits, beliefs.explained, chanceOfAmount);
    const weightOf = (link: Link, isMerged = false): number => {
      const others = ratesWithout(link.credit);
      return (
        logPrior(link, sequence, others, grid) +
        logNoCutBefore(link, sequence, others, mergedRate, isMerged) +
        Math.log(hitRatio(link.credit) * rivalsAround(link, sequence, cutRates, boundariesBefore)) +
        Math.log(link.lacks === undefined ? 1 - deviation : lackingRate) +
        Math.log(Math.max(1e-12, request.free(link.credit)))
      );
    };
    const weightOfBounded = (link: BoundedLink): number => {
      const weight = weightOf(link, link.observed === 'merged') + (link.observed === 'against' ? CONTRADICTED : 0);
      return sweptAgain(link).reduce(
        (sum, first) => logAdd(sum, weightOf(first) + weightOf(link, true) - Math.log(mergedRate) + SWEPT_AGAIN),
        weight,
      );
    };
    const logNoiseAfter = noiseAfter(request, open, beliefs);
    const edgeOf = ({ from, to }: { from: number; to: number }, logWeight: number): PathEdge => ({
      from: nodeAt(cleanCut(from)),
      to: nodeAt(cleanCut(to)),
      logWeight,
    });
    const paths = weighPaths({
      nodes: states.map((state) => nodeOfState(state, { known, start }, request, beliefs, logNoiseAfter)),
      edges: [
        ...links.map((link, index) =>
          edgeOf(link, weightOfBounded(link) + (avoided?.has(index) === true ? AVOIDED : 0)),
        ),
        ...deviating.repairs.map((repair) => edgeOf(repair, repair.logBase + Math.log(rateOf(repair, beliefs)))),
        ...deviating.links.map((link) => ({
          from: nodeAt(link.start),
          to: nodeAt(link.end),
          logWeight: weightOf(link) + logDeviating(link, beliefs),
        })),
      ],
      logDeviation: Math.log(deviation),
      continuation,
      gapMs,
      logColdStart: past === undefined ? Math.log(request.coldStart) : COLD_AFTER_PAST,
    });
    return { paths, states, weightOf };
  };
}

/** The log probability that the gateway pays a debited-back payout with its next run; otherwise it keeps the money. */
const SWEPT_AGAIN = Math.log(0.3);

/**
 * Returns the links whose payout was debited back before this one was booked, and whose whole run this one pays again.
 */
function runsTakenBack(links: readonly BoundedLink[]): (link: BoundedLink) => readonly BoundedLink[] {
  const byStart = new Map<number, BoundedLink[]>();
  for (const link of links) {
    if (link.credit.takenBackDay !== undefined) addToGroup(byStart, link.from, link);
  }
  return ({ from, to, credit }) =>
    (byStart.get(from) ?? []).filter((first) => first.to < to && (first.credit.takenBackDay ?? 0) <= credit.bookingDay);
}

/** The prior of credits of other payers, of so many credits. */
const NOISE_PRIOR = { count: 1, of: 2 } as const;

/** After known payouts, the next one begins where the last one ended, unless something deviates. */
const START_AFTER_PAST = Math.log(0.65);
/** Items of a reversed match, or items that were never paid, lie before the last cut. */
const START_OF_LEFT_OVERS = Math.log(0.3);
const COLD_AFTER_PAST = Math.log(0.05);

function logStartOf(position: number, start: number, { past, coldStart }: PathWeigherRequest): number {
  if (past === undefined) return position === start ? Math.log1p(-coldStart) : -Infinity;
  if (position === start) return START_AFTER_PAST;
  return position === 0 ? START_OF_LEFT_OVERS : -Infinity;
}

function nodeOfState(
  state: CutState,
  { known, start }: { readonly known: ReadonlySet<number>; readonly start: number },
  request: PathWeigherRequest,
  { cutRates, cutsPerPayout, deviation, rates }: Beliefs,
  logNoiseAfter: (instant: number) => number,
): PathNode {
  const { sequence, grid, horizonDay } = request;
  const { position, carried } = state;
  const isKnown = carried === 0 && known.has(position);
  const instant = position === 0 ? at(sequence.key, 0) - 1 : at(sequence.key, position - 1);
  const bookedBy = at(grid.startAt, grid.workingBefore(horizonDay, 1));
  const next = Math.min(at(sequence.key, position), bookedBy);
  const expected = cutRates.expected(instant, Math.max(instant + 1, Math.min(at(sequence.key, position), bookedBy)));
  return {
    position,
    instant,
    cutsBefore: cutRates.expected(at(sequence.key, 0), instant) / cutsPerPayout,
    logCut: isKnown ? 0 : Math.log(Math.max(1e-12, -Math.expm1(-expected))) + logMoved(state, rates),
    logStart: carried === 0 ? logStartOf(position, start, request) : -Infinity,
    logEnd: Math.max(Math.log(deviation), -cutRates.expected(next, bookedBy) + logNoiseAfter(instant)),
  };
}

/** Two credits whose sum is right may also be two payouts with several items moved, which no sum can name. */
function rateOf({ kind }: Repair, { rates }: Beliefs): number {
  return rates[kind] + (kind === 'split' ? movedRate(rates) ** 2 : 0);
}

/** Returns the log probability that one of the items of a state moved. */
function logMoved(state: CutState, rates: DeviationRates): number {
  return state.carried === 0 ? 0 : Math.log(chanceOfState(state, rates));
}

function logDeviating({ end, leftOut, ways }: DeviatingLink, { rates }: Beliefs): number {
  return logMoved(end, rates) + (leftOut.length === 0 ? 0 : Math.log(rates.refundLeft / ways));
}

/** The credits that may be of this stream: their shares by booking day, and the sums of those from each day on. */
interface OpenCredits {
  readonly ofDay: Float64Array;
  readonly fromDay: Float64Array;
}

function openCredits({ credits, grid, free }: PathWeigherRequest): OpenCredits {
  const ofDay = new Float64Array(grid.days);
  for (const credit of credits) ofDay[credit.bookingDay] = at(ofDay, credit.bookingDay) + free(credit);
  const fromDay = new Float64Array(grid.days + 1);
  for (let day = grid.days - 1; day >= 0; day -= 1) fromDay[day] = at(fromDay, day + 1) + at(ofDay, day);
  return { ofDay, fromDay };
}

/**
 * Returns the log probability that the credits after a last cut are another payer's: all that are booked later than the
 * payout of this cut. The more credits the file explains, the rarer are others.
 */
function noiseAfter(
  { credits, grid, free, past }: PathWeigherRequest,
  { ofDay, fromDay }: OpenCredits,
  { cutRates, explained }: Beliefs,
): (instant: number) => number {
  const unexplained = credits.reduce<number>(
    (sum, credit) => sum + Math.max(0, free(credit) - at(explained, credit.index)),
    NOISE_PRIOR.count,
  );
  const all = at(fromDay, 0) + (past?.after.length ?? 0) + NOISE_PRIOR.of;
  const logNoise = Math.log(unexplained / all);
  const bookedBefore = new Float64Array(LAGS + 1);
  for (let lag = 0; lag < LAGS; lag += 1) bookedBefore[lag + 1] = at(bookedBefore, lag) + cutRates.lag(lag);
  const known = new Map<number, number>();
  return (instant) => {
    const cutDay = grid.dayOf(instant);
    const before = known.get(cutDay);
    if (before !== undefined) return before;
    let later = 0;
    let day = cutDay + 1;
    for (; day < grid.days; day += 1) {
      const lag = grid.lag(cutDay, day);
      if (lag >= LAGS) break;
      if (lag > 0) later += at(ofDay, day) * at(bookedBefore, lag);
    }
    const log = logNoise * (later + at(fromDay, Math.min(day, grid.days)) * at(bookedBefore, LAGS));
    known.set(cutDay, log);
    return log;
  };
}

/** Returns the states of all cuts, in the order of their positions. */
function statesOf(
  clean: readonly Pick<Link, 'from' | 'to'>[],
  deviating: readonly DeviatingLink[],
  known: ReadonlySet<number>,
): CutState[] {
  const positions = new Set([0, ...known]);
  for (const { from, to } of clean) positions.add(from).add(to);
  const states = new Map([...positions].map((position) => [nameOfCut(cleanCut(position)), cleanCut(position)]));
  for (const { start, end } of deviating) states.set(nameOfCut(start), start).set(nameOfCut(end), end);
  return [...states.values()].sort((a, b) => a.position - b.position || a.carried - b.carried);
}
