import { DAY_MS } from '../kernel';
import { at, elementAt } from './at';
import { feeMax, type Kept } from './fee-grid';
import type { Credit } from './find-links';
import { lowerBound, upperBound } from './lower-bound';
import { CHANNELS } from './match-request';
import type { StreamItems } from './order-stream';
import type { ClawbackFee } from './price-stream';

/** A run is paid within this time after the first credit that may pay it, or by one of so many credits. */
const FIRST_CREDITS_MS = 5 * DAY_MS;
const CREDITS_MIN = 8;
const CREDITS_MAX = 40;
/** A sum above the largest credit by this factor does not fall below it again. */
const ABOVE_LARGEST = 1.2;
/** The number of runs that are kept in memory. */
const CACHED_MAX = 250_000;
/** The sums of a channel: payments, their number, fees given back, their number. */
const SUMS = 4;

/** The items of a stream, and the credits that may pay them. */
export interface FeeSearch {
  readonly sequence: StreamItems;
  readonly credits: readonly Credit[];
  /** The longest time between two cuts. */
  readonly windowMs: number;
  readonly budget: LearnBudget;
}

/** The remaining work, in visited items and compared runs. */
export interface LearnBudget {
  left: number;
}

/** Which items have a fee. */
export interface ChargedItems {
  /** By channel number. */
  readonly isCharged: Uint8Array;
  readonly clawback: ClawbackFee;
}

/** A run of items that is slightly larger than a credit that may have paid it. */
export interface FeeRun extends Kept {
  /** The position after its last item. */
  readonly to: number;
  readonly credit: Credit;
}

export interface Range {
  readonly least: number;
  readonly most: number;
}

/** The runs that begin at a position. */
export interface FeeRuns {
  /** Runs with a fee, by the share of the amounts that was kept. */
  readonly charged: readonly FeeRun[];
  readonly shares: Float64Array;
  /** For each millime with a fee: the number of fees, the number of roundings, and the number of payouts, which is 1. */
  readonly counts: Range;
  readonly roundings: Range;
  readonly payouts: Range;
  /** Runs that are exactly a credit, and hold nothing with a fee. */
  readonly free: readonly FeeRun[];
}

interface GrossRun {
  readonly to: number;
  readonly credit: Credit;
  readonly kept: number;
  /** `SUMS` numbers for each channel. */
  readonly sums: Float64Array;
}

/** Finds runs by their gross amounts once for all sets of channels. */
export class FeeRunFinder {
  readonly #search: FeeSearch;
  readonly #byLatest: readonly Credit[];
  readonly #latest: Float64Array;
  readonly #gross = new Map<number, readonly GrossRun[]>();
  readonly #ofItems = new Map<ChargedItems, Map<number, FeeRuns>>();
  #cached = 0;

  readonly budget: LearnBudget;

  constructor(search: FeeSearch) {
    this.budget = search.budget;
    this.#search = search;
    this.#byLatest = [...search.credits].sort((a, b) => a.latest - b.latest || a.index - b.index);
    this.#latest = Float64Array.from(this.#byLatest, ({ latest }) => latest);
  }

  from(position: number, items: ChargedItems): FeeRuns {
    let known = this.#ofItems.get(items);
    if (known === undefined) this.#ofItems.set(items, (known = new Map<number, FeeRuns>()));
    let runs = known.get(position);
    if (runs === undefined) {
      const gross = this.#grossFrom(position);
      runs = feeRuns(gross, items);
      this.#search.budget.left -= 2 * gross.length;
      this.#cached += gross.length;
      known.set(position, runs);
    }
    return runs;
  }

