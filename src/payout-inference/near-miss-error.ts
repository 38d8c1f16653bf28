import { at } from './at';
import type { Credit } from './find-links';
import type { StreamAnswer } from './model-answer';
import { pricedAt } from './run-sum';

/** How often items lie on the other side of a cut than time says: before the file says so itself, and how much that counts. */
const MOVED_PRIOR = { count: 0.12, of: 60 } as const;
/** Where one moved item was seen, another was not: it passed for a clean payout. */
const MOVED_UNSEEN = 2;
/** How often a refund is taken back later than its run, or never: as often as repairs assume it before a file says so. */
const REFUND_LATE = 0.4 / 30;
const SEARCHED_BACK_MAX = 4_000;
const SURE = 0.5;
/** Cuts beside the one that was found. */
const NEIGHBORS_MAX = 40;

export interface NearMiss {
  readonly error: number;
  /** Indexes of the items of the run that may lie on the other side of its cut. */
  readonly unsure: readonly number[];
}

/** A run whose upper cut is checked. */
export interface CheckedRun {
  readonly from: number;
  readonly to: number;
  readonly credit: Pick<Credit, 'earliest' | 'latest'>;
}

const NO_NEAR_MISS: NearMiss = { error: 0, unsure: [] };

/** How many payouts have an item on the other side of their cut, as far as all streams of a gateway show it. */
export function shareMoved(streams: readonly StreamAnswer[]): number {
  let moved: number = MOVED_PRIOR.count;
  let payouts: number = MOVED_PRIOR.of;
  for (const { weighed } of streams) {
    payouts += weighed.paths.links;
    for (const { kind, share } of weighed.repairs) if (kind === 'moved') moved += MOVED_UNSEEN * share;
  }
  return moved / payouts;
}

/**
 * How likely a clean link is another cut in disguise: from a cut nearby the same two sums come out when one item lies on
 * its other side. With a few price points there are many such items, and an exact hit says little.
 */
export function nearMissError(answer: StreamAnswer, link: CheckedRun, movedShare: number): NearMiss {
  const { sequence, priced, weighed } = answer;
  const prices = pricedAt(priced, sequence, link.to, weighed.grid);
  if (prices === undefined) return NO_NEAR_MISS;
  const rate = movedShare / Math.max(1, link.to - link.from);
  const here = chanceOfCut(answer, link, link.to);
  if (here <= 0) return NO_NEAR_MISS;
  let counts: Map<number, number> | undefined;
  const met = new Set<number>();
  const ofEarlier = refundsOfEarlier(answer.sequence, prices.net, link);
  let error = 0;
  for (const step of [1, -1]) {
    let difference = 0;
    let steps = 0;
    for (let place = link.to; steps < NEIGHBORS_MAX;) {
      const position = step === 1 ? place : place - 1;
      if (position <= link.from || position >= sequence.size) break;
      // A refund whose payment is in the run takes it out again.
      const payment = sequence.payment[position] ?? -1;
      difference += step * (payment >= link.from ? -at(prices.net, payment) : at(prices.net, position));
      place += step;
      if (sequence.isBoundary[place] === 0) continue;
      steps += 1;
      const ratio = chanceOfCut(answer, link, place) / here;
      if (ratio < 0.01) {
        if (steps > 4) break;
        continue;
      }
      counts ??= countByNet(answer, prices.net, link);
      // A later cut paid one item too many: it was held back. An earlier one took an item that we saw too late.
      const off = Math.abs(difference);
      const moved = counts.get(off) ?? 0;
      // What a later cut lacks, a refund of the run makes up for that was left out.
      const refunds = ofEarlier.filter((each) => each < place && at(prices.net, each) === difference).length;
      if (moved > 0) met.add(off);
      if (refunds > 0) met.add(difference);
      error += ratio * (rate * moved + REFUND_LATE * refunds);
    }
  }
  const unsure: number[] = [];
  for (let position = link.from; met.size > 0 && position < link.to; position += 1) {
    if (met.has(at(prices.net, position))) unsure.push(sequence.item[position] ?? 0);
  }
  return { error: Math.min(1, error + waitingTwins(answer, link, prices.net, ofEarlier) * REFUND_LATE), unsure };
}

/**
 * Refunds before the run that no payout took back, each as large as one in it: which of the two was taken, and which was left
 * out, no sum can say.
 */
function waitingTwins(
  { weighed }: StreamAnswer,
  { from }: CheckedRun,
  net: Float64Array,
  ofEarlier: readonly number[],
): number {
  const wanted = new Set(ofEarlier.map((position) => at(net, position)));
  if (wanted.size === 0) return 0;
  let twins = 0;
  for (let position = Math.max(0, from - SEARCHED_BACK_MAX); position < from; position += 1) {
    if (!wanted.has(at(net, position))) continue;
    const isTaken = weighed.links.some((link) => link.share > SURE && link.from <= position && position < link.to);
    if (!isTaken) twins += 1;
  }
  return twins;
}

/** The positions of the refunds of a run whose payments an earlier payout paid. */
function refundsOfEarlier(sequence: StreamAnswer['sequence'], net: Float64Array, { from, to }: CheckedRun): number[] {
  const found: number[] = [];
  for (let position = from; position < to; position += 1) {
    if (at(net, position) < 0 && (sequence.payment[position] ?? -1) < from) found.push(position);
  }
  return found;
}

function chanceOfCut({ sequence, weighed }: StreamAnswer, link: CheckedRun, position: number): number {
  const from = sequence.key[position - 1] ?? 0;
  const to = Math.min(sequence.key[position] ?? Infinity, link.credit.latest);
  if (to <= from || from < link.credit.earliest) return 0;
  return -Math.expm1(-weighed.cutRates.expected(from, to));
}

/** How many items of the run, and of as many after it, weigh so much. */
function countByNet({ sequence }: StreamAnswer, net: Float64Array, { from, to }: CheckedRun): Map<number, number> {
  const counts = new Map<number, number>();
  const end = Math.min(sequence.size, to + Math.min(to - from, 400));
  for (let position = Math.max(from, to - SEARCHED_BACK_MAX); position < end; position += 1) {
    const of = at(net, position);
    counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  return counts;
}
