import type { Availability } from '../item-availability';
import type { Item } from '../match-request';
import type { Hypothesis, ModelAnswer } from '../model-answer';
import { orderStream } from '../order-stream';
import type { PreparedFile } from '../prepare-file';
import { freeShare } from './cut-slots';
import { tracerBounds } from './tracer-bounds';
import { widenedAvailability } from './widened-availability';

/** Larger files are searched by runs only. */
const ITEMS_MAX = 40_000;
/** A less likely link does not show where the cuts are. */
const SURE = 0.5;
/** An item with a narrower interval lies on one side of any cut. */
const WIDTH_MIN_MS = 2_000;
/** If tracers leave at most this share of the time, they show at what time of day the cuts are. */
const FREE_SHARE_MAX = 0.5;
/** Around most cuts, at least this share of the items has no exact time. */
const WIDE_SHARE_MIN = 0.1;

/**
 * Returns whether the interval of an item may contain the cut of a link, so that items could be on either side of it.
 */
export function hasStraddlingItems(file: PreparedFile, answer: ModelAnswer): boolean {
  if (!isSolvable(file, answer.hypothesis)) return false;
  const availability = widenedAvailability(file, answer.hypothesis);
  return answer.streams.some(({ sequence, weighed }) => {
    const wide = [...sequence.item].filter((index) => widthOf(availability, index) >= WIDTH_MIN_MS);
    if (wide.length === 0) return false;
    const cuts = weighed.links.filter(({ share }) => share >= SURE).sort((a, b) => a.cutFrom - b.cutFrom);
    return wide.some((index) => {
      const after = availability.after[index] ?? 0;
      const until = availability.until[index] ?? 0;
      return cuts.some(({ cutFrom, cutTo }) => after < cutTo - 1 && cutFrom < until);
    });
  });
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

function widthOf({ after, until }: Availability, index: number): number {
  return (until[index] ?? 0) - (after[index] ?? 0);
}
