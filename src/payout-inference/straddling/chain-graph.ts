import type { Credit } from '../find-links';
import type { CutSlot } from './cut-slots';
import { keyOf, type TakenSet } from './taken-set';

/** The items paid up to a cut, and the possible slots of the cut, with the probability of the set in each. */
export interface ChainNode {
  readonly taken: TakenSet;
  readonly slots: { readonly slot: CutSlot; readonly logChance: number }[];
  depth: number;
}

/** A payout between two cuts, whose amount is exactly that of the credit. */
export interface ChainEdge {
  readonly from: ChainNode;
  readonly to: ChainNode;
  readonly credit: Credit;
}

export interface SkippedSlot {
  readonly slot: CutSlot;
  /** `unseen`: no choice was tried. `many`: more choices fit than the search compares. */
  readonly kind: 'unseen' | 'many';
}

/** The cuts found so far, and the payouts between them. */
export class ChainGraph {
  readonly #nodes = new Map<string, ChainNode>();
  readonly #edges = new Map<string, ChainEdge>();
  readonly #skipped = new Map<number, SkippedSlot[]>();
  readonly #arrivedAt = new Map<number, ChainNode[]>();

  get size(): number {
    return this.#nodes.size;
  }

  get nodes(): ChainNode[] {
    return [...this.#nodes.values()];
  }

  get edges(): ChainEdge[] {
    return [...this.#edges.values()];
  }

  /** By the credit's index, the slots that were not fully tried. */
  get skipped(): ReadonlyMap<number, readonly SkippedSlot[]> {
    return this.#skipped;
  }

  has(taken: TakenSet): boolean {
    return this.#nodes.has(keyOf(taken));
  }

  /** Adds the start of the file, which is no cut. */
  begin(taken: TakenSet): ChainNode {
    const node: ChainNode = { taken, slots: [], depth: 0 };
    this.#nodes.set(keyOf(taken), node);
    return node;
  }

  /**
   * Returns the node of a set that a cut in a slot may have taken. `place`: the index of the slot at which a new node
   * is followed.
   */
  arrive(taken: TakenSet, slot: CutSlot, logChance: number, place: number): ChainNode {
    const key = keyOf(taken);
    const known = this.#nodes.get(key);
    const node = known ?? { taken, slots: [], depth: 0 };
    if (!node.slots.some((other) => other.slot === slot)) node.slots.push({ slot, logChance });
    if (known === undefined) {
      this.#nodes.set(key, node);
      this.#arrivedAt.set(place, [...this.arrivedAt(place), node]);
    }
    return node;
  }

  /** Returns the nodes that were new at the index of a slot. */
  arrivedAt(place: number): readonly ChainNode[] {
    return this.#arrivedAt.get(place) ?? [];
  }

  /** Adds a payout between two cuts. */
  connect(from: ChainNode, to: ChainNode, credit: Credit): void {
    to.depth = Math.max(to.depth, from.depth + 1);
    const key = `${keyOf(from.taken)}>${keyOf(to.taken)}>${credit.index}`;
    if (!this.#edges.has(key)) this.#edges.set(key, { from, to, credit });
  }

  /** Notes that not every choice of a credit at a slot was tried. */
  skip(credit: number, one: SkippedSlot): void {
    const known = this.#skipped.get(credit) ?? [];
    if (known.some(({ slot, kind }) => slot === one.slot && kind === one.kind)) return;
    this.#skipped.set(credit, [...known, one]);
  }
}
