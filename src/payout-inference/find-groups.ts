import { elementAt } from './at';
import { channelsOf, groupOf } from './channel-groups';
import { LOG_EVIDENCE_OF_LEARNED_MIN } from './compare-answers';
import { LIKELY } from './contested-credits';
import { explainedOf, inferModel, weighAlone } from './infer-model';
import { itemAvailability } from './item-availability';
import type { CardRule } from './learn-card-rule';
import { type Channel, CHANNELS, type Stream } from './match-request';
import type { Hypothesis, ModelAnswer, StreamAnswer } from './model-answer';
import { type OrderedStream, orderStreams } from './order-streams';
import type { PreparedFile } from './prepare-file';
import type { FeeHypothesis } from './price-stream';
import type { FoundLinks, SearchEffort } from './search-links';

/** Larger files are not searched for groups. */
const ITEMS_MAX = 40_000;
/** Above this chance of a hit at each start, a long chain still counts a little. */
const CHANCE_MAX = 0.9;
/** As many sets as channels are weighed, and as many again if their chains have more log evidence than chance reaches. */
const LOG_CHAIN_MIN = 12;
/** The evidence that chance reaches in the best of 127 sets: a stream needs 6, and log 127 is 5. */
const LOG_EVIDENCE_OF_STREAM_MIN = 11;
/** For each set, this finds the first chain of payouts with up to about 500 items. */
const GROUP_EFFORT: SearchEffort = { allStarts: 1_000_000, firstProbe: 300_000, weighsSingle: true };
/** If links cover this share of each stream's items, other streams are not searched. */
const COVERED_MIN = 0.9;
/** A stream of which links cover this share is right, except perhaps for this number of channels. */
const PROVEN_MIN = 0.5;
const CHANNELS_OFF_MAX = 2;
/** A channel with items in as many likely links of a proven stream is part of it: otherwise it would break their sums. */
const LINKS_TOGETHER_MIN = 4;
/** A partition that explains fewer credits than the best one by more than this is no rival. */
const CREDITS_LESS_MAX = 4;

export interface GroupsRequest {
  readonly cardRules: readonly CardRule[];
  readonly fees: FeeHypothesis;
  /** The best answer of the other models. */
  readonly known: ModelAnswer | undefined;
}

/** The streams that explain a file best. */
export interface FoundGroups {
  /** Undefined if they are the streams of another model. */
  readonly answer: ModelAnswer | undefined;
  /** Other partitions of the channels that explain almost as many credits. */
  readonly near: readonly (readonly Stream[])[];
}

/** A set of channels as one stream. Bit `i` of `mask` stands for the `i`-th channel of the file. */
interface SupportedSet {
  readonly mask: number;
  readonly stream: Stream;
  readonly logEvidence: number;
  readonly explained: number;
}

/**
 * Finds the channels that one transfer pays together. Each set of channels is tried as a stream of its own, and the
 * disjoint sets with the most evidence together are the streams. A set that is no stream meets credits by chance only,
 * so almost all sets need no weighing.
 */
export function findGroups(file: PreparedFile, { cardRules, fees, known }: GroupsRequest): FoundGroups | undefined {
  const { items } = file.request;
  const channels = new Set(items.map(({ channel }) => channel));
  const present = CHANNELS.filter((channel) => channels.has(channel));
  if (items.length > ITEMS_MAX || present.length <= 1 || isAllCovered(known, items.length)) return undefined;
  const masks = masksToTry(present, known?.streams.filter(isProven) ?? []);
  if (masks.length <= 1) return undefined;
  let best: Partition | undefined;
  let hypothesis: Hypothesis | undefined;
  for (const cardRule of cardRules) {
    const tried: Hypothesis = { model: 'sweep-by-group', groups: [], cardRule, fees };
    const sets = supportedSets(file, tried, { present, masks });
    const partition = bestPartition(sets, 2 ** present.length - 1);
    if (partition.logEvidence <= (best?.logEvidence ?? 0)) continue;
    best = partition;
    hypothesis = { ...tried, groups: withOwn(partition.streams, present) };
  }
  if (best === undefined || hypothesis === undefined) return undefined;
  return {
    answer: isOtherModel(hypothesis.groups, present) ? undefined : inferModel(file, hypothesis),
    near: best.near.map((streams) => withOwn(streams, present)).filter((streams) => !isOtherModel(streams, present)),
  };
}

