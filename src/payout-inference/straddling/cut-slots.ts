import { HOUR_MS } from '../../kernel';
import type { DayGrid } from '../day-grid';
import type { Availability } from '../item-availability';
import { lowerBound } from '../lower-bound';
import type { ObservationBounds } from '../observation-bounds';
import type { StreamItems } from '../order-stream';
import { suffixLeast } from './suffix-least';

/**
 * A slot with more open items is too large for any search, and they are not listed: in a burst of thousands of items,
 * each slot would list them all.
 */
export const OPEN_LISTED_MAX = 256;
/** The least time between two cuts of one stream. */
export const CUTS_APART_MS = 2 * HOUR_MS;
/** No time inside an interval is impossible or certain, because the rule of the batch is an estimate. */
const CHANCE_MIN = 0.01;

/** An item whose interval contains the slot. */
export interface StraddlingItem {
  readonly position: number;
  /** The log probabilities that it was available at the cut, and that it was not. */
  readonly logIn: number;
  readonly logOut: number;
}

/** An interval of time in which a cut takes the same items at any instant: `[from, to)`. */
export interface CutSlot {
  readonly from: number;
  readonly to: number;
  /** Items before this position were surely available. */
  readonly sure: number;
  /** The positions of straddling items that the cut took, according to tracers. The other ones are open. */
  readonly taken: readonly number[];
  readonly open: readonly StraddlingItem[];
  /** True if there are too many open items to list; then none is listed. */
  readonly isCrowded: boolean;
  /** The log likelihood of what tracers show of the straddling items, for a cut here rather than elsewhere nearby. */
  readonly logTraced: number;
}

export interface SlotRequest {
  /** Sorted by the ends of the intervals. */
  readonly sequence: StreamItems;
  readonly availability: Availability;
  readonly bounds: ObservationBounds;
  readonly grid: DayGrid;
}

/**
 * Returns, in order, the slots in which no item was seen waiting both before and after, and none that came later was
 * seen taken before another cut was possible.
 */
export function cutSlots(request: SlotRequest): CutSlot[] {
  const { sequence, availability } = request;
  const ends = endsOf(request);
  const waiting = waitingAt(request, ends);
  const takenOfLater = firstTakenOfLater(request);
  const free = ends.slice(0, -1).flatMap((from, index) => {
    const to = ends[index + 1] ?? from;
    return (waiting[index] ?? 0) === 0 && takenOfLater(from) >= to + CUTS_APART_MS ? [{ from, to }] : [];
  });
  let widest = 0;
  for (const index of sequence.item) {
    widest = Math.max(widest, (availability.until[index] ?? 0) - (availability.after[index] ?? 0));
  }
  let sure = 0;
  let later = 0;
  const slots = free.map(({ from, to }, place) => {
    while (sure < sequence.size && (sequence.key[sure] ?? 0) <= from) sure += 1;
    const instant = to + CUTS_APART_MS;
    later = Math.max(later, place + 1);
    while (later < free.length && (free[later]?.to ?? 0) <= instant) later += 1;
    const next = Math.max(free[later]?.from ?? Infinity, instant);
    return slotAt({ from, to, sure, next, widest }, request);
  });
  return stretchesOf(slots).flatMap(againstOthers);
}

/** Returns the stretches of slots that follow each other without a pause in which two cuts would fit. */
export function stretchesOf(slots: readonly CutSlot[]): CutSlot[][] {
  const stretches: CutSlot[][] = [];
  for (const slot of slots) {
    const stretch = stretches.at(-1);
    const last = stretch?.at(-1);
    if (stretch !== undefined && last !== undefined && slot.from < last.to + CUTS_APART_MS) stretch.push(slot);
    else stretches.push([slot]);
  }
  return stretches;
}

/**
 * Reduces the tracers' likelihood to a comparison between slots, because an unexplained cut would face the same
 * tracers.
 */
function againstOthers(stretch: readonly CutSlot[]): CutSlot[] {
  const traced = stretch.filter(({ logTraced }) => logTraced !== 0);
  // On a day of thousands of tracers every likelihood is below the least number, and only their ratios can be used.
  const most = traced.reduce((a, { logTraced }) => Math.max(a, logTraced), -Infinity);
  let timeMs = 0;
  let likely = 0;
  for (const { from, to, logTraced } of traced) {
    timeMs += to - from;
    likely += (to - from) * Math.exp(logTraced - most);
  }
  const logUsual = most + Math.log(likely / timeMs);
  return stretch.map((slot) => (slot.logTraced === 0 ? slot : { ...slot, logTraced: slot.logTraced - logUsual }));
}

