import { DAY_MS } from '../kernel';
import { at, elementAt } from './at';
import type { BoundedLink } from './bound-cut';
import type { CutState } from './cut-states';
import type { Credit, Link } from './find-links';
import type { StreamItems } from './order-stream';
import type { PathWeights } from './weigh-paths';

/** A gap on fewer paths than this gets no repair. */
const GAP_SHARE_MIN = 0.02;
const BESIDE_SHARE_MIN = 0.3;
const IN_A_ROW_SHARE_MIN = 0.01;
const GAP_MS_MAX = 20 * DAY_MS;

/** The positions between two cuts, or after the last known one. */
export interface GapOrEnd {
  readonly from: number;
  readonly to: number;
  /** True if no cut ends it. */
  readonly isOpen?: boolean;
}

/** A stretch between two cuts in which no link fits, and an upper bound on the share of the paths that have it. */
export interface Gap extends GapOrEnd {
  readonly share: number;
}

/** Returns a gap from each clean cut where paths enter a deviation to each of the next nodes where they leave it. */
export function findGaps(
  { gapEntries, gapExits }: PathWeights,
  states: readonly CutState[],
  sequence: StreamItems,
): Gap[] {
  const gaps: Gap[] = [];
  for (let entry = 0; entry < states.length; entry += 1) {
    const entering = at(gapEntries, entry);
    const { position: from, carried } = elementAt(states, entry);
    if (entering < GAP_SHARE_MIN || carried !== 0) continue;
    let leaving = 0;
    let cameOut = 0;
    for (let exit = entry + 1; exit < states.length && leaving < 1 - GAP_SHARE_MIN; exit += 1) {
      const share = at(gapExits, exit);
      const { position: to, carried: carriedOut } = elementAt(states, exit);
      if (share < GAP_SHARE_MIN || carriedOut !== 0) continue;
      if (at(sequence.key, to - 1) - at(sequence.key, from) > GAP_MS_MAX) break;
      leaving += share;
      // Paths that left the deviation earlier do not reach this node in it.
      gaps.push({ from, to, share: Math.min(entering, share, 1 - cameOut) });
      cameOut = Math.max(cameOut, share);
    }
  }
  return gaps;
}

/**
 * Returns the deviations that no later cut ends, from the cuts at which they begin to the last item that a free credit
 * can pay.
 */
export function openEnds(
  { gapEntries, gapExits }: PathWeights,
  states: readonly CutState[],
  sequence: StreamItems,
  free: readonly Credit[],
): GapOrEnd[] {
  const ends: GapOrEnd[] = [];
  const latest = free.reduce((last, credit) => Math.max(last, credit.latest), -Infinity);
  let leaving = 0;
  for (let entry = states.length - 1; entry >= 0 && leaving < 1 - GAP_SHARE_MIN; entry -= 1) {
    const from = elementAt(states, entry).position;
    const begin = at(sequence.key, from);
    if (begin < latest && at(gapEntries, entry) >= GAP_SHARE_MIN) {
      let to = from;
      while (to < sequence.size && at(sequence.key, to) < Math.min(latest, begin + GAP_MS_MAX)) to += 1;
      ends.push({ from, to, isOpen: true });
    }
    leaving += at(gapExits, entry);
  }
  return ends;
}

/** The positions between two cuts, with the credits of the links that contest it. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly beside: readonly Credit[];
}

/** Returns the likeliest link into each cut with the likeliest one out of it. */
export function linksInARow(links: readonly BoundedLink[], paths: PathWeights): (readonly [Link, Link])[] {
  const { into, outOf } = linksAtCuts(links, paths, IN_A_ROW_SHARE_MIN);
  return [...into].flatMap(([cut, link]) => {
    const next = outOf.get(cut);
    return next === undefined ? [] : [[link, next] as const];
  });
}

/** Returns, by cut, the likeliest link into it and the likeliest one out of it. */
function linksAtCuts(
  links: readonly BoundedLink[],
  { shares }: PathWeights,
  shareMin: number,
): { readonly into: Map<number, BoundedLink>; readonly outOf: Map<number, BoundedLink> } {
  const into = new Map<number, BoundedLink>();
  const outOf = new Map<number, BoundedLink>();
  const likely = links
    .map((link, index) => ({ link, share: at(shares, index) }))
    .filter(({ share }) => share >= shareMin);
  for (const { link } of likely.sort((a, b) => a.share - b.share)) {
    into.set(link.to, link);
    outOf.set(link.from, link);
  }
  return { into, outOf };
}

/**
 * Returns the gaps, and each gap joined with the link before or after it. An item on the wrong side of a cut may make a
 * link fit by chance beside one that does not fit; then both are wrong.
 */
export function stretchesToRepair(gaps: readonly Gap[], links: readonly BoundedLink[], paths: PathWeights): Stretch[] {
  const { into, outOf } = linksAtCuts(links, paths, BESIDE_SHARE_MIN);
  const stretches = new Map<string, Stretch>();
  for (const { from, to } of gaps) {
    const before = into.get(from);
    const after = outOf.get(to);
    const within = outOf.get(from);
    // A link over the same positions contests the gap, too.
    const contesting = within?.to === to ? [within.credit] : [];
    const add = (stretch: Stretch): unknown => stretches.set(`${stretch.from} ${stretch.to}`, stretch);
    add({ from, to, beside: contesting });
    if (before !== undefined) add({ from: before.from, to, beside: [before.credit, ...contesting] });
    if (after !== undefined) add({ from, to: after.to, beside: [...contesting, after.credit] });
  }
  return [...stretches.values()];
}