/** Adds the channels that are in none of the streams, each as a stream of its own. */
function withOwn(streams: readonly Stream[], present: readonly Channel[]): Stream[] {
  const taken = new Set(streams.flatMap(channelsOf));
  return [...streams, ...present.filter((channel) => !taken.has(channel))];
}

/** Returns whether the streams are those of `sweep-all` or `sweep-per-channel`. */
function isOtherModel(streams: readonly Stream[] = [], present: readonly Channel[]): boolean {
  return streams.length <= 1 || streams.length === present.length;
}

/** Returns whether links cover almost all items. The model of cards alone has no streams of the other channels. */
function isAllCovered(known: ModelAnswer | undefined, items: number): boolean {
  const streams = known?.streams ?? [];
  const ordered = streams.reduce((sum, { sequence }) => sum + sequence.size, 0);
  return ordered >= COVERED_MIN * items && streams.every((stream) => coveredShare(stream) >= COVERED_MIN);
}

/** Returns whether a stream of another model is right, except perhaps for a few channels. */
function isProven(stream: StreamAnswer): boolean {
  return coveredShare(stream) >= PROVEN_MIN && stream.weighed.logEvidence >= LOG_EVIDENCE_OF_LEARNED_MIN;
}

/** Returns the share of a stream's items that are in likely links. */
function coveredShare({ sequence, weighed }: StreamAnswer): number {
  const covered = weighed.links.reduce((sum, { from, to, share }) => sum + (share > LIKELY ? to - from : 0), 0);
  return covered / Math.max(1, sequence.size);
}

/** Returns all sets of channels, without those that take a proven stream apart. */
function masksToTry(present: readonly Channel[], proven: readonly StreamAnswer[]): number[] {
  const maskOf = (isIn: (channel: Channel) => boolean): number =>
    present.reduce((mask, channel, bit) => mask | (isIn(channel) ? 1 << bit : 0), 0);
  const held = proven.map((stream) => {
    const linksWith = linksByChannel(stream);
    return {
      all: maskOf((channel) => isOf(stream.sequence.stream, channel)),
      together: maskOf((channel) => (linksWith.get(channel) ?? 0) >= LINKS_TOGETHER_MIN),
    };
  });
  const masks = Array.from({ length: 2 ** present.length - 1 }, (_, index) => index + 1);
  return masks.filter((mask) =>
    held.every(
      ({ all, together }) =>
        (mask & all) === 0 || ((mask & together) === together && bitsOf(mask ^ all) <= CHANNELS_OFF_MAX),
    ),
  );
}

/** Returns, by channel, how many likely links of a stream contain its items. */
function linksByChannel({ sequence, weighed }: StreamAnswer): Map<Channel, number> {
  const links = new Map<Channel, number>();
  for (const { from, to, share } of weighed.links) {
    if (share <= LIKELY) continue;
    for (const index of new Set(sequence.channel.subarray(from, to))) {
      const channel = elementAt(CHANNELS, index);
      links.set(channel, (links.get(channel) ?? 0) + 1);
    }
  }
  return links;
}

function isOf(stream: Stream, channel: Channel): boolean {
  return stream === 'all' || channelsOf(stream).includes(channel);
}

function bitsOf(mask: number): number {
  let bits = 0;
  for (let left = mask; left !== 0; left &= left - 1) bits += 1;
  return bits;
}