/** Returns the share of the file's time in which no item was seen waiting both before and after. */
export function freeShare(request: SlotRequest): number {
  const ends = endsOf(request);
  const waiting = waitingAt(request, ends);
  const first = ends[0] ?? 0;
  const last = ends.at(-1) ?? 0;
  let free = 0;
  ends.slice(0, -1).forEach((from, index) => {
    if ((waiting[index] ?? 0) === 0) free += (ends[index + 1] ?? from) - from;
  });
  return last > first ? free / (last - first) : 1;
}

interface SlotPlace {
  readonly from: number;
  readonly to: number;
  readonly sure: number;
  /** The next cut is at this instant or later. */
  readonly next: number;
  readonly widest: number;
}

function slotAt(place: SlotPlace, { sequence, availability, bounds }: SlotRequest): CutSlot {
  const { from, to, sure, next, widest } = place;
  const taken: number[] = [];
  const open: StraddlingItem[] = [];
  let isCrowded = false;
  let logTraced = 0;
  for (let position = sure; position < sequence.size && (sequence.key[position] ?? 0) <= from + widest; position += 1) {
    const index = sequence.item[position] ?? 0;
    const after = availability.after[index] ?? 0;
    if (after >= from) continue;
    const until = availability.until[index] ?? 0;
    const isSeenOpen = (bounds.lastAvailable[index] ?? 0) >= to - 1;
    const isSeenTaken = (bounds.firstTaken[index] ?? 0) < next;
    if (isCrowded && !isSeenOpen && !isSeenTaken) continue;
    const inside = Math.min(1 - CHANCE_MIN, Math.max(CHANCE_MIN, ((from + to) / 2 - after) / (until - after)));
    if (isSeenOpen) logTraced += Math.log(1 - inside);
    else if (isSeenTaken) {
      taken.push(position);
      logTraced += Math.log(inside);
    } else {
      open.push({ position, logIn: Math.log(inside), logOut: Math.log(1 - inside) });
      isCrowded = open.length > OPEN_LISTED_MAX;
    }
  }
  return { from, to, sure, taken, open: isCrowded ? [] : open, isCrowded, logTraced };
}

/** Returns all instants at which the set changes: a cut there takes an item that a cut just before does not. */
function endsOf({ sequence, availability, bounds, grid }: SlotRequest): number[] {
  const ends = new Set<number>();
  let least = Infinity;
  let most = -Infinity;
  for (const index of sequence.item) {
    const after = availability.after[index] ?? 0;
    const until = availability.until[index] ?? 0;
    ends.add(after + 1).add(until);
    least = Math.min(least, until);
    most = Math.max(most, until);
    for (const seen of [bounds.lastAvailable[index], bounds.firstTaken[index]]) {
      if (seen !== undefined && Number.isFinite(seen)) ends.add(seen + 1);
    }
  }
  for (let day = grid.dayOf(least) + 1; day <= grid.dayOf(most); day += 1) ends.add(grid.startAt[day] ?? 0);
  return [...ends].sort((a, b) => a - b);
}

/** Returns a function that gives when the first item was seen taken that was not available at an instant. */
function firstTakenOfLater({ sequence, availability, bounds }: SlotRequest): (instant: number) => number {
  const byStart = sequence.item.slice().sort((a, b) => (availability.after[a] ?? 0) - (availability.after[b] ?? 0));
  const starts = Float64Array.from(byStart, (index) => availability.after[index] ?? 0);
  const least = suffixLeast(byStart.length, (place) => bounds.firstTaken[byStart[place] ?? 0] ?? Infinity);
  return (instant) => least[lowerBound(starts, instant, 0, starts.length)] ?? Infinity;
}

/** Returns, for each stretch between two ends, the number of items that were available and seen waiting afterwards. */
function waitingAt({ sequence, availability, bounds }: SlotRequest, ends: readonly number[]): Int32Array {
  const placeOf = new Map(ends.map((end, place) => [end, place]));
  const waiting = new Int32Array(ends.length + 1);
  for (const index of sequence.item) {
    const from = placeOf.get(availability.until[index] ?? 0);
    const to = placeOf.get((bounds.lastAvailable[index] ?? 0) + 1);
    if (from === undefined || to === undefined || to <= from) continue;
    waiting[from] = (waiting[from] ?? 0) + 1;
    waiting[to] = (waiting[to] ?? 0) - 1;
  }
  for (let place = 1; place < waiting.length; place += 1) {
    waiting[place] = (waiting[place] ?? 0) + (waiting[place - 1] ?? 0);
  }
  return waiting;
}
