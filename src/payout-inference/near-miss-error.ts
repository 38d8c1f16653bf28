import { at } from './at';
import type { DeviationShares } from './deviation-rates';
import type { Credit } from './find-links';
import type { StreamAnswer } from './model-answer';
import { pricedAt } from './run-sum';

const SEARCHED_BACK_MAX = 4_000;
/** Of the items after a run, this many may have been taken early. */
const BEHIND_MAX = 400;
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

/**
 * How likely a clean link is another cut in disguise: from a cut nearby the same two sums come out when one item lies on
 * its other side. With a few price points there are many such items, and an exact hit says little.
 */
export function nearMissError(answer: StreamAnswer, link: CheckedRun, shares: DeviationShares): NearMiss {
  const { sequence, priced, weighed } = answer;
  const prices = pricedAt(priced, sequence, link.to, weighed.grid);
  if (prices === undefined) return NO_NEAR_MISS;
  const here = chanceOfCut(answer, link, link.to);
  if (here <= 0) return NO_NEAR_MISS;
  const behind = Math.min(sequence.size, link.to + Math.min(link.to - link.from, BEHIND_MAX));
  const met = new Set<number>();
  const ofEarlier = refundsOfEarlier(answer.sequence, prices.net, link);
  const moved = shares.moved / Math.max(1, link.to - link.from);
  const refundLeft = shares.refundLeft / Math.max(1, ofEarlier.length);
  let error = 0;
  for (const step of [1, -1]) {
    let counts: Map<number, number> | undefined;
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
      // A later cut paid one item too many: it held back an item of the run. An earlier one took an item after the run.
      // An item between the two cuts would leave the payout as it is.
      counts ??= countByNet(
        prices.net,
        step === 1 ? Math.max(link.from, link.to - SEARCHED_BACK_MAX) : link.to,
        step === 1 ? link.to : behind,
      );
      const items = counts.get(step * difference) ?? 0;
      // What a later cut lacks, a refund of the run makes up for that was left out.
      const refunds = ofEarlier.filter((each) => each < place && at(prices.net, each) === difference).length;
      if (items > 0) met.add(step * difference);
      if (refunds > 0) met.add(difference);
      error += ratio * (moved * items + refundLeft * refunds);
    }
  }
  const unsure: number[] = [];
  for (let position = link.from; met.size > 0 && position < link.to; position += 1) {
    if (met.has(at(prices.net, position))) unsure.push(sequence.item[position] ?? 0);
  }
  return {
    error: Math.min(1, error + waitingTwins(answer, link, prices.net, ofEarlier, refundLeft) * refundLeft),
    unsure,
  };
}

/**
 * Returns how many refunds before the run wait, each as large as one in it: no sum tells which of the two was taken.
 * A refund that a payout took does not wait. One that a payout left out does, and perhaps one in a gap.
 */
function waitingTwins(
  { weighed }: StreamAnswer,
  { from }: CheckedRun,
  net: Float64Array,
  ofEarlier: readonly number[],
  refundLeft: number,
): number {
  const wanted = new Set(ofEarlier.map((position) => at(net, position)));
  if (wanted.size === 0) return 0;
  const parts = weighed.repairs.flatMap(({ parts, share }) => parts.map((part) => ({ ...part, share })));
  const isIn = (position: number, run: { readonly from: number; readonly to: number }): boolean =>
    run.from <= position && position < run.to;
  let twins = 0;
  for (let position = Math.max(0, from - SEARCHED_BACK_MAX); position < from; position += 1) {
    if (!wanted.has(at(net, position))) continue;
    const taken = weighed.links.reduce((sum, link) => sum + (isIn(position, link) ? link.share : 0), 0);
    let left = 0;
    let repaired = 0;
    for (const { link, without, share } of parts) {
      if (!isIn(position, link)) continue;
      repaired += share;
      if (without.includes(position)) left += share;
    }
    twins += left + Math.max(0, 1 - taken - repaired) * refundLeft;
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

/** Counts the items between two positions by their net amounts. */
function countByNet(net: Float64Array, from: number, to: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (let position = from; position < to; position += 1) {
    const of = at(net, position);
    counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  return counts;
}
