import { DAY_MS } from '../kernel';
import { channelsOf } from './channel-groups';
import { cutFinder } from './cut-states';
import { type Availability, itemAvailability } from './item-availability';
import { CHANNELS, type Item, type Stream } from './match-request';
import type { Hypothesis, StreamAnswer } from './model-answer';
import { orderStream } from './order-stream';
import type { PreparedFile } from './prepare-file';
import { priceStream } from './price-stream';
import { type SearchEffort, searchLinks } from './search-links';

/** The longest time between two cuts of a stream. */
export const WINDOW_MS = 16 * DAY_MS;

/** A stream before its links are weighed. */
export type OrderedStream = Pick<StreamAnswer, 'sequence' | 'priced' | 'finder' | 'found'>;

export interface OrderedModel {
  readonly availability: Availability;
  readonly cancelled: readonly number[];
  readonly streams: readonly OrderedStream[];
}

/** Orders and prices the items of each stream of a hypothesis, and finds their links. */
export function orderStreams(
  file: PreparedFile,
  hypothesis: Hypothesis,
  known: { readonly availability?: Availability | undefined; readonly effort?: SearchEffort } = {},
): OrderedModel {
  const { items } = file.request;
  const availability = known.availability ?? itemAvailability(items, file.bounds, hypothesis.cardRule, file.grid);
  const cancelled: number[] = [];
  const streams = streamsOf(file, hypothesis).map(({ stream, members }) => {
    const { sequence, cancelled: gone } = orderStream({
      stream,
      items,
      availability,
      members,
      indexOf: file.indexOf,
      withoutRefunds: hypothesis.withoutRefunds,
    });
    cancelled.push(...gone);
    const priced = priceStream(sequence, hypothesis.fees, file.grid);
    const search = { sequence, priced, credits: file.creditsOfRuns, grid: file.grid, windowMs: WINDOW_MS };
    const finder = cutFinder(sequence, priced, file.grid);
    return { sequence, priced, finder, found: searchLinks(search, known.effort) };
  });
  return { availability, cancelled, streams };
}

interface Members {
  readonly stream: Stream;
  /** Indexes of the items. */
  readonly members: Int32Array;
}

function streamsOf({ request: { items } }: PreparedFile, { model, groups = [] }: Hypothesis): Members[] {
  switch (model) {
    case 'sweep-all':
      return [{ stream: 'all', members: new Int32Array(items.length).map((_, index) => index) }];
    case 'sweep-per-channel':
      return membersOfEach(items, CHANNELS);
    case 'sweep-by-group':
      return membersOfEach(items, groups);
    case 'sweep-card-only':
      return membersOfEach(items, ['card']);
    // In the model of single items, nothing is a run.
    case 'per-item':
      return [];
  }
}

/** Returns the indexes of the items of each stream that has some. Each item is read once, and there are up to a million. */
function membersOfEach(items: readonly Item[], streams: readonly Stream[]): Members[] {
  const placeOf = new Map(streams.flatMap((stream, place) => channelsOf(stream).map((channel) => [channel, place])));
  const members = streams.map((stream) => ({ stream, found: new Int32Array(items.length), count: 0 }));
  items.forEach(({ channel }, index) => {
    const place = placeOf.get(channel);
    const of = place === undefined ? undefined : members[place];
    if (of === undefined) return;
    of.found[of.count] = index;
    of.count += 1;
  });
  return members
    .filter(({ count }) => count > 0)
    .map(({ stream, found, count }) => ({ stream, members: found.slice(0, count) }));
}
