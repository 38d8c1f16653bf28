import { type Instant, WorkingDays } from '../../../src/kernel';
import type { Item, Observation } from '../../../src/payout-inference';
import type { World } from '../world';
import { cardRule, type TimeRange } from './card-rule';
import { quickCalendar } from './quick-calendar';

/** The times of one item according to the files, on the gateway's clock. */
export interface KnownTimes extends TimeRange {
  /** The item was seen unpaid until then, so its cut is later. */
  readonly cutAfter: Instant;
  /** The item was seen in a payout, so its cut is not later. */
  readonly cutUntil: Instant;
}

const OPEN = new Set(['PROCESSING', 'AVAILABLE']);
const LEAVING = new Set(['IN_PAYOUT', 'PAID']);

/**
 * Returns the times of every item as an ideal reader of the files knows them. Only observations of cards show when they
 * become available and leave. The truth is always inside: if the files mislead, this reader is corrected, so that the
 * ceiling is never too low.
 */
export function knownTimes({ files, truth }: World): ReadonlyMap<string, KnownTimes> {
  const calendar = quickCalendar();
  const available = new Map(truth.items.map(({ itemId, availableAt }) => [itemId, availableAt]));
  const byItem = observationsByItem(files.observations);
  const cards = files.items.flatMap((item) => {
    const availableAt = item.channel === 'card' && item.amount > 0 ? available.get(item.itemId) : undefined;
    return availableAt === undefined ? [] : [{ item, availableAt }];
  });
  const rule = cardRule(cards, calendar, new WorkingDays(files.holidays), truth.cardDriftMsPerDay);
  const skewMs = truth.clockSkewMaxMs;
  return new Map(
    files.items.map((item) => {
      const availableAt = available.get(item.itemId) ?? item.succeededAt;
      const isCard = item.channel === 'card' && item.amount > 0;
      const own = isCard ? (byItem.get(item.itemId) ?? []) : [];
      const range = widened(isCard ? rule(item) : instantOf(item), skewMs);
      const told = columnsOf(item) ?? (isCard ? observedRange(own, skewMs) : range);
      return [item.itemId, { ...narrowest(range, told, availableAt), ...leavingOf(own, skewMs) }];
    }),
  );
}

function observationsByItem(observations: readonly Observation[]): ReadonlyMap<string, readonly Observation[]> {
  const byItem = new Map<string, Observation[]>();
  for (const observation of observations) {
    const known = byItem.get(observation.itemId);
    if (known === undefined) byItem.set(observation.itemId, [observation]);
    else known.push(observation);
  }
  return byItem;
}

function instantOf({ succeededAt }: Item): TimeRange {
  return { earliest: succeededAt, latest: succeededAt };
}

function widened({ earliest, latest }: TimeRange, byMs: number): TimeRange {
  return { earliest: earliest - byMs, latest: latest + byMs };
}

function columnsOf({ availableAfter, availableUntil }: Item): TimeRange | undefined {
  if (availableAfter === undefined && availableUntil === undefined) return undefined;
  return { earliest: (availableAfter ?? -Infinity) + 1, latest: availableUntil ?? Infinity };
}

/** Returns the range from the last observation as PROCESSING to the first later status. */
function observedRange(observations: readonly Observation[], skewMs: number): TimeRange {
  const inWork = observations.filter(({ settlementStatus }) => settlementStatus === 'PROCESSING');
  const later = observations.filter(
    ({ settlementStatus }) => settlementStatus === 'AVAILABLE' || LEAVING.has(settlementStatus),
  );
  return widened({ earliest: latestOf(inWork), latest: earliestOf(later) }, skewMs);
}

/** Returns the intersection if it contains the truth; otherwise the range that does; otherwise the truth. */
function narrowest(a: TimeRange, b: TimeRange, truth: Instant): TimeRange {
  const both = { earliest: Math.max(a.earliest, b.earliest), latest: Math.min(a.latest, b.latest) };
  return (
    [both, b, a].find((range) => range.earliest <= truth && truth <= range.latest) ?? { earliest: truth, latest: truth }
  );
}

/** Uses only observations after the last one that saw the item unpaid, because a payout may be called off. */
function leavingOf(observations: readonly Observation[], skewMs: number): Pick<KnownTimes, 'cutAfter' | 'cutUntil'> {
  const lastOpen = latestOf(observations.filter(({ settlementStatus }) => OPEN.has(settlementStatus)));
  const leaving = observations.filter(
    ({ settlementStatus, observedAt }) => LEAVING.has(settlementStatus) && observedAt > lastOpen,
  );
  return { cutAfter: lastOpen - skewMs, cutUntil: earliestOf(leaving) + skewMs };
}

function latestOf(observations: readonly Observation[]): Instant {
  return observations.reduce((latest, { observedAt }) => Math.max(latest, observedAt), -Infinity);
}

function earliestOf(observations: readonly Observation[]): Instant {
  return observations.reduce((earliest, { observedAt }) => Math.min(earliest, observedAt), Infinity);
}
