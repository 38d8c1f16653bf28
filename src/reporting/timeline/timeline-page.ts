import { addDays, type BusinessCalendar, compareKeys, mergeByKey, type Page, pageOf } from '../../kernel';
import type { DueItem, ReadDue } from '../place-payments';
import type { PaymentTimeline, TimelineQuery } from './payment-timeline-read-model';
import { type TimelineEntry, type TimelineKey, timelineKeyOf } from './timeline-entry';

/**
 * Returns a page of a timeline with the day by which the bank should book money that no credit paid. That entry stands
 * at the end of the day, which may be in the future.
 */
export async function timelinePage(
  read: (query: TimelineQuery) => Promise<PaymentTimeline>,
  readDue: ReadDue,
  calendar: Pick<BusinessCalendar, 'startOf'>,
  query: TimelineQuery,
): Promise<Page<TimelineEntry, TimelineKey>> {
  const { rows, next, itemId } = await read(query);
  const due = itemId === undefined ? [] : await readDue([itemId]);
  const expected = due.flatMap((item) => expectedEntry(item, calendar)).filter((entry) => isBehind(entry, query.after));
  const merged = mergeByKey([rows, expected], timelineKeyOf, 'asc', query.limit + 1);
  const page = pageOf(merged, query.limit, timelineKeyOf);
  const last = page.rows.at(-1);
  return {
    rows: page.rows,
    next: page.next ?? (next === undefined || last === undefined ? undefined : timelineKeyOf(last)),
  };
}

function expectedEntry(
  { itemId, usuallyOn, dueOn, isLate }: DueItem,
  { startOf }: Pick<BusinessCalendar, 'startOf'>,
): TimelineEntry[] {
  if (dueOn === undefined) return [];
  const at = startOf(addDays(dueOn, 1));
  return [{ kind: 'expected_at_bank', at, from: itemId, id: itemId, usuallyOn, latestOn: dueOn, isLate }];
}

function isBehind(entry: TimelineEntry, after: TimelineKey | undefined): boolean {
  return after === undefined || compareKeys(timelineKeyOf(entry), after) > 0;
}
