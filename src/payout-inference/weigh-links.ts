import { at } from './at';
import type { BoundedLink } from './bound-cut';
import type { CutCounts, CutRates } from './cut-rates';
import type { DayGrid } from './day-grid';
import type { LinkWithShare } from './deviating-links';
import type { DeviationRates, StreamPaths } from './deviation-rates';
import { findGaps, type Gap } from './find-gaps';
import { findLackingLinks, learnFrom, type WeighRequest } from './learn-links';
import type { Repair } from './repair-gaps';
import { weighDeviating, withShares } from './weigh-deviating';
import type { PathWeights } from './weigh-paths';

const DEVIATION_OF_NOTHING = 0.29;

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
  readonly deviating: readonly LinkWithShare[];
  /** The gaps that nothing explains. */
  readonly gaps: readonly Gap[];
  readonly cutRates: CutRates;
  /** The counts from which the rates were learned. */
  readonly counts: CutCounts;
  readonly deviation: number;
  readonly rates: DeviationRates;
  readonly paths: StreamPaths;
  /** The log likelihood ratio of payouts of this stream against none. */
  readonly logEvidence: number;
}

/** Weighs the links of a stream, learns from them how the gateway pays, and weighs what may deviate beside them. */
export function weighLinks(request: WeighRequest): WeighedStream {
  const { sequence, chances, grid } = request;
  const exact = learnFrom(request, request.links);
  const lacking = findLackingLinks(request, exact);
  const learned = lacking.length === 0 ? exact : learnFrom(request, [...request.links, ...lacking]);
  const { links, weigh } = learned;
  const { deviating, beliefs, weighed, counted } = weighDeviating(request, learned);
  const { paths, states } = weighed;
  const { cutRates, deviation, rates } = beliefs;
  const unexplained = { ...beliefs, explained: new Float64Array(chances.met.length) };
  return {
    grid,
    links: links.map((link, index) => ({ ...link, share: at(paths.shares, index) })),
    repairs: withShares(deviating.repairs, paths, links.length),
    deviating: withShares(deviating.links, paths, links.length + deviating.repairs.length),
    gaps: findGaps(paths, states, sequence),
    cutRates,
    counts: learned.counts,
    deviation,
    rates,
    paths: { ...paths, counted },
    logEvidence: logEvidenceOf(weigh(unexplained, deviating).paths, deviation),
  };
}

/**
 * Compares the paths with the hypothesis that nothing is paid, under which every hit is chance, even in a chain. A file
 * with constant deviations is no chain at all.
 */
function logEvidenceOf({ logTotal, logNothing }: PathWeights, deviation: number): number {
  return deviation >= DEVIATION_OF_NOTHING ? 0 : logTotal - logNothing;
}
