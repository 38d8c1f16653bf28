import { at } from './at';
import type { Link } from './find-links';
import type { StreamAnswer } from './model-answer';
import { pricedAt } from './run-sum';

const SEARCHED_BACK_MAX = 4_000;

/**
 * Returns the probability that a run took another refund than its own: an equal one that an earlier payout left out. No
 * sum tells which of the two was taken. A refund that a payout took does not wait. One that a payout left out does, and
 * perhaps one in a gap.
 */
export function waitingTwinsError({ sequence, priced, weighed }: StreamAnswer, run: Pick<Link, 'from' | 'to'>): number {
  const net = pricedAt(priced, sequence, run.to, weighed.grid)?.net;
  if (net === undefined) return 0;
  const own = refundsOfEarlier(sequence, net, run);
  const wanted = new Set(own.map((position) => at(net, position)));
  if (wanted.size === 0) return 0;
  const { refundLeft } = weighed.rates;
  const ofEach = refundLeft / own.length;
  let twins = 0;
  for (let position = Math.max(0, run.from - SEARCHED_BACK_MAX); position < run.from; position += 1) {
    if (!wanted.has(at(net, position))) continue;
    const holds = ({ from, to }: Pick<Link, 'from' | 'to'>): boolean => from <= position && position < to;
    let taken = 0;
    let left = 0;
    for (const link of weighed.links) if (holds(link)) taken += link.share;
    for (const link of weighed.deviating) {
      if (!holds(link)) continue;
      if (link.leftOut.includes(position)) left += link.share;
      else taken += link.share;
    }
    twins += left + Math.max(0, 1 - taken - left) * ofEach;
  }
  return twins * ofEach;
}

/** The positions of the refunds of a run whose payments an earlier payout paid. */
function refundsOfEarlier(
  sequence: StreamAnswer['sequence'],
  net: Float64Array,
  { from, to }: Pick<Link, 'from' | 'to'>,
): number[] {
  const found: number[] = [];
  for (let position = from; position < to; position += 1) {
    if (at(net, position) < 0 && (sequence.payment[position] ?? -1) < from) found.push(position);
  }
  return found;
}
