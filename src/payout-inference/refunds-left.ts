import { at } from './at';
import type { CutFinder } from './cut-states';
import type { DayGrid } from './day-grid';
import { type DeviatingLink, plainLink } from './deviating-links';
import type { GapOrEnd } from './find-gaps';
import type { Credit, Link } from './find-links';
import type { StreamItems } from './order-stream';
import type { Priced } from './price-stream';
import { nearestCredits } from './repair-gaps';
import { pricedAt } from './run-sum';

/** Longer stretches are not searched cut by cut. */
const STRETCH_MAX = 20_000;
/** Of more refunds, two at once are rarer than anything else. */
const PAIRED_MAX = 60;
/** One refund more that is left in a payout makes that so many times rarer. */
const MORE_AT_ONCE = 4;
/** Of more pairs that explain a credit, none is sure, whatever three refunds do. */
const PAIRS_MAX = 20;
const FOUND_MAX = 60;

interface RefundsRequest {
  readonly sequence: StreamItems;
  readonly priced: readonly Priced[];
  readonly grid: DayGrid;
  readonly finder: CutFinder;
  /** The credits that no link explains well. */
  readonly free: readonly Credit[];
}

/**
 * Returns the runs of a stretch, from its beginning or up to its end, that are exact but for one, two or all of their
 * refunds, which were not taken back. Where such a run ends inside the stretch, a new cut is assumed; what lies beyond
 * may be such a run as well, or stay unknown.
 */
export function refundsLeft(request: RefundsRequest, { from, to, isOpen }: GapOrEnd): DeviatingLink[] {
  const { sequence, priced, grid, finder, free } = request;
  const prices = pricedAt(priced, sequence, to, grid);
  // A fee on each payout depends on what was left out.
  if (prices === undefined || prices.perPayout !== undefined || to - from > STRETCH_MAX) return [];
  const credits = nearestCredits({ sequence, free }, from, to);
  const refunds = refundsIn(sequence, prices.net, from, to);
  if (credits.length === 0 || refunds.length === 0) return [];
  const found: DeviatingLink[] = [];
  const search = (first: number, last: number): void => {
    const [cutFrom, cutTo] = [at(sequence.key, last - 1), at(sequence.key, last)];
    for (const credit of credits) {
      const left = credit.amount - finder.sum(first, last);
      if (left <= 0 || credit.latest <= cutFrom || credit.earliest >= cutTo) continue;
      for (const link of withoutRefunds({ from: first, to: last, credit }, left, refunds)) found.push(link);
    }
  };
  for (let cut = from + 1; cut < to && found.length < FOUND_MAX; cut += 1) {
    if (at(sequence.isBoundary, cut) === 1) search(from, cut);
  }
  search(from, to);
  for (let cut = to - 1; isOpen !== true && cut > from && found.length < 2 * FOUND_MAX; cut -= 1) {
    if (at(sequence.isBoundary, cut) === 1) search(cut, to);
  }
  return found;
}

/** A refund, and what a payout has more without it. */
interface Refund {
  readonly position: number;
  readonly payment: number;
  readonly own: number;
  readonly withPayment: number;
}

function refundsIn(sequence: StreamItems, net: Float64Array, from: number, to: number): Refund[] {
  const refunds: Refund[] = [];
  for (let position = from; position < to; position += 1) {
    if (at(sequence.amount, position) >= 0) continue;
    const payment = at(sequence.payment, position);
    const own = -at(net, position);
    refunds.push({ position, payment, own, withPayment: payment < 0 ? own : at(net, payment) });
  }
  return refunds;
}

interface LeftRefund {
  readonly position: number;
  readonly taken: number;
}

/** Returns the links of a run without the refunds, one, two or all of them, that amount to what the credit has more. */
function withoutRefunds(link: Link, left: number, refunds: readonly Refund[]): DeviatingLink[] {
  const inside = refunds
    .filter(({ position }) => position >= link.from && position < link.to)
    .map(({ position, payment, own, withPayment }) => ({
      position,
      taken: payment >= link.from ? withPayment : own,
    }));
  const single = inside.filter(({ taken }) => taken === left).map((one) => [one]);
  const pairs = pairsThatAmountTo(left, inside);
  const three = pairs.length > PAIRS_MAX ? [] : pairs.flatMap((pair) => oneMore(pair, inside)).slice(0, FOUND_MAX);
  // A gateway that seldom takes refunds back leaves all of them.
  const isAll = inside.length > 2 && inside.reduce((sum, { taken }) => sum + taken, 0) === left;
  const waysOf = (count: number): number => inside.length ** count * MORE_AT_ONCE ** (count - 1);
  const linkWithout = (leftOut: readonly LeftRefund[], ways: number): DeviatingLink => ({
    ...plainLink(link),
    leftOut: leftOut.map(({ position }) => position).sort((one, other) => one - other),
    ways,
  });
  return [
    ...[...single, ...pairs, ...three].map((some) => linkWithout(some, waysOf(some.length))),
    ...(isAll ? [linkWithout(inside, 1)] : []),
  ];
}

/** Returns three refunds for each two that amount to one of a pair: these may seem to have been left instead. */
function oneMore(pair: readonly LeftRefund[], inside: readonly LeftRefund[]): LeftRefund[][] {
  const others = inside.filter((each) => !pair.includes(each));
  return pair.flatMap((one) =>
    pairsThatAmountTo(one.taken, others).map((two) => [...two, ...pair.filter((each) => each !== one)]),
  );
}

function pairsThatAmountTo(left: number, refunds: readonly LeftRefund[]): LeftRefund[][] {
  if (refunds.length > PAIRED_MAX) return [];
  return refunds.flatMap((one, index) =>
    refunds
      .slice(index + 1)
      .filter(({ taken }) => one.taken + taken === left)
      .map((other) => [one, other]),
  );
}
