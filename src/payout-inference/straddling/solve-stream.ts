import type { Availability } from '../item-availability';
import type { Explanation, ModelAnswer, StreamAnswer } from '../model-answer';
import type { ObservationBounds } from '../observation-bounds';
import { orderStream } from '../order-stream';
import { WINDOW_MS } from '../order-streams';
import type { PreparedFile } from '../prepare-file';
import { priceStream } from '../price-stream';
import { cutSlots } from './cut-slots';
import { nearMissError, type NearMissRequest } from './near-miss-error';
import { searchChain } from './search-chain';
import { paidBetween } from './taken-set';
import { weighChain, type WeighedChain } from './weigh-chain';

/** A higher number of amounts changes nothing. */
const MANY_AMOUNTS = 1e6;
/** Explanations with a smaller weight count as none. */
const SHARE_MIN = 1e-7;

export interface StreamToSolve {
  readonly file: PreparedFile;
  readonly answer: ModelAnswer;
  readonly stream: StreamAnswer;
  readonly availability: Availability;
  readonly tracers: ObservationBounds;
  /** By the credit's index, the weight of the runs of all streams. */
  readonly ofRuns: ReadonlyMap<number, number>;
}

export interface SolvedStream {
  readonly stream: StreamAnswer;
  readonly weighed: WeighedChain;
  /** By the credit's index. */
  readonly explanations: ReadonlyMap<number, readonly Explanation[]>;
  /** Payments that were refunded before they were available, with their refunds. */
  readonly cancelled: readonly number[];
}

/** Solves one stream as a chain of cuts, with every choice among the items whose interval contains a cut. */
export function solveStream({ file, answer, stream, availability, tracers, ofRuns }: StreamToSolve): SolvedStream {
  const { grid, credits, horizonDay } = file;
  const { sequence, cancelled } = orderStream({
    stream: stream.sequence.stream,
    items: file.request.items,
    // Sorted by the ends of the intervals: every item before a position is surely available.
    availability: { ...availability, key: availability.until },
    members: stream.sequence.item.slice().sort(),
    indexOf: file.indexOf,
  });
  const priced = priceStream(sequence, answer.hypothesis.fees, grid);
  const slots = cutSlots({ sequence, availability, bounds: tracers, grid });
  const netAt = (instant: number): Float64Array => {
    const day = grid.dayOf(instant);
    return (priced.find(({ fromDay, toDay }) => fromDay <= day && day < toDay) ?? priced[0])?.net ?? sequence.amount;
  };
  const chain = searchChain({
    sequence,
    slots,
    credits,
    firstTaken: (position) => tracers.firstTaken[sequence.item[position] ?? 0] ?? Infinity,
    netAt,
    windowMs: WINDOW_MS,
  });
  const claims = claimsOfOthers(answer.streams, stream);
  const weighed = weighChain({
    sequence,
    slots,
    chain,
    credits,
    grid,
    horizonDay,
    ofRuns,
    free: ({ index }) => 1 - Math.min(1, claims.get(index) ?? 0),
    step: stepOf(priced.map(({ net }) => net)),
    amountsMax: amountsOfRuns(priced[0]?.net ?? sequence.amount, credits.length),
  });
  return {
    stream,
    weighed,
    explanations: explain({ sequence, slots, cutRates: weighed.cutRates, netAt }, weighed, tracers),
    cancelled,
  };
}

function explain(
  near: NearMissRequest,
  { edges }: WeighedChain,
  tracers: ObservationBounds,
): Map<number, Explanation[]> {
  const { sequence } = near;
  const byCredit = new Map<number, Map<string, Explanation>>();
  for (const edge of edges) {
    const { from, to, credit, share, cutFrom, cutTo } = edge;
    if (share < SHARE_MIN) continue;
    const items = paidBetween(sequence, from.taken, to.taken)
      .map((position) => sequence.item[position] ?? 0)
      .sort((a, b) => a - b);
    const known = byCredit.get(credit.index) ?? new Map<string, Explanation>();
    const before = known.get(items.join());
    known.set(items.join(), {
      stream: sequence.stream,
      items,
      share: Math.min(1, share + (before?.share ?? 0)),
      nearError: Math.max(before?.nearError ?? 0, nearMissError(near, edge)),
      tracedFrom: items.reduce((most, index) => Math.max(most, tracers.lastAvailable[index] ?? -Infinity), -Infinity),
      cutFrom: Math.min(cutFrom, before?.cutFrom ?? Infinity),
      cutTo: Math.max(cutTo, before?.cutTo ?? -Infinity),
      kind: [...from.slots, ...to.slots].some(({ slot }) => slot.open.length > 0) ? 'sum' : 'run',
    });
    byCredit.set(credit.index, known);
  }
  return new Map([...byCredit].map(([credit, known]) => [credit, [...known.values()]]));
}

/** Returns the probability that other streams took each credit. */
function claimsOfOthers(streams: readonly StreamAnswer[], own: StreamAnswer): Map<number, number> {
  const claims = new Map<number, number>();
  for (const { weighed } of streams.filter((stream) => stream !== own)) {
    for (const { credit, share } of weighed.links) claims.set(credit.index, (claims.get(credit.index) ?? 0) + share);
  }
  return claims;
}

/**
 * Returns the number of different amounts that a run of usual length may have. A few price points give few amounts,
 * even with fine steps, and a hit among few amounts is often chance.
 */
function amountsOfRuns(net: Float64Array, credits: number): number {
  const prices = new Set(net.map(Math.abs)).size;
  const length = Math.max(1, net.length / Math.max(1, credits));
  // The number of multisets of this size from these prices.
  let ways = 1;
  for (let price = 1; price < prices && ways < MANY_AMOUNTS; price += 1) ways *= (length + price) / price;
  return ways;
}

/** Returns the greatest common divisor of all net amounts. */
function stepOf(nets: readonly Float64Array[]): number {
  let step = 0;
  for (const net of nets) for (const one of net) step = commonDivisor(step, Math.abs(one));
  return Math.max(1, step);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
