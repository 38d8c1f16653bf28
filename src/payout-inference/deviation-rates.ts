import { at } from './at';
import type { BoundedLink } from './bound-cut';
import type { Repair } from './repair-gaps';
import { FIRST_CONTINUATION, type PathWeights } from './weigh-paths';

export const FIRST_DEVIATION = 0.04;
const DEVIATION_MAX = 0.3;
/** The prior: the file must outweigh this many payouts without a deviation before it counts as having none. */
const DEVIATION_PRIOR = { count: 0.7, of: 25 } as const;
const MERGED_PRIOR = { count: 0.5, of: 40 } as const;
export const FIRST_MERGED = MERGED_PRIOR.count / MERGED_PRIOR.of;
const LACKING_PRIOR = { count: 0.5, of: 40 } as const;
export const FIRST_LACKING = LACKING_PRIOR.count / LACKING_PRIOR.of;
const REPAIR_PRIOR_OF = 30;

/** The prior of the share of deviations that cover one payout more: as many payouts of gaps. */
const CONTINUATION_PRIOR_OF = 5;

type RepairKind = Repair['kind'];

/** Returns the rate of unexplained deviations among payouts. */
export function deviationOf({ deviations, links }: PathWeights): number {
  // One deviation is the end of the file.
  const counted = Math.max(0, deviations - 1) + DEVIATION_PRIOR.count;
  return Math.min(DEVIATION_MAX, counted / (links + DEVIATION_PRIOR.of));
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
  const counts: Record<RepairKind, number> = { moved: 0.5, refund_left: 0.4, split: 0.3, merged: 6 };
  if (found === undefined) return mapRates(counts, REPAIR_PRIOR_OF);
  repairs.forEach(({ kind }, index) => (counts[kind] += at(found.paths.shares, found.links + index)));
  return mapRates(counts, REPAIR_PRIOR_OF + found.paths.links);
}

function mapRates(counts: Record<RepairKind, number>, of: number): Record<RepairKind, number> {
  const { moved, refund_left, split, merged } = counts;
  return { moved: moved / of, refund_left: refund_left / of, split: split / of, merged: Math.max(0.1, merged / of) };
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
  prior: { readonly count: number; readonly of: number },
  isCounted: (link: BoundedLink) => boolean,
): number {
  const counted = links.reduce((sum, link, index) => sum + (isCounted(link) ? at(paths.shares, index) : 0), 0);
  return (counted + prior.count) / (paths.links + prior.of);
}
