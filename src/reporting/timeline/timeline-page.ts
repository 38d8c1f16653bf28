import { addDays, type BusinessCalendar, type BusinessDate, type Page, pageOf } from '../../kernel';
import type { DueItem } from '../place-payments';
import type { PaymentTimeline, TimelineQuery } from './payment-timeline-read-model';
import { compareTimelineKeys, type TimelineEntry, type TimelineKey, timelineKeyOf } from './timeline-entry';

/** An item that no credit paid, and the days on which the bank should book it. */
interface ExpectedItem extends DueItem {
  readonly usuallyOn: BusinessDate | undefined;
}

/**
 * Returns a page of a timeline with the day by which the bank should book money that no credit paid. That entry stands
 * at the end of the day, which may be in the future. `readDue` returns the items that no credit paid.
 */
export async function timelinePage(
  read: (query: TimelineQuery) => Promise<PaymentTimeline>,
  readDue: (itemIds: readonly string[]) => Promise<readonly ExpectedItem[]>,
  calendar: Pick<BusinessCalendar, 'startOf'>,
  query: TimelineQuery,
): Promise<Page<TimelineEntry, TimelineKey>> {
  const { rows, next, itemId } = await read(query);
  const due = itemId === undefined ? [] : await readDue([itemId]);
  const expected = due.flatMap((item) => expectedEntry(item, calendar)).filter((entry) => isBehind(entry, query.after));
  const merged = [...rows, ...expected].sort((a, b) => compareTimelineKeys(timelineKeyOf(a), timelineKeyOf(b)));
  const page = pageOf(merged, query.limit, timelineKeyOf);
  const last = page.rows.at(-1);
  return {
    rows: page.rows,
    next: page.next ?? (next === undefined || last === undefined ? undefined : timelineKeyOf(last)),
  };
}

function expectedEntry(
  { itemId, usuallyOn, dueOn, isLate }: ExpectedItem,
  { startOf }: Pick<BusinessCalendar, 'startOf'>,
): TimelineEntry[] {
  if (dueOn === undefined) return [];
  const at = startOf(addDays(dueOn, 1));
  return [{ kind: 'expected_at_bank', at, from: itemId, id: itemId, usuallyOn, latestOn: dueOn, isLate }];
}

function isBehind(entry: TimelineEntry, after: TimelineKey | undefined): boolean {
  return after === undefined || compareTimelineKeys(timelineKeyOf(entry), after) > 0;
}
