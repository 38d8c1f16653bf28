// Goal: each share is exactly the fraction of all paths that contain a link or a gap.
// Method: forward and backward sums against plain enumeration of every path, on small random graphs.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { logAdd, type PathEdge, type PathRequest, weighPaths } from '../../../src/payout-inference/weigh-paths';

const log = fc.double({ min: -6, max: 2, noNaN: true });

const graphs: fc.Arbitrary<PathRequest> = fc
  .record({
    nodes: fc.array(
      fc.record({
        step: fc.integer({ min: 1, max: 9 }),
        cuts: fc.double({ min: 0, max: 2, noNaN: true }),
        logStart: log,
        logCut: log,
        logEnd: log,
      }),
      { minLength: 1, maxLength: 5 },
    ),
    edges: fc.array(fc.record({ from: fc.nat(4), length: fc.integer({ min: 1, max: 4 }), logWeight: log }), {
      maxLength: 7,
    }),
    logDeviation: log,
    continuation: fc.double({ min: 0.02, max: 0.98, noNaN: true }),
    gapMs: fc.nat(12),
    logColdStart: log,
  })
  .map(({ nodes, edges, ...rest }) => {
    let instant = 0;
    let cutsBefore = 0;
    return {
      ...rest,
      nodes: nodes.map(({ step, cuts, ...logs }, position) => {
        instant += step;
        cutsBefore += cuts;
        return { position, instant, cutsBefore, ...logs };
      }),
      edges: edges
        .map(({ from, length, logWeight }): PathEdge => ({ from, to: from + length, logWeight }))
        .filter(({ to }) => to < nodes.length),
    };
  });

describe('weighing all paths through a stream', () => {
  test('agrees with counting every path one by one', () => {
    fc.assert(
      fc.property(graphs, (request) => {
        const counted = enumerate(request);
        const weighed = weighPaths(request);
        expect(weighed.logTotal).toBeCloseTo(Math.log(counted.total), 9);
        request.edges.forEach((_, edge) =>
          expect(weighed.shares[edge]).toBeCloseTo((counted.edges[edge] ?? 0) / counted.total, 9),
        );
        request.nodes.forEach((_, node) => {
          expect(weighed.gapEntries[node]).toBeCloseTo((counted.entries[node] ?? 0) / counted.total, 9);
          expect(weighed.gapExits[node]).toBeCloseTo((counted.exits[node] ?? 0) / counted.total, 9);
        });
        expect(weighed.closedGaps.count).toBeCloseTo(counted.closed.count / counted.total, 9);
        expect(weighed.closedGaps.payouts).toBeCloseTo(counted.closed.payouts / counted.total, 9);
      }),
      { numRuns: 300 },
    );
  });

  test('counts the average links and deviations of a path', () => {
    fc.assert(
      fc.property(graphs, (request) => {
        const { links, deviations, shares, gapEntries } = weighPaths(request);
        expect(links).toBeCloseTo(
          shares.reduce((sum, share) => sum + share, 0),
          9,
        );
        expect(deviations).toBeCloseTo(
          gapEntries.reduce((sum, share) => sum + share, 0),
          9,
        );
      }),
      { numRuns: 50 },
    );
  });

  test('is sure of a chain without rivals', () => {
    for (const share of weighPaths(chainOf([8, 8, 8])).shares) expect(share).toBeGreaterThan(0.999);
  });

  test('splits two links between the same cuts by their weights', () => {
    const chain = chainOf([20, 20, 20]);
    const twin: PathEdge = { from: 1, to: 2, logWeight: 20 + Math.log(3) };
    const { shares } = weighPaths({ ...chain, edges: [...chain.edges, twin] });
    expect(shares[1]).toBeCloseTo(0.25, 6);
    expect(shares[3]).toBeCloseTo(0.75, 6);
  });

  test('leaves no gap that is shorter than gaps are', () => {
    const apart = { ...chainOf([1]), edges: [], logColdStart: -50 };
    expect(weighPaths({ ...apart, gapMs: 10 }).gapExits[1]).toBeGreaterThan(0.001);
    expect(weighPaths({ ...apart, gapMs: 11 }).gapExits[1]).toBeLessThan(1e-9);
  });

  test('is nothing, and no NaN, without a node', () => {
    const { logTotal, shares, links, deviations } = weighPaths({ ...chainOf([]), nodes: [], edges: [] });
    expect([logTotal, links, deviations, shares.length]).toEqual([logTotal, 0, 0, 0]);
    expect(Number.isNaN(logTotal)).toBe(false);
  });

  test('reports no evidence for payouts without a link', () => {
    const { logTotal, logNothing, links } = weighPaths({ ...chainOf([]), logDeviation: -30 });
    expect(links).toBe(0);
    expect(logTotal - logNothing).toBeLessThan(1);
  });
});

