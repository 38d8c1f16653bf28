import { DAY_MS } from '../kernel';
import { at, elementAt } from './at';
import { feeMax } from './fee-grid';
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
const CACHED_MAX = 400_000;
/** The sums of a channel: payments, their number, refunds of earlier payouts, their number. */
const SUMS = 4;
/** Shares are sorted as integers with an index in the lower digits. */
const SHARE_UNITS = 1e9;
const INDEX_MAX = 2 ** 20;
/** The cost of a run in steps, besides its sums: when it is found, and when it is prepared for a set of channels. */
const STEPS_OF_RUN = 6;

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

/**
 * The runs that begin at a position and are slightly larger than a credit that may have paid them. Numbers of a run have
 * its index.
 */
interface GrossRuns {
  /** The position after its last item. */
  readonly to: number[];
  readonly credit: Credit[];
  readonly kept: number[];
  /** `SUMS` numbers for each channel of the stream. */
  readonly sums: number[];
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** The same runs for a set of channels with a fee. */
export interface FeeRuns extends Pick<GrossRuns, 'to' | 'credit' | 'kept'> {
  /** The sum of the amounts with a fee. */
  readonly positive: Float64Array;
  /** The number of these amounts, less the number of fees given back. */
  readonly count: Float64Array;
  /** The number of fees that were rounded. */
  readonly rounded: Float64Array;
  /** Runs with a fee, by the share of their amounts that was kept, and these shares. */
  readonly order: Int32Array;
  readonly shares: Float64Array;
  /** For each millime with a fee: the number of fees, of roundings, and of payouts, which is 1. */
  readonly counts: Range;
  readonly roundings: Range;
  readonly payouts: Range;
  /** Runs that are exactly a credit, and hold nothing with a fee. */
  readonly free: readonly number[];
}

/** Finds runs by their gross amounts once for all sets of channels. */
export class FeeRunFinder {
  readonly budget: LearnBudget;
  readonly #search: FeeSearch;
  /** The channels of the stream, and the place of each among them. */
  readonly #present: readonly number[];
  readonly #placeOf: Int32Array;
  readonly #byLatest: readonly Credit[];
  readonly #latest: Float64Array;
  readonly #gross = new Map<number, GrossRuns>();
  readonly #ofItems = new Map<ChargedItems, Map<number, FeeRuns>>();
  #cached = 0;

  constructor(search: FeeSearch) {
    this.budget = search.budget;
    this.#search = search;
    this.#present = [...new Set(search.sequence.channel)].sort((a, b) => a - b);
    this.#placeOf = Int32Array.from(CHANNELS, (_, channel) => this.#present.indexOf(channel));
    this.#byLatest = [...search.credits].sort((a, b) => a.latest - b.latest || a.index - b.index);
    this.#latest = Float64Array.from(this.#byLatest, ({ latest }) => latest);
  }

