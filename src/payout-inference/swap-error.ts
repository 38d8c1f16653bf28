import { at } from './at';
import type { StreamAnswer } from './model-answer';
import { pricedAt } from './run-sum';
import type { WeighedLink } from './weigh-links';

/** Links of less weight add no error to another. */
const SHARE_MIN = 0.01;
/** Booked in turn with one item late, or each exact and booked in the other order: both are rare, and neither is rarer. */
const EITHER_WAY = 0.5;

/**
 * How likely two payouts that seem to be booked in each other's place are none of the kind: when the two amounts differ by
 * what one item weighs, the same two credits came in their turn, and that item went with the later one.
 */
export function swapError({ sequence, priced, weighed }: StreamAnswer): (link: WeighedLink) => number {
  const from = new Map<number, WeighedLink>();
  const to = new Map<number, WeighedLink>();
  for (const link of weighed.links) {
    if (link.share > (from.get(link.from)?.share ?? SHARE_MIN)) from.set(link.from, link);
    if (link.share > (to.get(link.to)?.share ?? SHARE_MIN)) to.set(link.to, link);
  }
  const isPossibleSwap = (earlier: WeighedLink | undefined, later: WeighedLink | undefined): boolean => {
    if (earlier === undefined || later === undefined) return false;
    if (later.credit.bookingDay >= earlier.credit.bookingDay) return false;
    const net = pricedAt(priced, sequence, later.to, weighed.grid)?.net;
    const difference = Math.abs(earlier.credit.amount - later.credit.amount);
    for (let position = earlier.from; net !== undefined && position < later.to; position += 1) {
      if (Math.abs(at(net, position)) === difference) return true;
    }
    return false;
  };
  return (link) =>
    isPossibleSwap(link, from.get(link.to)) || isPossibleSwap(to.get(link.from), link) ? EITHER_WAY : 0;
}
