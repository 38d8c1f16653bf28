import { at } from './at';
import type { BoundedLink } from './bound-cut';
import type { MovedRates } from './cut-states';
import { FIRST_CONTINUATION, type PathWeights } from './weigh-paths';

/** A count among a number of payouts, as if the file had shown them. */
interface Prior {
  readonly count: number;
  readonly of: number;
}

export const FIRST_DEVIATION = 0.04;
const DEVIATION_MAX = 0.3;
/** The prior: the file must outweigh this many payouts without a deviation before it counts as having none. */
const DEVIATION_PRIOR: Prior = { count: 0.7, of: 25 };
const MERGED_PRIOR: Prior = { count: 0.5, of: 40 };
export const FIRST_MERGED = MERGED_PRIOR.count / MERGED_PRIOR.of;
const LACKING_PRIOR: Prior = { count: 0.5, of: 40 };
export const FIRST_LACKING = LACKING_PRIOR.count / LACKING_PRIOR.of;
const REFUND_LEFT_PRIOR: Prior = { count: 0.4, of: 30 };
const MOVED_PRIOR: Prior = { count: 0.12, of: 60 };
/** Before any item moved, both directions are as likely. */
const EACH_DIRECTION = 0.5;
const SPLIT_PRIOR: Prior = { count: 0.3, of: 30 };
const TWICE_PRIOR: Prior = { count: 6, of: 30 };
const TWICE_MIN = 0.1;

/** The prior of the share of deviations that cover one payout more: as many payouts of gaps. */
const CONTINUATION_PRIOR_OF = 5;

type Deviations = Pick<PathWeights, 'deviations' | 'links'>;

/** Returns the rate of unexplained deviations among the payouts of a stream and of the gateway's other streams. */
export function deviationOf(own: Deviations, others: readonly Deviations[] = []): number {
  const all = [own, ...others];
  // One deviation of each stream is the end of the file.
  const counted = all.reduce((sum, { deviations }) => sum + Math.max(0, deviations - 1), DEVIATION_PRIOR.count);
  const payouts = all.reduce((sum, { links }) => sum + links, DEVIATION_PRIOR.of);
  return Math.min(DEVIATION_MAX, counted / payouts);
}

/** Returns the probability that the file begins in the middle of a payout, as the other streams show it. */
export function coldStartOf(others: readonly Pick<PathWeights, 'coldStart'>[]): number {
  return others.reduce((sum, { coldStart }) => sum + coldStart, 0.5) / (others.length + 1);
}

/** Returns the probability that a deviation covers one payout more, as the file shows it. */
export function continuationOf({ closedGaps: { count, payouts } }: PathWeights): number {
  const further = Math.max(0, payouts - count);
  return (further + FIRST_CONTINUATION * CONTINUATION_PRIOR_OF) / (count + further + CONTINUATION_PRIOR_OF);
}

/** The rates among payouts of what deviates from a clean run. */
export interface DeviationRates extends MovedRates {
  /** A refund was left out. */
  readonly refundLeft: number;
  readonly merged: number;
  readonly split: number;
}

/** The rates at first: high enough that the first deviation of a file is found. */
export const FIRST_RATES: DeviationRates = {
  heldBack: 0.25 / 30,
  takenEarly: 0.25 / 30,
  refundLeft: REFUND_LEFT_PRIOR.count / REFUND_LEFT_PRIOR.of,
  merged: TWICE_PRIOR.count / TWICE_PRIOR.of,
  split: SPLIT_PRIOR.count / SPLIT_PRIOR.of,
};

/** What the paths of a stream show: the average number of payouts, and of those that deviate. */
export interface CountedDeviations extends Record<keyof DeviationRates, number> {
  readonly payouts: number;
}

/** The paths of a stream, and what deviates in them. */
export interface StreamPaths extends PathWeights {
  readonly counted: CountedDeviations;
}

/** Returns the rates that all streams of a gateway show together: a weak prior, then the counts. */
export function deviationRates(streams: readonly CountedDeviations[]): DeviationRates {
  const rateOf = (count: (counted: CountedDeviations) => number, prior: Prior): number =>
    streams.reduce((sum, counted) => sum + count(counted), prior.count) /
    streams.reduce((sum, { payouts }) => sum + payouts, prior.of);
  return {
    ...movedRates(streams, rateOf(movedRate, MOVED_PRIOR)),
    refundLeft: rateOf(({ refundLeft }) => refundLeft, REFUND_LEFT_PRIOR),
    merged: Math.max(
      TWICE_MIN,
      rateOf(({ merged }) => merged, TWICE_PRIOR),
    ),
    split: rateOf(({ split }) => split, SPLIT_PRIOR),
  };
}

/** Returns the rate, or the number, of payouts over whose cut an item moved, in either direction. */
export function movedRate({ heldBack, takenEarly }: MovedRates): number {
  return heldBack + takenEarly;
}

/** Returns the rates of moved items. Which direction they move in is learned from those that did. */
function movedRates(streams: readonly CountedDeviations[], moved: number): MovedRates {
  const count = (kind: keyof MovedRates): number =>
    streams.reduce((sum, counted) => sum + counted[kind], EACH_DIRECTION);
  const [heldBack, takenEarly] = [count('heldBack'), count('takenEarly')];
  return {
    heldBack: (moved * heldBack) / (heldBack + takenEarly),
    takenEarly: (moved * takenEarly) / (heldBack + takenEarly),
  };
}

/** Returns the share of credits that contain two payouts, as far as observations show it. */
export function mergedShare(links: readonly BoundedLink[], paths: PathWeights): number {
  return shareWhere(links, paths, MERGED_PRIOR, ({ observed }) => observed === 'merged');
}

/** Returns the share of credits that lack a recurring amount. */
export function lackingShare(links: readonly BoundedLink[], paths: PathWeights): number {
  return shareWhere(links, paths, LACKING_PRIOR, ({ lacks }) => lacks !== undefined);
}

function shareWhere(
  links: readonly BoundedLink[],
  paths: PathWeights,
  prior: Prior,
  isCounted: (link: BoundedLink) => boolean,
): number {
  const counted = links.reduce((sum, link, index) => sum + (isCounted(link) ? at(paths.shares, index) : 0), 0);
  return (counted + prior.count) / (paths.links + prior.of);
}
