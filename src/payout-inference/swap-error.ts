import { at } from './at';
import type { StreamAnswer } from './model-answer';
import { pricedAt } from './run-sum';
import type { WeighedLink } from './weigh-links';

/** Links of less weight add no error to another. */
const SHARE_MIN = 0.01;
/** No lag is less likely than this. */
const LAG_MIN = 1e-3;

/**
 * Returns the probability that two payouts that seem to be booked in each other's place were booked in turn, if their
 * amounts differ by one item: the item went with the later one. It compares how often items move with how unlikely the
 * lags of both bookings are. `movedShare`: the share of payouts with a moved item.
 */
export function swapError(
  { sequence, priced, weighed }: StreamAnswer,
  movedShare: number,
): (link: WeighedLink) => number {
  const { grid, cutRates } = weighed;
  const lagOf = ({ cutFrom }: WeighedLink, { credit }: WeighedLink): number =>
    Math.max(LAG_MIN, cutRates.lag(grid.lag(grid.dayOf(cutFrom), credit.bookingDay)));
  const from = new Map<number, WeighedLink>();
  const to = new Map<number, WeighedLink>();
  for (const link of weighed.links) {
    if (link.share > (from.get(link.from)?.share ?? SHARE_MIN)) from.set(link.from, link);
    if (link.share > (to.get(link.to)?.share ?? SHARE_MIN)) to.set(link.to, link);
  }
  const errorOf = (earlier: WeighedLink | undefined, later: WeighedLink | undefined): number => {
    if (earlier === undefined || later === undefined) return 0;
    if (later.credit.bookingDay >= earlier.credit.bookingDay) return 0;
    const net = pricedAt(priced, sequence, later.to, grid)?.net;
    const difference = Math.abs(earlier.credit.amount - later.credit.amount);
    let items = 0;
    for (let position = earlier.from; net !== undefined && position < later.to; position += 1) {
      if (Math.abs(at(net, position)) === difference) items += 1;
    }
    const inTurn = (movedShare * items * lagOf(earlier, later) * lagOf(later, earlier)) / (later.to - earlier.from);
    return inTurn / (inTurn + lagOf(earlier, earlier) * lagOf(later, later));
  };
  return (link) => Math.max(errorOf(link, from.get(link.to)), errorOf(to.get(link.from), link));
}
