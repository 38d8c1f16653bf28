import { at } from './at';
import { type Chances, type Link, type LinkFinder, linkFinder, type LinkSearch } from './find-links';

/** Beyond this limit the search stops and reports that it is incomplete. */
export const STEPS_MAX = 1_500_000_000;
/** Beside a chain of this length, no other beginning needs a search. */
const SURE_CHAIN = 4;
const FOLLOWED_MAX = 4;

/** Follows links from their ends, and remembers how much of the stream a sure chain covers. */
export class LinkFollower {
  readonly #finder: LinkFinder;
  readonly #size: number;
  readonly #starts: Int32Array;
  readonly #linksFrom = new Map<number, readonly Link[]>();
  /** By position, the number of links in the longest chain that ends there. */
  readonly #depth: Int32Array;
  /** The last link of the longest sure chain. */
  #covered = { from: 0, to: 0 };

  /** `starts`: the positions at which a payout may begin, in ascending order. */
  constructor(search: LinkSearch, starts: Int32Array) {
    this.#finder = linkFinder(search);
    this.#size = search.sequence.size;
    this.#starts = starts;
    this.#depth = new Int32Array(this.#size + 1);
  }

  get hasSureChain(): boolean {
    return this.#covered.to > 0;
  }

  get steps(): number {
    return this.#finder.steps();
  }

  get chances(): Chances {
    return this.#finder.chances;
  }

  /** Returns the links found so far, in the order of their positions. */
  links(): Link[] {
    return [...this.#linksFrom.entries()].sort(([a], [b]) => a - b).flatMap(([, found]) => found);
  }

  /** Visits the starts from an index on until `isOver`. Returns the index of the first start that was not visited. */
  walk(from: number, isOver: () => boolean): number {
    const starts = this.#starts;
    for (let place = from; place < starts.length; place += 1) {
      const start = at(starts, place);
      if (isOver()) return place;
      const isReached = start === 0 || at(this.#depth, start) > 0;
      if (start < this.#covered.to && !isReached) continue;
      this.#follow(start);
      if (start !== this.#covered.to || this.#linksFrom.get(start)?.length !== 0) continue;
      // The chain ends here. Its last link may be false, so the starts inside it are tried, too.
      for (let inside = place - 1; inside >= 0 && at(starts, inside) > this.#covered.from; inside -= 1) {
        if (this.steps > STEPS_MAX) break;
        this.#visit(at(starts, inside));
      }
    }
    return starts.length;
  }

  /** Searches the end of a link before its neighbors: once a chain is sure, the neighbors need no search. */
  #follow(start: number): void {
    this.#visit(start);
    let reached = this.#linksFrom.get(start) ?? [];
    for (let step = 1; step < SURE_CHAIN && this.#covered.to <= start && reached.length > 0; step += 1) {
      const next: Link[] = [];
      for (const { to } of reached.slice(0, FOLLOWED_MAX)) {
        if (to >= this.#size) continue;
        this.#visit(to);
        next.push(...(this.#linksFrom.get(to) ?? []));
      }
      reached = next;
    }
  }

  #visit(start: number): void {
    if (this.#linksFrom.has(start)) return;
    const found = this.#finder.from(start);
    this.#linksFrom.set(start, found);
    for (const { from, to } of found) {
      const depth = Math.max(at(this.#depth, to), at(this.#depth, from) + 1);
      this.#depth[to] = depth;
      if (depth >= SURE_CHAIN && to > this.#covered.to) this.#covered = { from, to };
    }
  }
}