  from(position: number, items: ChargedItems): FeeRuns {
    let known = this.#ofItems.get(items);
    if (known === undefined) this.#ofItems.set(items, (known = new Map<number, FeeRuns>()));
    let runs = known.get(position);
    if (runs === undefined) {
      const gross = this.#grossFrom(position);
      runs = feeRuns(gross, this.#present, items);
      this.budget.left -= STEPS_OF_RUN * gross.to.length;
      this.#cached += gross.to.length;
      known.set(position, runs);
    }
    return runs;
  }

  #grossFrom(position: number): GrossRuns {
    const known = this.#gross.get(position);
    if (known !== undefined) return known;
    if (this.#cached > CACHED_MAX) {
      this.#gross.clear();
      for (const runs of this.#ofItems.values()) runs.clear();
      this.#cached = 0;
    }
    const runs = grossRuns(this.#search, position, { near: this.#near(position), placeOf: this.#placeOf });
    this.#cached += runs.to.length;
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

function grossRuns(
  { sequence, windowMs, budget }: FeeSearch,
  start: number,
  { near, placeOf }: { readonly near: readonly Credit[]; readonly placeOf: Int32Array },
): GrossRuns {
  const runs: GrossRuns = { to: [], credit: [], kept: [], sums: [] };
  const most = near.at(-1)?.amount;
  if (most === undefined) return runs;
  const { key, amount, channel, payment, isBoundary, size } = sequence;
  const amounts = Float64Array.from(near, (credit) => credit.amount);
  const end = at(key, start) + windowMs;
  const sums = new Float64Array(SUMS * (Math.max(...placeOf) + 1));
  let gross = 0;
  let positive = 0;
  let count = 0;
  let position = start;
  for (; position < size && at(key, position) <= end; position += 1) {
    const of = at(amount, position);
    const isOwn = of > 0 || at(payment, position) >= start;
    const sum = SUMS * at(placeOf, at(channel, position)) + (isOwn ? 0 : 2);
    const step = of > 0 ? 1 : -1;
    gross += of;
    sums[sum] = at(sums, sum) + of;
    sums[sum + 1] = at(sums, sum + 1) + step;
    if (isOwn) {
      positive += of;
      count += step;
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
      runs.to.push(position + 1);
      runs.credit.push(credit);
      runs.kept.push(gross - credit.amount);
      for (const each of sums) runs.sums.push(each);
    }
  }
  budget.left -= 2 * (position - start) + STEPS_OF_RUN * runs.to.length + runs.sums.length;
  return runs;
}

function feeRuns(gross: GrossRuns, present: readonly number[], items: ChargedItems): FeeRuns {
  const { to, credit, kept } = gross;
  const size = to.length;
  const sums = chargedSums(gross, present, items);
  const { positive, count, rounded } = sums;
  const packed = new Float64Array(size);
  const free: number[] = [];
  let charged = 0;
  for (let run = 0; run < size; run += 1) {
    const amount = at(positive, run);
    const of = elementAt(kept, run);
    if (at(count, run) <= 0 || amount <= 0) {
      if (of === 0) free.push(run);
    } else if (of > 0 && of <= feeMax(amount, at(count, run))) {
      packed[charged] = Math.round((of / amount) * SHARE_UNITS) * INDEX_MAX + run;
      charged += 1;
    }
  }
  const order = Int32Array.from(packed.subarray(0, charged).sort(), (value) => value % INDEX_MAX);
  return {
    to,
    credit,
    kept,
    ...sums,
    order,
    shares: Float64Array.from(order, (run) => elementAt(kept, run) / at(positive, run)),
    counts: rangeOf(order, (run) => at(count, run) / at(positive, run)),
    roundings: rangeOf(order, (run) => at(rounded, run) / at(positive, run)),
    payouts: rangeOf(order, (run) => 1 / at(positive, run)),
    free,
  };
}

function chargedSums(
  { to, sums }: GrossRuns,
  present: readonly number[],
  { isCharged, clawback }: ChargedItems,
): Pick<FeeRuns, 'positive' | 'count' | 'rounded'> {
  const positive = new Float64Array(to.length);
  const count = new Float64Array(to.length);
  const rounded = new Float64Array(to.length);
  for (let place = 0; place < present.length; place += 1) {
    if (isCharged[elementAt(present, place)] === 0) continue;
    for (let run = 0; run < to.length; run += 1) {
      const first = SUMS * (run * present.length + place);
      const own = elementAt(sums, first + 1);
      const back = clawback === 'kept' ? 0 : elementAt(sums, first + 3);
      positive[run] = at(positive, run) + elementAt(sums, first) + (back === 0 ? 0 : elementAt(sums, first + 2));
      count[run] = at(count, run) + own + back;
      rounded[run] = at(rounded, run) + own - back;
    }
  }
  return { positive, count, rounded };
}

function rangeOf(order: Int32Array, valueOf: (run: number) => number): Range {
  let least = Infinity;
  let most = 0;
  for (const run of order) {
    const value = valueOf(run);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { least, most };
}
