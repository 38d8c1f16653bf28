import { addDays, DAY_MS, type Instant, MINUTE_MS, type WorkingDays } from '../../../src/kernel';
import type { Item } from '../../../src/payout-inference';
import type { quickCalendar } from './quick-calendar';

/** The rule is rolling if nearly every card payment was available within this time of its own clock time. */
const ROLLING_TOLERANCE_MS = 10 * MINUTE_MS;
const ROLLING_SHARE_MIN = 0.95;
/** The share of cards that were hours late and so do not follow the rule. */
const OUTLIER_SHARE = 0.005;

export interface TimeRange {
  /** Both included. */
  readonly earliest: Instant;
  readonly latest: Instant;
}

interface Arrival {
  /** From the beginning of the next working day. */
  readonly batchMs: number;
  /** From the same clock time of the next working day. */
  readonly rollingMs: number;
}

/**
 * Returns when card payments become available by the rule of this world, with its true width and drift, which an ideal
 * reader knows: one batch on the next working day, or the same clock time on it.
 */
export function cardRule(
  cards: readonly { readonly item: Item; readonly availableAt: Instant }[],
  calendar: ReturnType<typeof quickCalendar>,
  workingDays: WorkingDays,
  driftMsPerDay: number,
): (item: Item) => TimeRange {
  const nextDay = (item: Item): Instant => {
    const startAt = calendar.startOf(workingDays.onOrAfter(addDays(calendar.dateOf(item.succeededAt), 1)));
    return startAt + Math.round(startAt / DAY_MS) * driftMsPerDay;
  };
  const clockTimeMs = (item: Item): number => item.succeededAt - calendar.startOf(calendar.dateOf(item.succeededAt));
  const arrivals = cards.map(({ item, availableAt }): Arrival => {
    const batchMs = availableAt - nextDay(item);
    return { batchMs, rollingMs: batchMs - clockTimeMs(item) };
  });
  const near = arrivals.filter(({ rollingMs }) => Math.abs(rollingMs) <= ROLLING_TOLERANCE_MS);
  if (near.length >= ROLLING_SHARE_MIN * arrivals.length) {
    const [least, most] = usualRange(near.map(({ rollingMs }) => rollingMs));
    return (item) => ({
      earliest: nextDay(item) + clockTimeMs(item) + least,
      latest: nextDay(item) + clockTimeMs(item) + most,
    });
  }
  const [least, most] = usualRange(arrivals.map(({ batchMs }) => batchMs));
  return (item) => ({ earliest: nextDay(item) + least, latest: nextDay(item) + most });
}

function usualRange(values: readonly number[]): [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const skipped = Math.floor(sorted.length * OUTLIER_SHARE);
  return [sorted[skipped] ?? 0, sorted[sorted.length - 1 - skipped] ?? 0];
}