  #grossFrom(position: number): readonly GrossRun[] {
    const known = this.#gross.get(position);
    if (known !== undefined) return known;
    if (this.#cached > CACHED_MAX) {
      this.#gross.clear();
      for (const runs of this.#ofItems.values()) runs.clear();
      this.#cached = 0;
    }
    const runs = grossRuns(this.#search, position, this.#near(position));
    this.#cached += runs.length;
    this.#gross.set(position, runs);
    return runs;
  }

  /** Returns, by amount, the next credits that may pay a run from a position. */
  #near(position: number): Credit[] {
    const first = at(this.#search.sequence.key, position);
    const from = upperBound(this.#latest, first, 0, this.#latest.length);
    if (from === this.#latest.length) return [];
    const soon = upperBound(this.#latest, at(this.#latest, from) + FIRST_CREDITS_MS, from, this.#latest.length);
    const to = Math.min(from + CREDITS_MAX, Math.max(from + CREDITS_MIN, soon));
    return this.#byLatest.slice(from, to).sort((a, b) => a.amount - b.amount || a.index - b.index);
  }
}

function grossRuns({ sequence, windowMs, budget }: FeeSearch, start: number, near: readonly Credit[]): GrossRun[] {
  const runs: GrossRun[] = [];
  const most = near.at(-1)?.amount;
  if (most === undefined) return runs;
  const { key, amount, channel, payment, isBoundary, size } = sequence;
  const amounts = Float64Array.from(near, (credit) => credit.amount);
  const end = at(key, start) + windowMs;
  const sums = new Float64Array(SUMS * CHANNELS.length);
  let gross = 0;
  let positive = 0;
  let count = 0;
  let position = start;
  for (; position < size && at(key, position) <= end; position += 1) {
    const of = at(amount, position);
    const place = SUMS * at(channel, position);
    gross += of;
    const isOwn = of > 0 || at(payment, position) >= start;
    const sum = isOwn ? place : place + 2;
    sums[sum] = at(sums, sum) + of;
    sums[sum + 1] = at(sums, sum + 1) + (of > 0 ? 1 : -1);
    if (isOwn) {
      positive += of;
      count += of > 0 ? 1 : -1;
    }
    if (isBoundary[position + 1] === 0) continue;
    const kept = feeMax(positive, count);
    if (gross - kept > most * ABOVE_LARGEST) break;
    const cutFrom = at(key, position);
    const cutTo = at(key, position + 1);
    for (let next = lowerBound(amounts, gross - kept, 0, amounts.length); next < amounts.length; next += 1) {
      const credit = elementAt(near, next);
      if (credit.amount > gross) break;
      if (credit.latest <= cutFrom || credit.earliest >= cutTo) continue;
      runs.push({ to: position + 1, credit, kept: gross - credit.amount, sums: sums.slice() });
    }
  }
  budget.left -= position - start + runs.length;
  return runs;
}

function feeRuns(gross: readonly GrossRun[], { isCharged, clawback }: ChargedItems): FeeRuns {
  const charged: FeeRun[] = [];
  const free: FeeRun[] = [];
  for (const { to, credit, kept, sums } of gross) {
    let positive = 0;
    let count = 0;
    let rounded = 0;
    for (let channel = 0; channel < isCharged.length; channel += 1) {
      if (isCharged[channel] === 0) continue;
      positive += at(sums, SUMS * channel);
      count += at(sums, SUMS * channel + 1);
      if (clawback === 'kept') continue;
      positive += at(sums, SUMS * channel + 2);
      count += at(sums, SUMS * channel + 3);
      rounded -= 2 * at(sums, SUMS * channel + 3);
    }
    rounded += count;
    if (count <= 0 || positive <= 0) {
      if (kept === 0) free.push({ to, credit, kept, positive: 0, count: 0, rounded: 0 });
    } else if (kept > 0 && kept <= feeMax(positive, count)) {
      charged.push({ to, credit, kept, positive, count, rounded });
    }
  }
  charged.sort((a, b) => a.kept / a.positive - b.kept / b.positive);
  return {
    charged,
    shares: Float64Array.from(charged, ({ kept, positive }) => kept / positive),
    counts: rangeOf(charged, ({ count, positive }) => count / positive),
    roundings: rangeOf(charged, ({ rounded, positive }) => rounded / positive),
    payouts: rangeOf(charged, ({ positive }) => 1 / positive),
    free,
  };
}

function rangeOf(runs: readonly FeeRun[], valueOf: (run: FeeRun) => number): Range {
  let least = Infinity;
  let most = 0;
  for (const run of runs) {
    const value = valueOf(run);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { least, most };
}
