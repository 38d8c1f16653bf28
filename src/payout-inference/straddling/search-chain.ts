import type { Credit } from '../find-links';
import type { StreamItems } from '../order-stream';
import { beginnings } from './chain-beginnings';
import { refundsBehind, suffixLeast, sureSum } from './chain-sums';
import { CUTS_APART_MS, type CutSlot, OPEN_LISTED_MAX } from './cut-slots';
import { SUBSET_NUMBERS_MAX, type SubsetSums, subsetSums } from './subset-sums';
import { chanceOf, hasTaken, keyOf, NOTHING_TAKEN, type TakenSet, takenSet } from './taken-set';

/** More solutions of one credit at one slot are not told apart. */
const SOLUTIONS_MAX = 64;
/** A chain of so many links needs no other beginning beside it. */
const SURE_CHAIN = 3;
const NODES_MAX = 6_000;
const STEPS_MAX = 4_000_000;
/** Tables of sums up to this size are kept. */
const KEPT_COST_MAX = 2 ** 12;

/** What was paid up to a cut, and the slots in which the cut may lie, with the chance of the set in each. */
export interface ChainNode {
  readonly taken: TakenSet;
  readonly slots: { readonly slot: CutSlot; readonly logChance: number }[];
  depth: number;
}

/** What was paid between two cuts weighs exactly what the credit says. */
export interface ChainEdge {
  readonly from: ChainNode;
  readonly to: ChainNode;
  readonly credit: Credit;
}

export interface ChainSearch {
  readonly sequence: StreamItems;
  readonly slots: readonly CutSlot[];
  readonly credits: readonly Credit[];
  readonly firstTaken: (position: number) => number;
  /** The weights that hold for a cut at an instant. */
  readonly netAt: (instant: number) => Float64Array;
  readonly windowMs: number;
}

export interface FoundChain {
  readonly nodes: readonly ChainNode[];
  readonly edges: readonly ChainEdge[];
  /** By the credit's index, the slots at which it may have been paid in ways that are not listed. */
  readonly skipped: ReadonlyMap<number, readonly SkippedSlot[]>;
  /** Credits that may follow on a cut of which not all beginnings were tried. */
  readonly notBegun: ReadonlySet<number>;
  /** From this instant on nothing was searched, because the bound on the work was hit. */
  readonly givenUpFrom: number | undefined;
}

export interface SkippedSlot {
  readonly slot: CutSlot;
  /** `unseen`: no choice was tried. `many`: more choices fit than are told apart. */
  readonly kind: 'unseen' | 'many';
}

