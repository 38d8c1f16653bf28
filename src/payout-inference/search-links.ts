import { addToGroup } from '../kernel';
import { at, elementAt } from './at';
import { type Chances, type Link, linkFinder, type LinkSearch } from './find-links';
import { LinkFollower, STEPS_MAX } from './link-follower';

/** The limit on the steps of a hypothesis before a chain is found. */
export interface SearchEffort {
  /** Up to this number of steps, every position is tried as the start of a payout. */
  readonly allStarts: number;
  /**
   * Before a chain is found, most hypotheses are wrong, and trying every position would be in vain. So only some
   * positions, spread over the file, are searched for this number of steps each. That is enough to pass a payout of ten
   * thousand items from each of its positions.
   */
  readonly firstProbe: number;
  /** Whether links are weighed if no chain was found. */
  readonly weighsSingle: boolean;
}

export const FULL_EFFORT: SearchEffort = { allStarts: 120_000_000, firstProbe: 60_000_000, weighsSingle: true };
/**
 * For a rival of a hypothesis that explains the file: it would have to explain the file too, so its chain would be
 * found soon.
 */
export const RIVAL_EFFORT: SearchEffort = { allStarts: 10_000_000, firstProbe: 2_000_000, weighsSingle: false };
const FIRST_PROBES = 4;
const COST_SAMPLES = 24;
const CHANCE_SAMPLES = 3_000;

export interface FoundLinks {
  readonly links: readonly Link[];
  readonly chances: Chances;
  /** The number of starts from which the chances were counted. */
  readonly starts: number;
  /** The position at which a bound on the work stopped the search. */
  readonly cutShortFrom: number | undefined;
  readonly steps: number;
}

/**
 * Returns all links of a small file. For a large one, returns the chained links, and all links where no chain exists.
 */
export function searchLinks(search: LinkSearch, effort: SearchEffort = FULL_EFFORT): FoundLinks {
  const starts = boundaries(search.sequence.isBoundary, search.sequence.size);
  const cost = averageCost(search, starts) * starts.length;
  return cost <= effort.allStarts ? fromAllStarts(search, starts) : fromChains(search, starts, effort);
}

function fromAllStarts(search: LinkSearch, starts: Int32Array): FoundLinks {
  const finder = linkFinder(search);
  const links: Link[] = [];
  for (const start of starts) for (const link of finder.from(start)) links.push(link);
  const chances = withShiftedAsOne(finder.chances, links);
  return { links, chances, starts: starts.length, cutShortFrom: undefined, steps: finder.steps() };
}

/**
 * Counts hits of runs that overlap and have equally many items as one hit: the largest such family of each credit. If
 * the same prices repeat every day, a run that is shifted by one of them has the same sum, whatever the cut was.
 */
function withShiftedAsOne({ passed, met }: Chances, links: readonly Link[]): Chances {
  const startsOf = new Map<string, number[]>();
  for (const { from, to, credit } of links) addToGroup(startsOf, `${credit.index} ${to - from}`, from);
  const largest = new Float64Array(met.length).fill(1);
  for (const [name, starts] of startsOf) {
    const [index = 0, length = 0] = name.split(' ').map(Number);
    starts.sort((a, b) => a - b);
    let first = 0;
    starts.forEach((start, place) => {
      while (start - elementAt(starts, first) >= length) first += 1;
      largest[index] = Math.max(at(largest, index), place - first + 1);
    });
  }
  return { passed, met: met.map((hits, index) => Math.max(Math.min(1, hits), hits - at(largest, index) + 1)) };
}

/** Follows links from their ends, and tries every position only where no chain of four exists. */
function fromChains(search: LinkSearch, starts: Int32Array, { firstProbe, weighsSingle }: SearchEffort): FoundLinks {
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
  const links = isHopeless && !weighsSingle ? [] : follower.links();
  // Without links nothing is weighed.
  const sampled = links.length === 0 ? { chances: follower.chances, starts: 0 } : sampledChances(search, starts);
  return { links, ...sampled, cutShortFrom, steps: follower.steps };
}

/** Counts hits from other positions. Positions that are known to be right would make chance hits seem more frequent. */
function sampledChances(search: LinkSearch, starts: Int32Array): Pick<FoundLinks, 'chances' | 'starts'> {
  const finder = linkFinder(search);
  const stride = Math.max(1, Math.floor(starts.length / CHANCE_SAMPLES));
  let sampled = 0;
  for (let place = 0; place < starts.length; place += stride) {
    finder.from(at(starts, place));
    sampled += 1;
  }
  return { chances: finder.chances, starts: sampled };
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
