import { DAY_MS } from '../kernel';
import { channelsOf } from './channel-groups';
import { cutFinder } from './cut-states';
import { type Availability, itemAvailability } from './item-availability';
import { type Channel, CHANNELS, type Item, type Stream } from './match-request';
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
      ...{ stream, items, availability, members, indexOf: file.indexOf },
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

function membersOfEach(items: readonly Item[], streams: readonly Stream[]): Members[] {
  return streams
    .map((stream) => ({ stream, members: membersOf(items, channelsOf(stream)) }))
    .filter(({ members }) => members.length > 0);
}

/** Returns the indexes of the items of some channels. It is called for each stream, with up to a million items. */
function membersOf(items: readonly Item[], channels: readonly Channel[]): Int32Array {
  const [only] = channels.length === 1 ? channels : [];
  const members = new Int32Array(items.length);
  let count = 0;
  for (let index = 0; index < items.length; index += 1) {
    const channel = items[index]?.channel;
    if (channel === undefined || (only === undefined ? !channels.includes(channel) : channel !== only)) continue;
    members[count] = index;
    count += 1;
  }
  return members.slice(0, count);
}
