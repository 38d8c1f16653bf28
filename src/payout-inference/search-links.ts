import { at } from './at';
import { type Chances, type Link, linkFinder, type LinkSearch } from './find-links';

/** How many steps a hypothesis may cost before a chain is found. */
export interface SearchEffort {
  /** Up to so many every place is tried as the beginning of a payout. */
  readonly allStarts: number;
  /**
   * While no chain was found, most hypotheses are wrong, and every place would be tried in vain: so many places, spread
   * over the file, are searched for so many steps each. A payout of ten thousand items is passed from all of its places so.
   */
  readonly firstProbe: number;
}

export const FULL_EFFORT: SearchEffort = { allStarts: 120_000_000, firstProbe: 60_000_000 };
/** For one that stands against another which explains the file: it would have to explain it too, and its chain be soon found. */
export const RIVAL_EFFORT: SearchEffort = { allStarts: 10_000_000, firstProbe: 2_000_000 };
/** Beyond this the search is given up where it is, and says so. */
const STEPS_MAX = 1_500_000_000;
const FIRST_PROBES = 4;
/** A chain of so many links needs no other beginning beside it. */
const SURE_CHAIN = 4;
const FOLLOWED_MAX = 4;
const COST_SAMPLES = 24;
const CHANCE_SAMPLES = 3_000;

export interface FoundLinks {
  readonly links: readonly Link[];
  readonly chances: Chances;
  /** Where the search ended, because the bound on the work was hit. */
  readonly cutShortFrom: number | undefined;
  readonly steps: number;
}

/** All links of a small file; of a large one those that hang together, and all where no chain runs. */
export function searchLinks(search: LinkSearch, effort: SearchEffort = FULL_EFFORT): FoundLinks {
  const starts = boundaries(search.sequence.isBoundary, search.sequence.size);
  const cost = averageCost(search, starts) * starts.length;
  return cost <= effort.allStarts ? fromAllStarts(search, starts) : fromChains(search, starts, effort);
}

function fromAllStarts(search: LinkSearch, starts: Int32Array): FoundLinks {
  const finder = linkFinder(search);
  const links: Link[] = [];
  for (const start of starts) for (const link of finder.from(start)) links.push(link);
  return { links, chances: finder.chances, cutShortFrom: undefined, steps: finder.steps() };
}

/** Follows the links from where they lead, and opens every place only where no chain of four runs. */
function fromChains(search: LinkSearch, starts: Int32Array, { firstProbe }: SearchEffort): FoundLinks {
  const finder = linkFinder(search);
  const { size } = search.sequence;
  const linksFrom = new Map<number, readonly Link[]>();
  const depth = new Int32Array(size + 1);
  let coveredTo = 0;
  let coveredFrom = 0;
  const visit = (start: number): void => {
    if (linksFrom.has(start)) return;
    const found = finder.from(start);
    linksFrom.set(start, found);
    for (const { from, to } of found) {
      depth[to] = Math.max(at(depth, to), at(depth, from) + 1);
      if (at(depth, to) >= SURE_CHAIN && to > coveredTo) {
        coveredTo = to;
        coveredFrom = from;
      }
    }
  };
  /** Where a place leads is searched before its neighbors: once a chain is sure, they need not be. */
  const follow = (start: number): void => {
    visit(start);
    let reached = linksFrom.get(start) ?? [];
    for (let step = 1; step < SURE_CHAIN && coveredTo <= start && reached.length > 0; step += 1) {
      const next: Link[] = [];
      for (const { to } of reached.slice(0, FOLLOWED_MAX)) {
        if (to >= size) continue;
        visit(to);
        next.push(...(linksFrom.get(to) ?? []));
      }
      reached = next;
    }
  };
  const walk = (from: number, isOver: () => boolean): number => {
    for (let place = from; place < starts.length; place += 1) {
      const start = at(starts, place);
      if (isOver()) return place;
      const isReached = start === 0 || at(depth, start) > 0;
      if (start < coveredTo && !isReached) continue;
      follow(start);
      if (start !== coveredTo || linksFrom.get(start)?.length !== 0) continue;
      // The chain ends here. Its last link may be the false one: what begins inside it is tried too.
      for (let inside = place - 1; inside >= 0 && at(starts, inside) > coveredFrom; inside -= 1) {
        if (finder.steps() > STEPS_MAX) break;
        visit(at(starts, inside));
      }
    }
    return starts.length;
  };
  let seenTo = 0;
  for (let first = 0; first < FIRST_PROBES && coveredTo === 0 && seenTo < starts.length; first += 1) {
    const until = finder.steps() + firstProbe;
    const ended = walk(
      Math.floor((first * starts.length) / FIRST_PROBES),
      () => coveredTo > 0 || finder.steps() > until,
    );
    if (first === 0) seenTo = ended;
  }
  const isHopeless = coveredTo === 0 && seenTo < starts.length;
  const ended = isHopeless ? seenTo : walk(seenTo, () => finder.steps() > STEPS_MAX);
  const cutShortFrom = ended < starts.length ? at(starts, ended) : undefined;
  const links = [...linksFrom.entries()].sort(([a], [b]) => a - b).flatMap(([, found]) => found);
  // Of no links nothing is weighed.
  const chances = links.length === 0 ? finder.chances : sampledChances(search, starts);
  return { links, chances, cutShortFrom, steps: finder.steps() };
}

/** Places that are known to be right would make chance seem likelier than it is: others are asked. */
function sampledChances(search: LinkSearch, starts: Int32Array): Chances {
  const finder = linkFinder(search);
  const stride = Math.max(1, Math.floor(starts.length / CHANCE_SAMPLES));
  for (let place = 0; place < starts.length; place += stride) finder.from(at(starts, place));
  return finder.chances;
}

function averageCost(search: LinkSearch, starts: Int32Array): number {
  const finder = linkFinder(search);
  const stride = Math.max(1, Math.floor(starts.length / COST_SAMPLES));
  let asked = 0;
  for (let place = 0; place < starts.length; place += stride) {
    finder.from(at(starts, place));
    asked += 1;
  }
  return finder.steps() / Math.max(1, asked);
}

function boundaries(isBoundary: Uint8Array, size: number): Int32Array {
  const found: number[] = [];
  for (let position = 0; position < size; position += 1) if (isBoundary[position] === 1) found.push(position);
  return Int32Array.from(found);
}
