import type { GapOrEnd } from './find-gaps';
import type { Credit, Link } from './find-links';
import type { StreamItems } from './order-stream';
import type { Priced } from './price-stream';
import { nearestCredits, refundLeft, type Repair, type RepairRequest } from './repair-gaps';
import { pricedAt } from './run-sum';

/** Gaps longer than this are not searched cut by cut. */
const GAP_MAX = 20_000;
const REFUNDS_MAX = 40;
const FOUND_PER_SIDE_MAX = 60;

/** A refund that this run could have taken back, and what the payout has more without it. */
interface Refund {
  readonly position: number;
  readonly taken: number;
}

/**
 * A refund that was left in one of the payouts of a gap which more than one thing went wrong in: a run from its
 * beginning, or up to its end, that is exact but for that refund. Where it ends a new cut is assumed; what lies beyond
 * may be such a run too, or stay unknown.
 */
export function repairOneSide(request: RepairRequest, { from, to, isOpen }: GapOrEnd): Repair[] {
  const prices = pricedAt(request.priced, request.sequence, to, request.grid);
  // A fee on each payout would have to be worked out for every cut again.
  if (prices === undefined || prices.perPayout !== undefined || to - from > GAP_MAX) return [];
  const credits = nearestCredits(request, from, to);
  if (credits.length === 0) return [];
  if (isOpen === true) return upFrom(request, prices, credits, from, to);
  return [...upFrom(request, prices, credits, from, to - 1), ...downFrom(request, prices, credits, from, to)];
}

function upFrom(
  request: RepairRequest,
  prices: Priced,
  credits: readonly Credit[],
  from: number,
  last: number,
): Repair[] {
  const { sequence } = request;
  const run = new RunningSum(prices, sequence);
  const repairs: Repair[] = [];
  for (let position = from; position < last && repairs.length < FOUND_PER_SIDE_MAX; position += 1) {
    const payment = sequence.payment[position] ?? -1;
    run.add(position, payment >= from ? payment : undefined);
    if (sequence.isBoundary[position + 1] === 0) continue;
    repairs.push(...run.repairsOf(request, { from, to: position + 1 }, credits));
  }
  return repairs;
}

function downFrom(
  request: RepairRequest,
  prices: Priced,
  credits: readonly Credit[],
  from: number,
  to: number,
): Repair[] {
  const { sequence } = request;
  const refundOf = new Map<number, number>();
  for (let position = from; position < to; position += 1) {
    const payment = sequence.payment[position] ?? -1;
    if (payment >= from) refundOf.set(payment, position);
  }
  const run = new RunningSum(prices, sequence);
  const repairs: Repair[] = [];
  for (let position = to - 1; position > from && repairs.length < FOUND_PER_SIDE_MAX; position -= 1) {
    const refund = refundOf.get(position);
    if (refund === undefined) run.add(position, undefined);
    else run.join(refund, position);
    if (sequence.isBoundary[position] === 0) continue;
    repairs.push(...run.repairsOf(request, { from: position, to }, credits));
  }
  return repairs;
}

/** What a growing run weighs, and the refunds in it. */
class RunningSum {
  readonly #prices: Priced;
  readonly #sequence: StreamItems;
  readonly #refunds = new Map<number, Refund>();
  readonly #byTaken = new Map<number, Set<number>>();
  #sum = 0;

  constructor(prices: Priced, sequence: StreamItems) {
    this.#prices = prices;
    this.#sequence = sequence;
  }

  /** Adds an item; a refund with its payment when that is in the run already. */
  add(position: number, payment: number | undefined): void {
    const net = this.#net(position);
    if (payment !== undefined) {
      this.#sum -= this.#net(payment);
      this.#setRefund({ position, taken: this.#net(payment) });
      return;
    }
    this.#sum += net;
    if ((this.#sequence.amount[position] ?? 0) < 0) this.#setRefund({ position, taken: -net });
  }

  /** Adds the payment of a refund that is in the run: the two leave together. */
  join(refund: number, payment: number): void {
    this.#sum -= this.#net(refund);
    this.#setRefund({ position: refund, taken: this.#net(payment) });
  }

  repairsOf(request: RepairRequest, run: Pick<Link, 'from' | 'to'>, credits: readonly Credit[]): Repair[] {
    if (this.#refunds.size === 0 || this.#refunds.size > REFUNDS_MAX) return [];
    const cutFrom = this.#sequence.key[run.to - 1] ?? 0;
    const cutTo = this.#sequence.key[run.to] ?? Infinity;
    return credits.flatMap((credit) => {
      if (credit.latest <= cutFrom || credit.earliest >= cutTo) return [];
      const link = { ...run, credit };
      return this.#leftOut(credit.amount - this.#sum).map((without) =>
        refundLeft(request, link, without, this.#refunds.size),
      );
    });
  }

  /** One refund, or two, without which the run weighs so much more. */
  #leftOut(more: number): number[][] {
    if (more <= 0) return [];
    const found = [...(this.#byTaken.get(more) ?? [])].map((position) => [position]);
    for (const { position, taken } of this.#refunds.values()) {
      for (const other of this.#byTaken.get(more - taken) ?? []) if (other > position) found.push([position, other]);
    }
    return found;
  }

  #setRefund(refund: Refund): void {
    const before = this.#refunds.get(refund.position);
    if (before !== undefined) this.#byTaken.get(before.taken)?.delete(refund.position);
    this.#refunds.set(refund.position, refund);
    const same = this.#byTaken.get(refund.taken);
    if (same === undefined) this.#byTaken.set(refund.taken, new Set([refund.position]));
    else same.add(refund.position);
  }

  #net(position: number): number {
    return this.#prices.net[position] ?? 0;
  }
}