/** Follows the payouts from cut to cut, with every choice of straddling items, and begins anew where no chain runs. */
export function searchChain(search: ChainSearch): FoundChain {
  const { sequence, slots, credits, firstTaken, netAt, windowMs } = search;
  const byAmount = [...credits].sort((a, b) => a.amount - b.amount || a.index - b.index);
  const most = byAmount.at(-1)?.amount ?? 0;
  const start: ChainNode = { taken: NOTHING_TAKEN, slots: [], depth: 0 };
  const nodes = new Map<string, ChainNode>([[keyOf(NOTHING_TAKEN), start]]);
  const edges = new Map<string, ChainEdge>();
  const skipped = new Map<number, SkippedSlot[]>();
  const notBegun = new Set<number>();
  let givenUpFrom: number | undefined;
  const sumsOf = new Map<CutSlot, SubsetSums>();
  const wantedOf = new Map<CutSlot, readonly Credit[]>();
  const prefixOf = new Map<Float64Array, Float64Array>();
  const leastTaken = suffixLeast(sequence.size, firstTaken);
  const refunds = [...sequence.payment.keys()].filter((position) => (sequence.payment[position] ?? -1) >= 0);
  const arrivedAt = new Map<number, ChainNode[]>();
  let steps = 0;

  const prefix = (net: Float64Array): Float64Array => {
    const known = prefixOf.get(net);
    if (known !== undefined) return known;
    const sums = new Float64Array(net.length + 1);
    net.forEach((one, position) => (sums[position + 1] = (sums[position] ?? 0) + one));
    prefixOf.set(net, sums);
    return sums;
  };

  /** The credits that a cut in a slot may have paid: every way that comes by asks for them again. */
  const wantedAt = (slot: CutSlot): readonly Credit[] => {
    const known = wantedOf.get(slot);
    if (known !== undefined) return known;
    const wanted = byAmount.filter(({ earliest, latest }) => latest > slot.from && earliest < slot.to);
    wantedOf.set(slot, wanted);
    return wanted;
  };

  /** An observation saw one of those that are left in a payout by then. */
  const deadlineOf = ({ upTo, extras }: TakenSet): number => {
    const taken = new Set(extras);
    const behind = (extras.at(-1) ?? upTo - 1) + 1;
    let least = leastTaken[behind] ?? Infinity;
    for (let position = upTo; position < behind; position += 1) {
      if (!taken.has(position)) least = Math.min(least, firstTaken(position));
    }
    return least;
  };

  const visit = (node: ChainNode, taken: TakenSet, slot: CutSlot, place: number, logChance: number): ChainNode => {
    if (!node.slots.some((known) => known.slot === slot)) node.slots.push({ slot, logChance });
    if (!nodes.has(keyOf(taken))) {
      nodes.set(keyOf(taken), node);
      arrivedAt.set(place, [...(arrivedAt.get(place) ?? []), node]);
    }
    return node;
  };

  const skip = (credit: number, one: SkippedSlot): void => {
    const known = skipped.get(credit) ?? [];
    if (!known.some(({ slot, kind }) => slot === one.slot && kind === one.kind)) skipped.set(credit, [...known, one]);
  };

  const follow = (node: ChainNode, first: number): void => {
    const { taken } = node;
    const deadline = deadlineOf(taken);
    const from = node.slots[0]?.slot.from ?? -Infinity;
    const since = sequence.key[taken.upTo] ?? Infinity;
    for (let place = first; place < slots.length; place += 1) {
      const slot = slots[place];
      if (slot === undefined || slot.from > deadline || slot.from > since + windowMs) return;
      if (steps > STEPS_MAX || nodes.size > NODES_MAX) {
        givenUpFrom ??= from;
        return;
      }
      if (slot.from < from + CUTS_APART_MS) continue;
      const net = netAt(slot.from);
      // The items of a crowded slot are not listed: looking at them would cost as much as listing them.
      const open = slot.open.filter(({ position }) => !hasTaken(taken, position));
      const forced = slot.taken.filter((position) => !hasTaken(taken, position));
      let base = sureSum(sequence, refunds, net, prefix(net), taken, slot.sure);
      for (const position of forced) base += net[position] ?? 0;
      steps += 1 + (slot.isCrowded ? OPEN_LISTED_MAX : open.length);
      if (base - refundsBehind(sequence, slot.sure) > most) return;
      const wanted = wantedAt(slot);
      if (slot.isCrowded || open.length > SUBSET_NUMBERS_MAX) {
        for (const { index } of wanted) skip(index, { slot, kind: 'unseen' });
        continue;
      }
      const whole = open.length === slot.open.length;
      let sums = whole ? sumsOf.get(slot) : undefined;
      if (sums === undefined) {
        sums = subsetSums(open.map(({ position }) => net[position] ?? 0));
        steps += sums.cost * 2;
        if (whole && sums.cost <= KEPT_COST_MAX) sumsOf.set(slot, sums);
      }
      for (const credit of wanted) {
        const target = credit.amount - base;
        if (target < sums.least || target > sums.most) continue;
        steps += sums.cost;
        const choices = sums.reaching(target, SOLUTIONS_MAX);
        if (choices === undefined) skip(credit.index, { slot, kind: 'many' });
        for (const chosen of choices ?? []) {
          const extras = [...taken.extras, ...forced];
          for (const choice of chosen) extras.push(open[choice]?.position ?? 0);
          const next = takenSet(Math.max(slot.sure, taken.upTo), extras);
          const known = nodes.get(keyOf(next)) ?? { taken: next, slots: [], depth: 0 };
          const to = visit(known, next, slot, place, chanceOf(slot, next));
          to.depth = Math.max(to.depth, node.depth + 1);
          const key = `${keyOf(taken)}>${keyOf(next)}>${credit.index}`;
          if (!edges.has(key)) edges.set(key, { from: node, to, credit });
        }
      }
    }
  };

  follow(start, 0);
  let reached = 0;
  let stretch = 0;
  for (let place = 0; place < slots.length; place += 1) {
    const slot = slots[place];
    if (slot === undefined) continue;
    if (givenUpFrom !== undefined) break;
    for (const node of arrivedAt.get(place) ?? []) {
      reached = Math.max(reached, node.depth);
      follow(node, place + 1);
    }
    const isLast = (slots[place + 1]?.from ?? Infinity) >= slot.to + CUTS_APART_MS;
    if (!isLast) continue;
    if (reached < SURE_CHAIN) {
      const { found, isCutShort } = beginnings(slots, stretch, place);
      if (isCutShort) {
        for (const { index, earliest, latest } of credits) {
          if (latest > slot.to && earliest < slot.to) notBegun.add(index);
        }
      }
      for (const { taken, at, logChance } of found) {
        const cold = slots[at];
        if (cold === undefined) continue;
        const isNew = !nodes.has(keyOf(taken));
        const node = visit(nodes.get(keyOf(taken)) ?? { taken, slots: [], depth: 0 }, taken, cold, place, logChance);
        if (isNew) follow(node, place + 1);
      }
    }
    reached = 0;
    stretch = place + 1;
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], skipped, notBegun, givenUpFrom };
}
