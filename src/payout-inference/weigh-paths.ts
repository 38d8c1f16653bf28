import { at, elementAt } from './at';

/** A position where one payout ends and the next begins. */
export interface PathNode {
  readonly position: number;
  /** The approximate time of a cut here. */
  readonly instant: number;
  /** The number of cuts expected up to here. */
  readonly cutsBefore: number;
  /** The log probability that the first payout of the file begins here. */
  readonly logStart: number;
  /** The log probability of a cut here. */
  readonly logCut: number;
  /** The log probability that no later cut is on the statement. */
  readonly logEnd: number;
}

/** A step from one node to a later one, by their indexes in the list of nodes. */
export interface PathEdge {
  readonly from: number;
  readonly to: number;
  readonly logWeight: number;
}

/** The share of deviations that cover one more payout, before the file shows any: most cover one. */
export const FIRST_CONTINUATION = 0.3;

export interface PathRequest {
  /** In the order of their positions. */
  readonly nodes: readonly PathNode[];
  readonly edges: readonly PathEdge[];
  /** The log probability that something deviates after a cut. */
  readonly logDeviation: number;
  /** The probability that a deviation covers one payout more. */
  readonly continuation: number;
  /** A deviation hides at least one cut, so it lasts at least this long. */
  readonly gapMs: number;
  /** The log probability that the file begins in the middle of a payout. */
  readonly logColdStart: number;
}

export interface PathWeights {
  /** The log weight of all paths together. */
  readonly logTotal: number;
  /** The log weight of the paths without any link. */
  readonly logNothing: number;
  /** By edge, the share of the paths that use it. */
  readonly shares: Float64Array;
  /** By node, the share of the paths that enter a deviation here, and of those that leave one. */
  readonly gapEntries: Float64Array;
  readonly gapExits: Float64Array;
  /** The share of the paths in which the first items belong to a payout that began before the file. */
  readonly coldStart: number;
  /** Of the deviations between two cuts, the average number, and the average number of payouts that they cover. */
  readonly closedGaps: { readonly count: number; readonly payouts: number };
  /** The average number of deviations of a path, and of links. */
  readonly deviations: number;
  readonly links: number;
}

/**
 * Weighs all paths through a stream: from cut to cut by links, or past a stretch with a deviation. Forward and backward
 * sums give each link's share of all paths.
 */
export function weighPaths(request: PathRequest): PathWeights {
  const { nodes, edges, logDeviation, logColdStart } = request;
  const { forward, left } = forwardSums(request);
  const { backward, gap } = backwardSums(request);
  let logTotal = logColdStart;
  let logNothing = logColdStart;
  nodes.forEach(({ logCut, logStart }, node) => {
    const cold = logColdStart + logCut + at(backward, node);
    logTotal = logAdd(logTotal, cold);
    logTotal = logAdd(logTotal, logStart + at(backward, node));
    logNothing = logAdd(logNothing, logStart);
  });
  const gapEntries = forward.map((log, node) => Math.exp(log + logDeviation + at(gap, node) - logTotal));
  const gapExits = left.map((log, node) => Math.exp(log + at(backward, node) - logTotal));
  const deviations = gapEntries.reduce((sum, share) => sum + share, 0);
  const closedGaps = { count: 0, payouts: 0 };
  let coldStart = 0;
  nodes.forEach(({ cutsBefore, logCut }, node) => {
    const toTheEnd = Math.exp(at(forward, node) + logDeviation - logTotal);
    const fromBefore = Math.exp(logColdStart + logCut + at(backward, node) - logTotal);
    coldStart += fromBefore;
    const entries = Math.max(0, at(gapEntries, node) - toTheEnd);
    const exits = Math.max(0, at(gapExits, node) - fromBefore);
    closedGaps.count += exits;
    closedGaps.payouts += (exits - entries) * cutsBefore;
  });
  const shares = new Float64Array(edges.length);
  let links = 0;
  edges.forEach(({ from, to, logWeight }, edge) => {
    const share = Math.exp(at(forward, from) + logWeight + at(backward, to) - logTotal);
    shares[edge] = Math.min(1, share);
    links += at(shares, edge);
  });
  return { logTotal, logNothing, shares, gapEntries, gapExits, coldStart, closedGaps, deviations, links };
}

/** Returns logarithms. `forward`: by node, all paths up to it. `left`: those of them that leave a deviation here. */
function forwardSums({ nodes, edges, logDeviation, logColdStart, gapMs, continuation }: PathRequest): {
  forward: Float64Array;
  left: Float64Array;
} {
  const size = nodes.length;
  const longer = Math.log(continuation);
  const into = edgesBy(edges, size, ({ to }) => to);
  const forward = new Float64Array(size).fill(-Infinity);
  const left = new Float64Array(size).fill(-Infinity);
  let waiting = 0;
  // Paths inside a deviation, as if it had begun with the file, so that one sum serves all nodes.
  let inGap = -Infinity;
  for (let node = 0; node < size; node += 1) {
    const here = elementAt(nodes, node);
    while (waiting < node && elementAt(nodes, waiting).instant + gapMs <= here.instant) {
      const since = elementAt(nodes, waiting).cutsBefore + 1;
      inGap = logAdd(inGap, at(forward, waiting) + logDeviation - longer * since);
      waiting += 1;
    }
    const leaving = logAdd(logColdStart, inGap + longer * here.cutsBefore) + here.logCut;
    left[node] = leaving;
    let sum = logAdd(leaving, here.logStart);
    for (const edge of elementAt(into, node)) {
      const { from, logWeight } = elementAt(edges, edge);
      sum = logAdd(sum, at(forward, from) + logWeight);
    }
    forward[node] = sum;
  }
  return { forward, left };
}

/**
 * Returns logarithms. `backward`: by node, all paths from it to the end. `gap`: those after a deviation that begins
 * here.
 */
function backwardSums({ nodes, edges, logDeviation, gapMs, continuation }: PathRequest): {
  backward: Float64Array;
  gap: Float64Array;
} {
  const size = nodes.length;
  const longer = Math.log(continuation);
  const outOf = edgesBy(edges, size, ({ from }) => from);
  const backward = new Float64Array(size).fill(-Infinity);
  const gap = new Float64Array(size).fill(-Infinity);
  // Paths inside a gap leave it at a later node, or stay in it to the end, however long that is.
  let leavingLater = -Infinity;
  let next = size - 1;
  for (let node = size - 1; node >= 0; node -= 1) {
    const here = elementAt(nodes, node);
    while (next > node && elementAt(nodes, next).instant >= here.instant + gapMs) {
      const { logCut, cutsBefore } = elementAt(nodes, next);
      const cut = logCut + longer * cutsBefore;
      leavingLater = logAdd(leavingLater, cut + at(backward, next));
      next -= 1;
    }
    const inGap = logAdd(0, leavingLater - longer * (here.cutsBefore + 1));
    gap[node] = inGap;
    let sum = logAdd(here.logEnd, logDeviation + inGap);
    for (const edge of elementAt(outOf, node)) {
      const { to, logWeight } = elementAt(edges, edge);
      sum = logAdd(sum, logWeight + at(backward, to));
    }
    backward[node] = sum;
  }
  return { backward, gap };
}

function edgesBy(edges: readonly PathEdge[], size: number, end: (edge: PathEdge) => number): number[][] {
  const lists: number[][] = Array.from({ length: size }, () => []);
  edges.forEach((edge, index) => lists[end(edge)]?.push(index));
  return lists;
}

/** Returns the logarithm of the sum of two numbers, given as logarithms. */
export function logAdd(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}
