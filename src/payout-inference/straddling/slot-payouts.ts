import type { StreamItems } from '../order-stream';
import { refundsBehind, sureSum } from './chain-sums';
import { type CutSlot, OPEN_LISTED_MAX, type StraddlingItem } from './cut-slots';
import { SUBSET_NUMBERS_MAX, type SubsetSums, subsetSums } from './subset-sums';
import { hasTaken, type TakenSet } from './taken-set';

/** Tables of sums up to this size are cached. */
const KEPT_COST_MAX = 2 ** 12;

/** The items that a cut in a slot pays and the cut before did not take. */
export interface SlotPayout {
  /** The net amount of the items that are surely paid, with `forced`. */
  readonly base: number;
  /** The least amount that a cut in this slot or a later one pays. */
  readonly least: number;
  /** Positions of straddling items that tracers saw taken. */
  readonly forced: readonly number[];
  readonly open: readonly StraddlingItem[];
  /** The cost of this result, in items read. */
  readonly cost: number;
}

export interface SlotPayouts {
  payoutOf(taken: TakenSet, slot: CutSlot): SlotPayout;
  /** Returns all sums of the open items, and their cost; undefined if there are too many. */
  sumsOf(
    slot: CutSlot,
    open: readonly StraddlingItem[],
  ): { readonly sums: SubsetSums; readonly cost: number } | undefined;
}

/** Returns a function that computes the payouts of cuts. `netAt`: the net amounts that apply to a cut at an instant. */
export function slotPayouts(sequence: StreamItems, netAt: (instant: number) => Float64Array): SlotPayouts {
  const refunds = [...sequence.payment.keys()].filter((position) => (sequence.payment[position] ?? -1) >= 0);
  const kept = new Map<CutSlot, SubsetSums>();
  const prefixes = new Map<Float64Array, Float64Array>();
  const prefixOf = (net: Float64Array): Float64Array => {
    const known = prefixes.get(net);
    if (known !== undefined) return known;
    const sums = new Float64Array(net.length + 1);
    net.forEach((one, position) => (sums[position + 1] = (sums[position] ?? 0) + one));
    prefixes.set(net, sums);
    return sums;
  };
  return {
    payoutOf(taken, slot) {
      const net = netAt(slot.from);
      const open = slot.open.filter(({ position }) => !hasTaken(taken, position));
      const forced = slot.taken.filter((position) => !hasTaken(taken, position));
      let base = sureSum(sequence, refunds, net, prefixOf(net), taken, slot.sure);
      for (const position of forced) base += net[position] ?? 0;
      const least = base - refundsBehind(sequence, slot.sure);
      // The items of a crowded slot are not listed, because reading them would cost as much as listing them.
      return { base, least, forced, open, cost: 1 + (slot.isCrowded ? OPEN_LISTED_MAX : open.length) };
    },
    sumsOf(slot, open) {
      if (slot.isCrowded || open.length > SUBSET_NUMBERS_MAX) return undefined;
      const isWhole = open.length === slot.open.length;
      const known = isWhole ? kept.get(slot) : undefined;
      if (known !== undefined) return { sums: known, cost: 0 };
      const net = netAt(slot.from);
      const sums = subsetSums(open.map(({ position }) => net[position] ?? 0));
      if (isWhole && sums.cost <= KEPT_COST_MAX) kept.set(slot, sums);
      return { sums, cost: sums.cost * 2 };
    },
  };
}
