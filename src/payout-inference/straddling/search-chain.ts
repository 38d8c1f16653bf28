import type { Credit } from '../find-links';
import type { StreamItems } from '../order-stream';
import { beginnings } from './chain-beginnings';
import { type ChainEdge, ChainGraph, type ChainNode, type SkippedSlot } from './chain-graph';
import { CUTS_APART_MS, type CutSlot } from './cut-slots';
import { type SlotPayout, type SlotPayouts, slotPayouts } from './slot-payouts';
import { suffixLeast } from './suffix-least';
import { chanceOf, NOTHING_TAKEN, type TakenSet, takenSet } from './taken-set';

/** The limit on compared solutions of one credit at one slot. */
const SOLUTIONS_MAX = 64;
/** Beside a chain of this length, no other beginning needs a search. */
const SURE_CHAIN = 3;
const NODES_MAX = 6_000;
const STEPS_MAX = 4_000_000;

export interface ChainSearch {
  readonly sequence: StreamItems;
  readonly slots: readonly CutSlot[];
  readonly credits: readonly Credit[];
  readonly firstTaken: (position: number) => number;
  /** Returns the net amounts that apply to a cut at an instant. */
  readonly netAt: (instant: number) => Float64Array;
  readonly windowMs: number;
}

export interface FoundChain {
  readonly nodes: readonly ChainNode[];
  readonly edges: readonly ChainEdge[];
  /** By the credit's index, the slots at which it may have been paid in unlisted ways. */
  readonly skipped: ReadonlyMap<number, readonly SkippedSlot[]>;
  /** Credits that may follow a cut of which not all beginnings were tried. */
  readonly notBegun: ReadonlySet<number>;
  /** The instant from which nothing was searched, because the search hit the bound on the work. */
  readonly givenUpFrom: number | undefined;
}

/**
 * Follows the payouts from cut to cut, with every choice of straddling items, and starts again where no chain
 * continues.
 */
export function searchChain(search: ChainSearch): FoundChain {
  const { slots, credits } = search;
  const graph = new ChainGraph();
  const follower = new ChainFollower(search, graph);
  const notBegun = new Set<number>();
  follower.follow(graph.begin(NOTHING_TAKEN), 0);
  let reached = 0;
  let stretch = 0;
  for (let place = 0; place < slots.length && follower.givenUpFrom === undefined; place += 1) {
    const slot = slots[place];
    if (slot === undefined) continue;
    for (const node of graph.arrivedAt(place)) {
      reached = Math.max(reached, node.depth);
      follower.follow(node, place + 1);
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
        const isNew = !graph.has(taken);
        const node = graph.arrive(taken, cold, logChance, place);
        if (isNew) follower.follow(node, place + 1);
      }
    }
    reached = 0;
    stretch = place + 1;
  }
  const { nodes, edges, skipped } = graph;
  return { nodes, edges, skipped, notBegun, givenUpFrom: follower.givenUpFrom };
}

/** Adds the possible next cuts of a cut to a graph. */
class ChainFollower {
  readonly #search: ChainSearch;
  readonly #graph: ChainGraph;
  readonly #payouts: SlotPayouts;
  readonly #byAmount: readonly Credit[];
  readonly #wantedOf = new Map<CutSlot, readonly Credit[]>();
  readonly #leastTaken: Float64Array;
  #steps = 0;
  #givenUpFrom: number | undefined;

  constructor(search: ChainSearch, graph: ChainGraph) {
    this.#search = search;
    this.#graph = graph;
    this.#payouts = slotPayouts(search.sequence, search.netAt);
    this.#byAmount = [...search.credits].sort((a, b) => a.amount - b.amount || a.index - b.index);
    this.#leastTaken = suffixLeast(search.sequence.size, search.firstTaken);
  }

  /** The instant from which nothing was searched, because the search hit the bound on the work. */
  get givenUpFrom(): number | undefined {
    return this.#givenUpFrom;
  }

  /** Adds the payouts from a node to cuts in the slots from an index on. */
  follow(node: ChainNode, first: number): void {
    const { sequence, slots, windowMs } = this.#search;
    const { taken } = node;
    const deadline = this.#deadlineOf(taken);
    const from = node.slots[0]?.slot.from ?? -Infinity;
    const since = sequence.key[taken.upTo] ?? Infinity;
    const most = this.#byAmount.at(-1)?.amount ?? 0;
    for (let place = first; place < slots.length; place += 1) {
      const slot = slots[place];
      if (slot === undefined || slot.from > deadline || slot.from > since + windowMs) return;
      if (this.#steps > STEPS_MAX || this.#graph.size > NODES_MAX) {
        this.#givenUpFrom ??= from;
        return;
      }
      if (slot.from < from + CUTS_APART_MS) continue;
      const payout = this.#payouts.payoutOf(taken, slot);
      this.#steps += payout.cost;
      if (payout.least > most) return;
      this.#pay(node, slot, payout, place);
    }
  }

  /** Adds the choices of open items with which a credit pays the items of a cut in the slot. */
  #pay(node: ChainNode, slot: CutSlot, { base, forced, open }: SlotPayout, place: number): void {
    const { taken } = node;
    const wanted = this.#wantedAt(slot);
    const table = this.#payouts.sumsOf(slot, open);
    if (table === undefined) {
      for (const { index } of wanted) this.#graph.skip(index, { slot, kind: 'unseen' });
      return;
    }
    const { sums, cost } = table;
    this.#steps += cost;
    for (const credit of wanted) {
      const target = credit.amount - base;
      if (target < sums.least || target > sums.most) continue;
      this.#steps += sums.cost;
      const choices = sums.reaching(target, SOLUTIONS_MAX);
      if (choices === undefined) this.#graph.skip(credit.index, { slot, kind: 'many' });
      for (const chosen of choices ?? []) {
        const extras = [...taken.extras, ...forced];
        for (const choice of chosen) extras.push(open[choice]?.position ?? 0);
        const next = takenSet(Math.max(slot.sure, taken.upTo), extras);
        const to = this.#graph.arrive(next, slot, chanceOf(slot, next), place);
        this.#graph.connect(node, to, credit);
      }
    }
  }

  /**
   * Returns the credits that a cut in a slot may have paid. It caches them, because every path through the slot needs
   * them.
   */
  #wantedAt(slot: CutSlot): readonly Credit[] {
    const known = this.#wantedOf.get(slot);
    if (known !== undefined) return known;
    const wanted = this.#byAmount.filter(({ earliest, latest }) => latest > slot.from && earliest < slot.to);
    this.#wantedOf.set(slot, wanted);
    return wanted;
  }

  /** Returns the first instant at which an observation saw one of the remaining items in a payout. */
  #deadlineOf({ upTo, extras }: TakenSet): number {
    const { firstTaken } = this.#search;
    const taken = new Set(extras);
    const behind = (extras.at(-1) ?? upTo - 1) + 1;
    let least = this.#leastTaken[behind] ?? Infinity;
    for (let position = upTo; position < behind; position += 1) {
      if (!taken.has(position)) least = Math.min(least, firstTaken(position));
    }
    return least;
  }
}
