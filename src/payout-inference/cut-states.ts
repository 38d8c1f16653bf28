import { at } from './at';
import type { DayGrid } from './day-grid';
import { lowerBound } from './lower-bound';
import type { StreamItems } from './order-stream';
import type { Priced } from './price-stream';
import { pricedAt } from './run-sum';

/** An item that may lie on the other side of a cut, and its share of the items that could. */
export interface CarriedItem {
  readonly position: number;
  readonly share: number;
}

/**
 * A cut as the paths know it: where it lies, and by how much the payouts up to it differ from the items before it,
 * because one item lies on its other side.
 */
export interface CutState {
  readonly position: number;
  /** What the payouts lack of the items before the cut, in millimes; negative if they hold more. 0: no item moved. */
  readonly carried: number;
  /** The items that can explain it: held back from before the cut, or taken early from behind it. */
  readonly items: readonly CarriedItem[];
}

/** How many items move over a cut in one direction, among payouts. */
export interface MovedRates {
  readonly heldBack: number;
  readonly takenEarly: number;
}

/** Returns how likely it is that an item moved over a cut, where `share` is one of the items that could. */
export function chanceToMove({ position, share }: CarriedItem, cut: number, rates: MovedRates): number {
  return share * (position < cut ? rates.heldBack : rates.takenEarly);
}

/** Returns how likely it is that an item moved that explains a state. */
export function chanceOfState({ position, items }: CutState, rates: MovedRates): number {
  return items.reduce((sum, item) => sum + chanceToMove(item, position, rates), 0);
}

/** The positions between which an item can have moved over a cut: those of the run before it, and of the run after it. */
export interface Reach {
  readonly from: number;
  readonly to: number;
}

export function cleanCut(position: number): CutState {
  return { position, carried: 0, items: [] };
}

/** Returns a name that is equal for equal states of one stream. */
export function nameOfCut({ position, carried }: CutState): string {
  return `${position} ${carried}`;
}

/** Sums runs, and finds the states of cuts. A run is priced by the rules that apply at its end. */
export interface CutFinder {
  /** Returns the sum of a run in millimes, without fees on the payout as a whole. */
  sum(from: number, to: number): number;
  /** Returns the state of a cut whose payouts lack an amount; undefined if no single item explains it. */
  stateAt(position: number, carried: number, reach: Reach): CutState | undefined;
  /** Returns how likely it is that two items moved over a cut that explain an amount together; 0 if too many could. */
  chanceOfPairs(position: number, carried: number, reach: Reach, rates: MovedRates): number;
  /** Whether the same prices apply at both cuts. */
  isPricedAlike(position: number, other: number): boolean;
}

export function cutFinder(sequence: StreamItems, priced: readonly Priced[], grid: DayGrid): CutFinder {
  const known = new Map<Priced, PricedItems>();
  // Most hypotheses are dropped before a state is asked for.
  let refundOf: Int32Array | undefined;
  const versionAt = (position: number): Priced | undefined => pricedAt(priced, sequence, position, grid);
  const itemsAt = (position: number): PricedItems | undefined => {
    const version = versionAt(position);
    if (version === undefined) return undefined;
    const found = known.get(version) ?? indexed(sequence, version);
    known.set(version, found);
    return found;
  };
  return {
    isPricedAlike: (position, other) => versionAt(position) === versionAt(other),
    sum(from, to) {
      const items = itemsAt(to);
      return items === undefined ? NaN : items.sum(from, to);
    },
    chanceOfPairs(position, carried, reach, rates) {
      const index = itemsAt(position);
      return index === undefined ? 0 : chanceOfPairs(index, { position, carried }, reach, rates);
    },
    stateAt(position, carried, { from, to }) {
      if (carried === 0) return cleanCut(position);
      const index = itemsAt(position);
      if (index === undefined) return undefined;
      const refunds = (refundOf ??= refundsOfPayments(sequence));
      // A payment and its refund in one payout leave together, so neither moves alone.
      const items: CarriedItem[] = [];
      const collect = (net: number, first: number, last: number): void => {
        for (const place of index.between(net, first, last)) {
          const isPaired = at(sequence.payment, place) >= from || isWithin(at(refunds, place), place, last);
          if (!isPaired) items.push({ position: place, share: 1 / (last - first) });
        }
      };
      collect(carried, from, position);
      collect(-carried, position, to);
      return items.length === 0 ? undefined : { position, carried, items };
    },
  };
}

