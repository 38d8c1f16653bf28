import { at } from './at';
import { type Chances, type Link, linkFinder, type LinkSearch } from './find-links';
import { LinkFollower, STEPS_MAX } from './link-follower';

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
const FIRST_PROBES = 4;
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
  const follower = new LinkFollower(search, starts);
  let seenTo = 0;
  for (let first = 0; first < FIRST_PROBES && !follower.hasSureChain && seenTo < starts.length; first += 1) {
    const until = follower.steps + firstProbe;
    const ended = follower.walk(
      Math.floor((first * starts.length) / FIRST_PROBES),
      () => follower.hasSureChain || follower.steps > until,
    );
    if (first === 0) seenTo = ended;
  }
  const isHopeless = !follower.hasSureChain && seenTo < starts.length;
  const ended = isHopeless ? seenTo : follower.walk(seenTo, () => follower.steps > STEPS_MAX);
  const cutShortFrom = ended < starts.length ? at(starts, ended) : undefined;
  const links = follower.links();
  // Of no links nothing is weighed.
  const chances = links.length === 0 ? follower.chances : sampledChances(search, starts);
  return { links, chances, cutShortFrom, steps: follower.steps };
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