test('adds numbers by their logarithms, even those too small to be represented', () => {
  expect(logAdd(-Infinity, -Infinity)).toBe(-Infinity);
  expect(logAdd(-Infinity, 3)).toBe(3);
  expect(logAdd(-2_000, -2_000)).toBeCloseTo(-2_000 + Math.log(2), 9);
  expect(logAdd(0, -800)).toBe(0);
});

function chainOf(logWeights: readonly number[]): PathRequest {
  return {
    nodes: Array.from({ length: logWeights.length + 1 }, (_, position) => ({
      position,
      instant: position * 10,
      cutsBefore: position,
      logStart: position === 0 ? Math.log(0.5) : -Infinity,
      logCut: -1,
      logEnd: -1,
    })),
    edges: logWeights.map((logWeight, from) => ({ from, to: from + 1, logWeight })),
    logDeviation: -3,
    continuation: 0.3,
    gapMs: 5,
    logColdStart: Math.log(0.5),
  };
}

interface Counted {
  total: number;
  readonly edges: number[];
  readonly entries: number[];
  readonly exits: number[];
  readonly closed: { count: number; payouts: number };
}

interface Way {
  readonly weight: number;
  readonly edges: readonly number[];
  readonly entries: readonly number[];
  readonly exits: readonly number[];
  readonly closed: { readonly count: number; readonly payouts: number };
}

/** Every way from the beginning of the file to its end, one after the other. */
function enumerate({ nodes, edges, logDeviation, continuation, gapMs, logColdStart }: PathRequest): Counted {
  const counted: Counted = { total: 0, edges: [], entries: [], exits: [], closed: { count: 0, payouts: 0 } };
  const finish = ({ weight, edges: taken, entries, exits, closed }: Way): void => {
    counted.total += weight;
    counted.closed.count += weight * closed.count;
    counted.closed.payouts += weight * closed.payouts;
    for (const edge of taken) counted.edges[edge] = (counted.edges[edge] ?? 0) + weight;
    for (const node of entries) counted.entries[node] = (counted.entries[node] ?? 0) + weight;
    for (const node of exits) counted.exits[node] = (counted.exits[node] ?? 0) + weight;
  };
  const goOn = (node: number, way: Way): void => {
    const here = nodes[node];
    if (here === undefined) return;
    finish({ ...way, weight: way.weight * Math.exp(here.logEnd) });
    edges.forEach(({ from, to, logWeight }, edge) => {
      if (from === node) goOn(to, { ...way, weight: way.weight * Math.exp(logWeight), edges: [...way.edges, edge] });
    });
    const inGap = { ...way, weight: way.weight * Math.exp(logDeviation), entries: [...way.entries, node] };
    finish(inGap);
    nodes.forEach((later, exit) => {
      if (exit <= node || later.instant < here.instant + gapMs) return;
      const covered = later.cutsBefore - here.cutsBefore;
      const weight = inGap.weight * continuation ** (covered - 1) * Math.exp(later.logCut);
      const closed = { count: way.closed.count + 1, payouts: way.closed.payouts + covered };
      goOn(exit, { ...inGap, weight, exits: [...way.exits, exit], closed });
    });
  };
  const none: Way = { weight: 1, edges: [], entries: [], exits: [], closed: { count: 0, payouts: 0 } };
  finish({ ...none, weight: Math.exp(logColdStart) });
  nodes.forEach(({ logCut, logStart }, node) => {
    goOn(node, { ...none, weight: Math.exp(logColdStart + logCut), exits: [node] });
    goOn(node, { ...none, weight: Math.exp(logStart) });
  });
  return counted;
}
