import { MINUTE_MS } from '../kernel';
import { at } from './at';
import type { DayGrid } from './day-grid';
import type { CardRule } from './learn-card-rule';
import { batchOn } from './learn-moving-batch';
import type { Item } from './match-request';
import type { ObservationBounds } from './observation-bounds';

/** When each item became available: in `(after, until]`, and the instant by which the items are sorted. */
export interface Availability {
  readonly after: Float64Array;
  readonly until: Float64Array;
  readonly key: Float64Array;
}

/** An observation of PROCESSING this long after the rule's time shows that the card was late. */
const CARD_SLACK_MS = MINUTE_MS;

/**
 * Returns when each item became available. Given times are used unchanged. A refund counts from its own instant, and a
 * card from the rule, unless its own observations contradict the rule.
 */
export function itemAvailability(
  items: readonly Item[],
  bounds: ObservationBounds,
  rule: CardRule | undefined,
  grid: DayGrid,
): Availability {
  const after = new Float64Array(items.length);
  const until = new Float64Array(items.length);
  const key = new Float64Array(items.length);
  items.forEach((item, index) => {
    if (item.availableUntil !== undefined) {
      until[index] = item.availableUntil;
      after[index] = item.availableAfter ?? item.succeededAt - 1;
      key[index] = item.availableUntil;
    } else if (item.channel === 'card' && item.amount > 0 && rule !== undefined) {
      const [low, high, ordered] = cardInterval(item.succeededAt, rule, grid);
      const seenNotYet = at(bounds.lastProcessing, index);
      const seenThere = at(bounds.firstAvailable, index);
      // The item's own observations outrank the rule. A late card does not make others late.
      if (seenNotYet >= high + CARD_SLACK_MS || seenThere <= low - CARD_SLACK_MS) {
        const known = Number.isFinite(seenThere);
        until[index] = known ? seenThere : seenNotYet + 1;
        after[index] = Number.isFinite(seenNotYet) ? seenNotYet : Math.min(low, at(until, index) - 1);
        key[index] = at(until, index);
      } else {
        after[index] = Math.max(low, seenNotYet);
        until[index] = Math.max(Math.min(high, seenThere), at(after, index) + 1);
        key[index] = ordered;
      }
    } else {
      after[index] = item.succeededAt - 1;
      until[index] = item.succeededAt;
      key[index] = item.succeededAt;
    }
  });
  return { after, until, key };
}

function cardInterval(succeededAt: number, rule: CardRule, grid: DayGrid): [number, number, number] {
  const day = grid.dayOf(succeededAt);
  const batchDay = grid.nextWorking(day);
  const start = at(grid.startAt, batchDay);
  if (rule.kind === 'rolling') {
    const clock = start + succeededAt - at(grid.startAt, day);
    return [clock - 1 - rule.slackMs, clock + rule.slackMs, clock];
  }
  const { fromMs, offsetMs } = rule.kind === 'moving' ? batchOn(rule, batchDay) : rule;
  return [start + fromMs - 1, start + offsetMs, start + offsetMs];
}
