import { addToGroup } from '../kernel';
import type { DayGrid } from './day-grid';
import type { Credit, Link } from './find-links';
import type { StreamItems } from './order-stream';
import type { Priced } from './price-stream';
import { pricedAt, runSum } from './run-sum';

const CREDITS_TRIED_MAX = 8;
const REPAIRS_PER_GAP_MAX = 60;
/** Of more refunds than these two are not tried together: among so many two at once are rarer than anything else. */
const PAIRED_MAX = 60;
/** Two refunds left in one payout are so many times rarer than one. */
const TWO_AT_ONCE = 4;
/** Runs longer than this are not searched item by item. */
const RUN_MAX = 60_000;
/** Each cut inside such a run has its own two fees to work out. */
const TWICE_PRICED_MAX = 800;

/** A credit inside a repair: the run, and what is different from it. Positions of the stream. */
export interface RepairPart {
  readonly link: Link;
  /** In the run, but not paid by this credit. */
  readonly without: readonly number[];
  /** Paid by this credit, though it lies outside the run. */
  readonly withOthers: readonly number[];
}

/**
 * A way from one sure cut to another past something that deviates:
 * - `moved`: two payouts, one item on the other side of the cut between them;
 * - `refund_left`: one payout, a refund in it was not taken back;
 * - `merged`: two payouts in one credit, with a payment in the first and its refund in the second, or two fees;
 * - `split`: one payout in two credits. There to compete; never resolved.
 */
export interface Repair {
  readonly kind: 'moved' | 'refund_left' | 'merged' | 'split';
  readonly from: number;
  readonly to: number;
  readonly parts: readonly RepairPart[];
  /** The logarithm of its weight, but for how often such a thing happens. */
  readonly logBase: number;
}

export interface RepairRequest {
  readonly sequence: StreamItems;
  readonly priced: readonly Priced[];
  readonly grid: DayGrid;
  /** Credits that no link explains well. */
  readonly free: readonly Credit[];
  /** The logarithm of what a link weighs. */
  readonly weightOf: (link: Link) => number;
}

/** All repairs between two cuts. */
export function repairGap(request: RepairRequest, from: number, to: number): Repair[] {
  const { sequence, priced, grid } = request;
  if (to - from > RUN_MAX || to <= from) return [];
  const prices = pricedAt(priced, sequence, to, grid);
  if (prices === undefined) return [];
  const near = nearestCredits(request, from, to);
  if (near.length === 0) return [];
  const total = runSum(sequence, prices, from, to);
  const repairs: Repair[] = [];
  for (const credit of near) {
    repairs.push(...refundsLeft(request, prices, { from, to, credit }, total));
    repairs.push(...merged(request, prices, { from, to, credit }, total));
  }
  for (const first of near) {
    for (const second of near) {
      if (first === second || first.bookingDay > second.bookingDay) continue;
      if (first.index < second.index && first.amount + second.amount === total) {
        repairs.push(split(request, { from, to, credit: first }, { from, to, credit: second }));
      }
      if (Math.abs(first.amount + second.amount - total) <= pairedFees(sequence, prices, from, to)) {
        repairs.push(...moved(request, prices, from, to, first, second));
      }
    }
  }
  return repairs.slice(0, REPAIRS_PER_GAP_MAX);
}

/** The first of the free credits that could pay something between two cuts. */
export function nearestCredits({ sequence, free }: RepairRequest, from: number, to: number): Credit[] {
  const begin = sequence.key[from] ?? 0;
  const end = sequence.key[to] ?? Infinity;
  return [...new Set(free)]
    .filter(({ latest, earliest }) => latest > begin && earliest < end)
    .sort((a, b) => a.index - b.index)
    .slice(0, CREDITS_TRIED_MAX);
}

/** How much a cut between a payment and its refund may change the sum of both runs. */
function pairedFees(sequence: StreamItems, { net }: Priced, from: number, to: number): number {
  let fees = 0;
  for (let position = from; position < to; position += 1) {
    const payment = sequence.payment[position] ?? -1;
    if (payment >= from) fees += Math.abs((net[payment] ?? 0) + (net[position] ?? 0));
  }
  return fees;
}

/** One refund that was not taken back, or two. */
function refundsLeft(request: RepairRequest, { net }: Priced, link: Link, total: number): Repair[] {
  const { sequence } = request;
  const left = link.credit.amount - total;
  if (left <= 0) return [];
  const refunds: { readonly position: number; readonly taken: number }[] = [];
  for (let position = link.from; position < link.to; position += 1) {
    if ((sequence.amount[position] ?? 0) >= 0) continue;
    const payment = sequence.payment[position] ?? -1;
    refunds.push({ position, taken: payment >= link.from ? (net[payment] ?? 0) : -(net[position] ?? 0) });
  }
  return refunds.flatMap((one, index) => {
    const alone = one.taken === left ? [[one.position]] : [];
    const others = refunds.length <= PAIRED_MAX ? refunds.slice(index + 1) : [];
    const together = others.filter((other) => one.taken + other.taken === left);
    return [...alone, ...together.map((other) => [one.position, other.position])].map((without) =>
      refundLeft(request, link, without, refunds.length),
    );
  });
}

