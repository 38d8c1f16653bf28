import type { Availability } from '../item-availability';
import type { Item } from '../match-request';
import type { Hypothesis, ModelAnswer, StreamAnswer } from '../model-answer';
import { orderStream } from '../order-stream';
import type { PreparedFile } from '../prepare-file';
import { freeShare } from './cut-slots';
import { tracerBounds } from './tracer-bounds';
import { widenedAvailability } from './widened-availability';

/** Larger files are searched by runs only. */
const ITEMS_MAX = 40_000;
/** Below this share of a stream's cuts inside intervals, the runs alone are searched: claims are not finer than that. */
const STRADDLED_SHARE_MIN = 1e-3;
/** An item with a narrower interval lies on one side of any cut. */
const WIDTH_MIN_MS = 2_000;
/** If tracers leave at most this share of the time, they show at what time of day the cuts are. */
const FREE_SHARE_MAX = 0.5;
/** Around most cuts, at least this share of the items has no exact time. */
const WIDE_SHARE_MIN = 0.1;

/** Returns the streams whose cuts may lie inside the intervals of items, so that items could be on either side. */
export function straddledStreams(file: PreparedFile, answer: ModelAnswer): readonly StreamAnswer[] {
  if (!isSolvable(file, answer.hypothesis)) return [];
  const availability = widenedAvailability(file, answer.hypothesis);
  return answer.streams.filter((stream) => straddledShare(stream, availability) >= STRADDLED_SHARE_MIN);
}

/** Returns the share of the expected cuts of a stream that lie inside the interval of an item. */
function straddledShare({ sequence, weighed: { cutRates } }: StreamAnswer, { after, until }: Availability): number {
  const intervals = [...sequence.item]
    .map((index) => ({ from: after[index] ?? 0, to: until[index] ?? 0 }))
    .filter(({ from, to }) => to - from >= WIDTH_MIN_MS)
    .sort((a, b) => a.from - b.from);
  let inside = 0;
  let reached = -Infinity;
  for (const { from, to } of intervals) {
    inside += cutRates.expected(Math.max(from, reached), to);
    reached = Math.max(reached, to);
  }
  const all = cutRates.expected(sequence.key[0] ?? 0, sequence.key[sequence.size - 1] ?? 0);
  return inside > 0 ? inside / Math.max(inside, all) : 0;
}

/**
 * Returns whether cuts may lie inside the intervals of items: many items have a given interval, or tracers leave cuts
 * only the times at which items become available.
 */
export function mayHaveStraddlingItems(file: PreparedFile, hypothesis: Hypothesis): boolean {
  if (!isSolvable(file, hypothesis)) return false;
  const { items } = file.request;
  const wide = items.filter(isGivenWide).length;
  if (wide > 0 && wide >= WIDE_SHARE_MIN * items.length) return true;
  const availability = widenedAvailability(file, hypothesis);
  const cards = Int32Array.from(items.keys()).filter((index) => items[index]?.channel === 'card');
  const { sequence } = orderStream({ stream: 'card', items, availability, members: cards, indexOf: file.indexOf });
  return (
    freeShare({ sequence, availability, bounds: tracerBounds(file.request, file.bounds), grid: file.grid }) <=
    FREE_SHARE_MAX
  );
}

/** A fee on the whole payout is not a sum over its items. */
function isSolvable({ request }: PreparedFile, { fees }: Hypothesis): boolean {
  return request.items.length <= ITEMS_MAX && fees.rules.every(({ basis }) => basis === 'item');
}

function isGivenWide({ availableAfter, availableUntil }: Item): boolean {
  if (availableAfter === undefined || availableUntil === undefined) return false;
  return availableUntil - availableAfter >= WIDTH_MIN_MS;
}
