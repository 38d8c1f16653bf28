import type { DayGrid } from './day-grid';
import type { Credit, Link } from './find-links';
import type { StreamItems } from './order-stream';
import type { Priced } from './price-stream';
import { pricedAt, runSum } from './run-sum';

const CREDITS_TRIED_MAX = 8;
const REPAIRS_PER_GAP_MAX = 60;
/** Runs longer than this are not searched item by item. */
const RUN_MAX = 60_000;
/** Each cut inside such a run has its own two fees to work out. */
const TWICE_PRICED_MAX = 800;

/**
 * A way from one sure cut to another past something that deviates:
 * - `merged`: two payouts in one credit, with a payment in the first and its refund in the second, or two fees;
 * - `split`: one payout in two credits. There to compete; never resolved.
 */
export interface Repair {
  readonly kind: 'merged' | 'split';
  readonly from: number;
  readonly to: number;
  readonly links: readonly Link[];
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

/** Returns the repairs between two cuts. */
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
    repairs.push(...merged(request, prices, { from, to, credit }, total));
  }
  for (const first of near) {
    for (const second of near) {
      if (first === second || first.bookingDay > second.bookingDay) continue;
      if (first.index < second.index && first.amount + second.amount === total) {
        repairs.push(split(request, { from, to, credit: first }, { from, to, credit: second }));
      }
    }
  }
  return repairs.slice(0, REPAIRS_PER_GAP_MAX);
}

/** The first of the free credits that could pay something between two cuts. */
export function nearestCredits(
  { sequence, free }: Pick<RepairRequest, 'sequence' | 'free'>,
  from: number,
  to: number,
  most = CREDITS_TRIED_MAX,
): Credit[] {
  const begin = sequence.key[from] ?? 0;
  const end = sequence.key[to] ?? Infinity;
  return [...new Set(free)]
    .filter(({ latest, earliest }) => latest > begin && earliest < end)
    .sort((a, b) => a.index - b.index)
    .slice(0, most);
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
  return [{ kind: 'merged', from, to, links: [link], logBase: weightOf(link) }];
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
    links: [first, second],
    // The sum of both says as much as one amount does.
    logBase: Math.min(weightOf(first), weightOf(second)),
  };
}
