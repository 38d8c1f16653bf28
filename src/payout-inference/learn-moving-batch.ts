import { addToGroup, DAY_MS } from '../kernel';
import { at, elementAt } from './at';
import { upperBound } from './lower-bound';

/** A time of day in which all cards of a batch become available, in milliseconds after midnight. */
export interface BatchTime {
  readonly fromMs: number;
  readonly offsetMs: number;
}

/** The batches of consecutive days. The first and the last one also hold outside of them. */
export interface MovingBatch {
  readonly firstDay: number;
  readonly times: readonly BatchTime[];
}

/** A card was seen not yet available at `low` and available at `high`, counted from the start of its batch's day. */
export interface ObservedCard {
  readonly day: number;
  readonly low: number;
  readonly high: number;
}

/** Fewer contradictions are no evidence. */
const CONTRADICTIONS_MIN = 20;
/**
 * The cards of one day contradict each other by at most this part of what cards of other days do. The part grows with the
 * square of a batch's length, so the hours differ by at least six times that length.
 */
const SAME_DAY_MAX = 0.03;
/** Single days may be disturbed, so the extremes of a few days show nothing. */
const DISTURBED_MAX = 2;
/** An hour that fits so many days is the hour of all days, and the others were disturbed. */
const FIXED_SHARE = 0.9;
/** The batch may move that many times faster than most days show. */
const SPEED_TIMES = 2;
const MOST_DAYS = 0.75;

/** The time in which the cards of one day show its batch. */
interface DayBounds {
  readonly day: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the batch of each day if its hour moves: cards of different days contradict each other, and cards of one day
 * do not. A day's batch lies inside what its own cards show, and inside what the days around it show, wider by as much
 * as the batch moves in the time between.
 */
export function learnMovingBatch(cards: readonly ObservedCard[]): MovingBatch | undefined {
  const onTheirDay = cards.filter(({ low, high }) => low < DAY_MS && high > 0);
  if (!isMoving(onTheirDay)) return undefined;
  const days = boundsByDay(onTheirDay);
  if (mostAgreeing(days) >= FIXED_SHARE * days.length) return undefined;
  const speed = SPEED_TIMES * speedOf(days);
  const firstDay = elementAt(days, 0).day;
  const count = elementAt(days, days.length - 1).day - firstDay + 1;
  const times = Array.from({ length: count }, (_, place) => timeOn(firstDay + place, days, speed));
  return { firstDay, times };
}

/** Returns the batch of a day. */
export function batchOn({ firstDay, times }: MovingBatch, day: number): BatchTime {
  return elementAt(times, Math.max(0, Math.min(times.length - 1, day - firstDay)));
}

/** Returns whether the hour differs between days, and far less between the cards of a day. */
function isMoving(cards: readonly ObservedCard[]): boolean {
  const all = contradictions(cards);
  let samePairs = 0;
  let same = 0;
  for (const ofDay of byDay(cards).values()) {
    samePairs += ofDay.length * ofDay.length;
    same += contradictions(ofDay).totalMs;
  }
  const otherPairs = cards.length * cards.length - samePairs;
  if (all.pairs < CONTRADICTIONS_MIN || otherPairs === 0) return false;
  const expected = (samePairs * (all.totalMs - same)) / otherPairs;
  return same <= SAME_DAY_MAX * expected;
}

/** Returns the pairs of which one card was not yet available when the other one already was, and for how long. */
function contradictions(cards: readonly ObservedCard[]): { readonly pairs: number; readonly totalMs: number } {
  const highs = Float64Array.from(cards, ({ high }) => high).sort();
  const sums = new Float64Array(highs.length + 1);
  highs.forEach((high, place) => (sums[place + 1] = at(sums, place) + high));
  let pairs = 0;
  let totalMs = 0;
  for (const { low } of cards) {
    const before = upperBound(highs, low, 0, highs.length);
    pairs += before;
    totalMs += before * low - at(sums, before);
  }
  return { pairs, totalMs };
}

function byDay(cards: readonly ObservedCard[]): Map<number, ObservedCard[]> {
  const groups = new Map<number, ObservedCard[]>();
  for (const card of cards) addToGroup(groups, card.day, card);
  return groups;
}

/**
 * Returns the time in which each day's batch lies, in the order of the days: from before its first card was seen
 * available until after its last one was seen not yet available, as long as a batch takes.
 */
function boundsByDay(cards: readonly ObservedCard[]): DayBounds[] {
  const seen = [...byDay(cards)].map(([day, ofDay]) => ({
    day,
    last: ofDay.reduce((most, { low }) => Math.max(most, low), -Infinity),
    first: ofDay.reduce((least, { high }) => Math.min(least, high), Infinity),
  }));
  const widthMs = withoutDisturbed(seen.map(({ last, first }) => Math.max(0, last - first)));
  return seen
    .map(({ day, last, first }) => ({
      day,
      low: Math.min(first, last - widthMs),
      high: Math.max(last, first + widthMs),
    }))
    .sort((a, b) => a.day - b.day);
}

/** Returns how many days one hour fits. */
function mostAgreeing(days: readonly DayBounds[]): number {
  return days.reduce((most, { low: hour }) => {
    return Math.max(most, days.filter(({ low, high }) => low <= hour && hour < high).length);
  }, 0);
}

/** Returns how far a batch moves in a day, as most days show it against the others. */
function speedOf(days: readonly DayBounds[]): number {
  const speeds = days.map((day) => {
    const others = days.filter((other) => other !== day);
    return withoutDisturbed(
      others.map((other) => Math.max(0, other.low - day.high, day.low - other.high) / Math.abs(other.day - day.day)),
    );
  });
  const sorted = Float64Array.from(speeds).sort();
  return at(sorted, Math.floor((sorted.length - 1) * MOST_DAYS));
}

/** Returns the largest number apart from those that disturbed days may have caused. */
function withoutDisturbed(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => b - a)[DISTURBED_MAX] ?? 0;
}

/** Returns the time in which a day's batch lies. What its own cards show outranks the days around it. */
function timeOn(day: number, days: readonly DayBounds[], speed: number): BatchTime {
  let from = 0;
  let to = DAY_MS;
  for (const near of days) {
    const margin = speed * Math.abs(near.day - day);
    from = Math.max(from, near.low - margin);
    to = Math.min(to, near.high + margin);
  }
  const own = days.find((near) => near.day === day);
  if (from >= to && own !== undefined) return { fromMs: own.low, offsetMs: own.high };
  return { fromMs: Math.floor(Math.min(from, to)), offsetMs: Math.ceil(Math.max(from, to)) };
}