/** Returns the sets of channels that may be streams. */
function supportedSets(
  file: PreparedFile,
  hypothesis: Hypothesis,
  { present, masks }: { readonly present: readonly Channel[]; readonly masks: readonly number[] },
): SupportedSet[] {
  const availability = itemAvailability(file.request.items, file.bounds, hypothesis.cardRule, file.grid);
  let strongest: { readonly mask: number; readonly logChain: number; readonly ordered: OrderedStream }[] = [];
  for (const mask of masks) {
    const stream = groupOf(present.filter((_, bit) => (mask & (1 << bit)) !== 0));
    const { streams } = orderStreams(file, { ...hypothesis, groups: [stream] }, { availability, effort: GROUP_EFFORT });
    for (const ordered of streams) {
      const logChain = longestChain(ordered.found);
      strongest.push({ mask, logChain, ordered });
    }
    strongest = strongest
      .sort((a, b) => b.logChain - a.logChain)
      .filter(({ logChain }, place) => place < (logChain >= LOG_CHAIN_MIN ? 2 : 1) * present.length);
  }
  return strongest.map(({ mask, ordered }) => {
    const answer = weighAlone(file, hypothesis, ordered);
    const { logEvidence } = answer.weighed;
    return { mask, stream: ordered.sequence.stream, logEvidence, explained: explainedOf([answer]) };
  });
}

/**
 * Returns the log evidence of the longest unbroken chain of links: how seldom chance would continue it so often from
 * any of the starts.
 */
function longestChain({ links, chances, starts }: FoundLinks): number {
  const upTo = new Map<number, number>();
  let longest = 0;
  for (const { from, to } of links) {
    const length = (upTo.get(from) ?? 0) + 1;
    if (length > (upTo.get(to) ?? 0)) upTo.set(to, length);
    longest = Math.max(longest, length);
  }
  const met = chances.met.reduce((sum, count) => sum + count, 0);
  const byChance = Math.max(1, met - longest) / Math.max(1, starts);
  return -longest * Math.log(Math.min(CHANCE_MAX, byChance)) - Math.log(Math.max(1, starts));
}

interface Partition {
  readonly streams: readonly Stream[];
  readonly logEvidence: number;
  readonly near: readonly (readonly Stream[])[];
}

/** Returns the disjoint sets with the most evidence together. `all` has a bit for each channel. */
function bestPartition(sets: readonly SupportedSet[], all: number): Partition {
  const chosen: (readonly SupportedSet[])[] = [[]];
  for (let mask = 1; mask <= all; mask += 1) {
    const lowest = mask & -mask;
    let best = elementAt(chosen, mask ^ lowest);
    for (const set of sets) {
      if ((set.mask & lowest) === 0 || (set.mask & ~mask) !== 0) continue;
      const other = [set, ...elementAt(chosen, mask ^ set.mask)];
      if (gainOf(other) > gainOf(best)) best = other;
    }
    chosen.push(best);
  }
  const best = elementAt(chosen, all);
  const explained = sumOf(best, (set) => set.explained);
  const near = sets
    .filter((set) => !best.includes(set))
    .map((set) => [set, ...elementAt(chosen, all ^ set.mask)])
    .filter((other) => sumOf(other, (set) => set.explained) >= explained - CREDITS_LESS_MAX);
  return { streams: streamsOf(best), logEvidence: gainOf(best), near: near.map(streamsOf) };
}

function streamsOf(sets: readonly SupportedSet[]): Stream[] {
  return [...sets].sort((a, b) => (a.mask & -a.mask) - (b.mask & -b.mask)).map(({ stream }) => stream);
}

/** Returns the log evidence of sets together, less what chance reaches in the best of all sets of the channels. */
function gainOf(sets: readonly SupportedSet[]): number {
  return sumOf(sets, ({ logEvidence }) => logEvidence - LOG_EVIDENCE_OF_STREAM_MIN);
}

function sumOf(sets: readonly SupportedSet[], value: (set: SupportedSet) => number): number {
  return sets.reduce((sum, set) => sum + value(set), 0);
}