/** The repair of a run that is exact but for one or two of its refunds. */
export function refundLeft(
  { weightOf }: RepairRequest,
  link: Link,
  without: readonly number[],
  refunds: number,
): Repair {
  const ways = without.length === 1 ? refunds : refunds ** 2 * TWO_AT_ONCE;
  return {
    kind: 'refund_left',
    from: link.from,
    to: link.to,
    parts: [{ link, without, withOthers: [] }],
    logBase: weightOf(link) - Math.log(ways),
  };
}

/** A cut inside the run costs the fees of the pairs that it parts, or a second fee on a payout. */
function merged(request: RepairRequest, prices: Priced, link: Link, total: number): Repair[] {
  const { sequence, weightOf } = request;
  const { from, to, credit } = link;
  const wanted = credit.amount - total;
  if (wanted === 0) return [];
  const isFound =
    prices.perPayout === undefined ? isPartedBy(sequence, prices, link, wanted) : isPricedTwice(sequence, prices, link);
  if (!isFound) return [];
  const parts = [{ link, without: [], withOthers: [] }];
  return [{ kind: 'merged', from, to, parts, logBase: weightOf(link) }];
}

function isPartedBy(sequence: StreamItems, { net }: Priced, { from, to }: Link, wanted: number): boolean {
  const changes = new Float64Array(to - from + 1);
  let pairs = 0;
  for (let position = from; position < to; position += 1) {
    const payment = sequence.payment[position] ?? -1;
    if (payment < from) continue;
    const fee = (net[payment] ?? 0) + (net[position] ?? 0);
    if (fee === 0) continue;
    pairs += 1;
    changes[payment + 1 - from] = (changes[payment + 1 - from] ?? 0) + fee;
    changes[position + 1 - from] = (changes[position + 1 - from] ?? 0) - fee;
  }
  if (pairs === 0) return false;
  let parted = 0;
  for (let cut = from + 1; cut < to; cut += 1) {
    parted += changes[cut - from] ?? 0;
    if (parted === wanted && sequence.isBoundary[cut] === 1) return true;
  }
  return false;
}

function isPricedTwice(sequence: StreamItems, prices: Priced, { from, to, credit }: Link): boolean {
  if (to - from > TWICE_PRICED_MAX) return false;
  for (let cut = from + 1; cut < to; cut += 1) {
    if (sequence.isBoundary[cut] === 0) continue;
    if (runSum(sequence, prices, from, cut) + runSum(sequence, prices, cut, to) === credit.amount) return true;
  }
  return false;
}

function split({ weightOf }: RepairRequest, first: Link, second: Link): Repair {
  return {
    kind: 'split',
    from: first.from,
    to: first.to,
    parts: [first, second].map((link) => ({ link, without: [], withOthers: [] })),
    // The sum of both says as much as one amount does.
    logBase: Math.min(weightOf(first), weightOf(second)),
  };
}

/** One item that the first payout passed over, or took although we saw it only after the cut. */
function moved(
  request: RepairRequest,
  prices: Priced,
  from: number,
  to: number,
  first: Credit,
  second: Credit,
): Repair[] {
  const { sequence, weightOf } = request;
  const positionsOf = new Map<number, number[]>();
  for (let position = from; position < to; position += 1) {
    const net = prices.net[position] ?? 0;
    addToGroup(positionsOf, net, position);
  }
  const repairs: Repair[] = [];
  const log = -Math.log(to - from);
  for (let cut = from + 1; cut < to; cut += 1) {
    if (sequence.isBoundary[cut] === 0) continue;
    if (first.latest <= (sequence.key[cut - 1] ?? 0) || first.earliest >= (sequence.key[cut] ?? 0)) continue;
    const over = runSum(sequence, prices, from, cut) - first.amount;
    if (over === 0) continue;
    const held = (positionsOf.get(over) ?? []).filter((position) => position < cut);
    const early = (positionsOf.get(-over) ?? []).filter((position) => position >= cut);
    if (held.length + early.length === 0) continue;
    if (runSum(sequence, prices, cut, to) + over !== second.amount) continue;
    const firstLink = { from, to: cut, credit: first };
    const secondLink = { from: cut, to, credit: second };
    const logBase = weightOf(firstLink) + weightOf(secondLink) + log;
    for (const position of held) {
      repairs.push({
        kind: 'moved',
        from,
        to,
        parts: [
          { link: firstLink, without: [position], withOthers: [] },
          { link: secondLink, without: [], withOthers: [position] },
        ],
        logBase,
      });
    }
    for (const position of early) {
      repairs.push({
        kind: 'moved',
        from,
        to,
        parts: [
          { link: firstLink, without: [], withOthers: [position] },
          { link: secondLink, without: [position], withOthers: [] },
        ],
        logBase,
      });
    }
  }
  return repairs;
}
