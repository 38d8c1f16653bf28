import type { Availability } from '../item-availability';
import type { Item } from '../match-request';
import type { Hypothesis, ModelAnswer } from '../model-answer';
import { orderStream } from '../order-stream';
import type { PreparedFile } from '../prepare-file';
import { freeShare } from './cut-slots';
import { tracerBounds } from './tracer-bounds';
import { widenedAvailability } from './widened-availability';

/** Larger files are left to the search by runs alone. */
const ITEMS_MAX = 40_000;
/** A link that is less likely says nothing about where the cuts are. */
const SURE = 0.5;
/** An item whose time is known this well lies on one side of any cut. */
const WIDTH_MIN_MS = 2_000;
/** Where tracers leave no more of the time than this, they say at what time of the day the cuts are. */
const FREE_SHARE_MAX = 0.5;
/** Around most cuts lies this share of items whose time is not known exactly. */
const WIDE_SHARE_MIN = 0.1;

/** Whether the interval of some item may hold the cut of a link, so that items could stand on either side of it. */
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
 * Whether cuts may well lie inside the intervals of items: many items are given with one, or tracers leave so little room
 * for the cuts that those lie where the items become available.
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

/** A fee on the whole payout is no sum over its items. */
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
