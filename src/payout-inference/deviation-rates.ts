import { at } from './at';
import type { BoundedLink } from './bound-cut';
import type { Repair } from './repair-gaps';
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
const REPAIR_PRIOR_OF = REFUND_LEFT_PRIOR.of;
/** The prior of items on the other side of the cut of a clean run. */
const MOVED_UNSEEN_PRIOR: Prior = { count: 0.12, of: 60 };

/** The prior of the share of deviations that cover one payout more: as many payouts of gaps. */
const CONTINUATION_PRIOR_OF = 5;

type RepairKind = Repair['kind'];

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

/** Returns the rate of each kind of repair among payouts: a weak prior, then the counts of the file. */
export function repairRates(
  repairs: readonly Repair[],
  found: { readonly paths: PathWeights; readonly links: number } | undefined,
): Record<RepairKind, number> {
  const counts: Record<RepairKind, number> = {
    moved: 0.5,
    refund_left: REFUND_LEFT_PRIOR.count,
    split: 0.3,
    merged: 6,
  };
  if (found === undefined) return mapRates(counts, REPAIR_PRIOR_OF);
  repairs.forEach(({ kind }, index) => (counts[kind] += at(found.paths.shares, found.links + index)));
  return mapRates(counts, REPAIR_PRIOR_OF + found.paths.links);
}

function mapRates(counts: Record<RepairKind, number>, of: number): Record<RepairKind, number> {
  const { moved, refund_left, split, merged } = counts;
  return { moved: moved / of, refund_left: refund_left / of, split: split / of, merged: Math.max(0.1, merged / of) };
}

/** The shares of payouts with an item on the other side of their cut, and with a refund that was left out. */
export interface DeviationShares {
  readonly moved: number;
  readonly refundLeft: number;
}

interface StreamOfRepairs {
  readonly weighed: {
    readonly paths: Pick<PathWeights, 'links'>;
    readonly repairs: readonly { readonly kind: RepairKind; readonly share: number }[];
  };
}

/** Returns the shares that all streams of a gateway show together. */
export function deviationShares(streams: readonly StreamOfRepairs[]): DeviationShares {
  const payouts = streams.reduce((sum, { weighed }) => sum + weighed.paths.links, 0);
  const shareOf = (wanted: RepairKind, prior: Prior): number => {
    const repairs = streams.flatMap(({ weighed }) => weighed.repairs.filter(({ kind }) => kind === wanted));
    return repairs.reduce((sum, { share }) => sum + share, prior.count) / (payouts + prior.of);
  };
  return { moved: shareOf('moved', MOVED_UNSEEN_PRIOR), refundLeft: shareOf('refund_left', REFUND_LEFT_PRIOR) };
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
