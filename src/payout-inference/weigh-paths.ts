import { at, elementAt } from './at';

/** A place where one payout ends and the next begins. */
export interface PathNode {
  readonly position: number;
  /** When a cut here was made, about. */
  readonly instant: number;
  /** How many cuts were to be expected up to here. */
  readonly cutsBefore: number;
  /** The logarithm of the chance that the first payout of the file begins here. */
  readonly logStart: number;
  /** The logarithm of the chance of a cut here. */
  readonly logCut: number;
  /** The logarithm of the chance that no cut after this one is on the statement. */
  readonly logEnd: number;
}

/** A way from one node to a later one, by their places in the list of nodes. */
export interface PathEdge {
  readonly from: number;
  readonly to: number;
  readonly logWeight: number;
}

/** Each further payout that a deviation swallows makes it less likely: most swallow one. */
const LONGER_GAP = Math.log(0.3);

export interface PathRequest {
  /** In the order of their positions. */
  readonly nodes: readonly PathNode[];
  readonly edges: readonly PathEdge[];
  /** The logarithm of the chance that something deviates after a cut. */
  readonly logDeviation: number;
  /** A deviation hides at least one cut of its own, so it lasts at least this long. */
  readonly gapMs: number;
  /** The logarithm of the chance that the file begins in the middle of something. */
  readonly logColdStart: number;
}

export interface PathWeights {
  /** The logarithm of all ways together. */
  readonly logTotal: number;
  /** The logarithm of the ways without any link. */
  readonly logNothing: number;
  /** Of each edge, the share of the ways that take it. */
  readonly shares: Float64Array;
  /** Of each node, the share of the ways that go into a deviation here, and that come out of one. */
  readonly gapEntries: Float64Array;
  readonly gapExits: Float64Array;
  /** How many deviations a way has on average, and how many links. */
  readonly deviations: number;
  readonly links: number;
}

/**
 * All ways through a stream: from cut to cut by links, or past a stretch where something deviates. Forward and backward
 * sums give each link's share of all ways.
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
  const shares = new Float64Array(edges.length);
  let links = 0;
  edges.forEach(({ from, to, logWeight }, edge) => {
    const share = Math.exp(at(forward, from) + logWeight + at(backward, to) - logTotal);
    shares[edge] = Math.min(1, share);
    links += at(shares, edge);
  });
  return { logTotal, logNothing, shares, gapEntries, gapExits, deviations, links };
}

/** `forward`: of each node, all ways up to it. `left`: those of them that come out of a deviation here. Logarithms. */
function forwardSums({ nodes, edges, logDeviation, logColdStart, gapMs }: PathRequest): {
  forward: Float64Array;
  left: Float64Array;
} {
  const size = nodes.length;
  const into = edgesBy(edges, size, ({ to }) => to);
  const forward = new Float64Array(size).fill(-Infinity);
  const left = new Float64Array(size).fill(-Infinity);
  let waiting = 0;
  // Ways that are in a deviation, as if it had begun with the file: so one sum serves all nodes.
  let inGap = -Infinity;
  for (let node = 0; node < size; node += 1) {
    const here = elementAt(nodes, node);
    while (waiting < node && elementAt(nodes, waiting).instant + gapMs <= here.instant) {
      const since = elementAt(nodes, waiting).cutsBefore + 1;
      inGap = logAdd(inGap, at(forward, waiting) + logDeviation - LONGER_GAP * since);
      waiting += 1;
    }
    const leaving = logAdd(logColdStart, inGap + LONGER_GAP * here.cutsBefore) + here.logCut;
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

/** `backward`: of each node, all ways from it to the end. `gap`: those behind a deviation that begins here. Logarithms. */
function backwardSums({ nodes, edges, logDeviation, gapMs }: PathRequest): {
  backward: Float64Array;
  gap: Float64Array;
} {
  const size = nodes.length;
  const outOf = edgesBy(edges, size, ({ from }) => from);
  const backward = new Float64Array(size).fill(-Infinity);
  const gap = new Float64Array(size).fill(-Infinity);
  // Ways that are in a gap leave it at a later node, or stay in it to the end, however long that is.
  let leavingLater = -Infinity;
  let next = size - 1;
  for (let node = size - 1; node >= 0; node -= 1) {
    const here = elementAt(nodes, node);
    while (next > node && elementAt(nodes, next).instant >= here.instant + gapMs) {
      const { logCut, cutsBefore } = elementAt(nodes, next);
      const cut = logCut + LONGER_GAP * cutsBefore;
      leavingLater = logAdd(leavingLater, cut + at(backward, next));
      next -= 1;
    }
    const inGap = logAdd(0, leavingLater - LONGER_GAP * (here.cutsBefore + 1));
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

/** The logarithm of the sum of two numbers given by their logarithms. */
export function logAdd(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}
