import { DAY_MS, HOUR_MS } from '../kernel';
import { at } from './at';
import type { DayGrid } from './day-grid';
import { type BatchTime, learnMovingBatch, type MovingBatch, type ObservedCard } from './learn-moving-batch';
import type { Item } from './match-request';
import type { ObservationBounds } from './observation-bounds';

/**
 * When a card payment becomes available, counted from the next working day:
 * - `batch`: all payments of a day together, the last one `offsetMs` after midnight;
 * - `moving`: all payments of a day together, each day at another hour;
 * - `rolling`: each at its own clock time.
 */
export type CardRule =
  | (BatchTime & { readonly kind: 'batch' })
  | (MovingBatch & { readonly kind: 'moving' })
  | { readonly kind: 'rolling'; readonly slackMs: number };

/** The allowed difference between the clocks of observations and of payments. */
const CLOCK_SLACK_MS = 180_000;
/** The cards of one batch become available within this time. */
const BATCH_WIDTH_MAX_MS = 3 * HOUR_MS;
/** If the observations leave a wider interval than this, several rules are tried. */
const SURE_WITHIN_MS = HOUR_MS;

/** The rules to try if no observation shows when cards become available. */
export const GUESSED_CARD_RULES: readonly CardRule[] = [
  batchAt(0, 0),
  batchAt(9 * HOUR_MS, 9 * HOUR_MS),
  { kind: 'rolling', slackMs: 0 },
];

interface Interval extends ObservedCard {
  readonly clock: number;
}

/** Returns the rules that the observations allow, the likeliest first; without observations, the default guesses. */
export function learnCardRules(items: readonly Item[], bounds: ObservationBounds, grid: DayGrid): readonly CardRule[] {
  // Without cards all rules are equal, and each further rule costs another search.
  if (!items.some(({ channel }) => channel === 'card')) return [batchAt(0, 0)];
  const intervals = observedIntervals(items, bounds, grid);
  if (intervals.length === 0) return GUESSED_CARD_RULES;
  const moving = learnMovingBatch(intervals);
  if (moving !== undefined) return [{ kind: 'moving', ...moving }];
  const rolling = intervals.filter(
    ({ low, high, clock }) => low - CLOCK_SLACK_MS < clock && clock <= high + CLOCK_SLACK_MS,
  ).length;
  const batch = mostCovered(intervals);
  const rules: CardRule[] = [];
  if (rolling > batch.count) rules.push({ kind: 'rolling', slackMs: CLOCK_SLACK_MS });
  const { from, to } = batchWidth(intervals, batch);
  if (batch.count >= rolling * 0.9) {
    if (batch.to - batch.from > SURE_WITHIN_MS) rules.push(...rulesWithin(batch, batchAt(from, to)));
    else rules.push(batchAt(from, to));
  }
  if (rolling <= batch.count && rolling >= batch.count * 0.9) rules.push({ kind: 'rolling', slackMs: CLOCK_SLACK_MS });
  return rules;
}

/**
 * Returns the rules that a wide stretch leaves open: both of its ends, and the guesses inside it. Where a guess is inside,
 * an end on another day is none of the rules.
 */
function rulesWithin({ from, to }: Covered, latest: CardRule): CardRule[] {
  const hourOf = (rule: CardRule): number => (rule.kind === 'batch' ? rule.offsetMs : NaN);
  const guesses = GUESSED_CARD_RULES.filter((rule) => from < hourOf(rule) && hourOf(rule) <= to);
  const ends = [latest, batchAt(from + 1, from + 1)];
  return [...ends.filter((end) => guesses.length === 0 || (hourOf(end) >= 0 && hourOf(end) <= DAY_MS)), ...guesses];
}

function batchAt(fromMs: number, offsetMs: number): CardRule {
  return { kind: 'batch', fromMs, offsetMs };
}

function observedIntervals(items: readonly Item[], bounds: ObservationBounds, grid: DayGrid): Interval[] {
  const intervals: Interval[] = [];
  items.forEach(({ channel, amount, succeededAt }, index) => {
    const low = at(bounds.lastProcessing, index);
    const high = at(bounds.firstAvailable, index);
    if (channel !== 'card' || amount <= 0 || low === -Infinity || high === Infinity) return;
    const day = grid.dayOf(succeededAt);
    const batchDay = grid.nextWorking(day);
    const start = at(grid.startAt, batchDay);
    const clock = succeededAt - at(grid.startAt, day);
    intervals.push({ day: batchDay, low: low - start, high: high - start, clock });
  });
  return intervals;
}

interface Covered {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Returns the stretch of the day that most intervals `(low, high]` contain. */
function mostCovered(intervals: readonly Interval[]): Covered {
  const edges = intervals.flatMap(({ low, high }) => [
    { at: low, step: 1 },
    { at: high, step: -1 },
  ]);
  // Intervals are open below: one that ends at the start of another does not overlap it.
  edges.sort((a, b) => a.at - b.at || a.step - b.step);
  let depth = 0;
  let best: Covered = { from: 0, to: DAY_MS, count: 0 };
  edges.forEach(({ at, step }, index) => {
    depth += step;
    if (step === 1 && depth > best.count) best = { from: at, to: edges[index + 1]?.at ?? at, count: depth };
  });
  return best;
}

/**
 * Returns the stretch from the first card seen available to the last one seen not yet available, if no single point
 * fits all.
 */
function batchWidth(intervals: readonly Interval[], { from, to }: Covered): { from: number; to: number } {
  let first = to;
  let last = from + 1;
  for (const { low, high } of intervals) {
    if (high <= from && high > from - BATCH_WIDTH_MAX_MS) first = Math.min(first, high);
    if (low >= to && low < to + BATCH_WIDTH_MAX_MS) last = Math.max(last, low + 1);
  }
  return { from: Math.min(first, to), to: last > from + 1 ? last : to };
}