/** Returns, by the position of a payment, the position of its refund; -1 if it has none. */
function refundsOfPayments({ payment, size }: StreamItems): Int32Array {
  const refundOf = new Int32Array(size).fill(-1);
  payment.forEach((paid, refund) => {
    if (paid >= 0) refundOf[paid] = refund;
  });
  return refundOf;
}

/** With more items on one side of a cut, pairs are not counted. */
const PAIRED_MAX = 600;

function chanceOfPairs(
  index: PricedItems,
  { position, carried }: Pick<CutState, 'position' | 'carried'>,
  { from, to }: Reach,
  { heldBack, takenEarly }: MovedRates,
): number {
  const [before, after] = [position - from, to - position];
  if (before > PAIRED_MAX || after > PAIRED_MAX) return 0;
  const ofHeld = heldBack / Math.max(1, before);
  const ofTaken = takenEarly / Math.max(1, after);
  let chance = 0;
  // The second item of a pair lies behind the first one, so that each pair counts once.
  for (let first = from; first < to; first += 1) {
    const isHeld = first < position;
    const rest = carried - (isHeld ? 1 : -1) * index.net(first);
    const ofFirst = isHeld ? ofHeld : ofTaken;
    if (isHeld) chance += ofFirst * ofHeld * index.count(rest, first + 1, position);
    chance += ofFirst * ofTaken * index.count(-rest, Math.max(first + 1, position), to);
  }
  return chance;
}

function isWithin(place: number, from: number, to: number): boolean {
  return place >= from && place < to;
}

interface PricedItems {
  sum(from: number, to: number): number;
  net(position: number): number;
  /** Returns the positions of the items of a net amount between two positions. */
  between(net: number, from: number, to: number): readonly number[];
  count(net: number, from: number, to: number): number;
}

function indexed(sequence: StreamItems, { net }: Priced): PricedItems {
  const { size } = sequence;
  const before = new Float64Array(size + 1);
  /** Refunds that cost a fee, if they leave without their payment. */
  const parted: number[] = [];
  for (let position = 0; position < size; position += 1) {
    before[position + 1] = at(before, position) + at(net, position);
    const payment = at(sequence.payment, position);
    if (payment >= 0 && at(net, payment) + at(net, position) !== 0) parted.push(position);
  }
  const partedRefunds = Float64Array.from(parted);
  // Amounts and positions in one number: that is sorted far faster than pairs of them.
  const byNet = net.map((of, position) => of * size + position).sort();
  const rangeOf = (wanted: number, from: number, to: number): readonly [number, number] => {
    if (to <= from) return [0, 0];
    const end = wanted * size + to;
    const first = lowerBound(byNet, wanted * size + from, 0, size);
    // Most amounts are asked for in vain.
    return first === size || at(byNet, first) >= end ? [first, first] : [first, lowerBound(byNet, end, first, size)];
  };
  return {
    sum(from, to) {
      let sum = at(before, to) - at(before, from);
      let place = lowerBound(partedRefunds, from, 0, partedRefunds.length);
      for (; place < parted.length && at(partedRefunds, place) < to; place += 1) {
        const refund = at(partedRefunds, place);
        const payment = at(sequence.payment, refund);
        if (payment >= from) sum -= at(net, payment) + at(net, refund);
      }
      return sum;
    },
    net: (position) => at(net, position),
    between(wanted, from, to) {
      const [first, last] = rangeOf(wanted, from, to);
      return first === last ? [] : Array.from(byNet.subarray(first, last), (of) => of - wanted * size);
    },
    count(wanted, from, to) {
      const [first, last] = rangeOf(wanted, from, to);
      return last - first;
    },
  };
}
