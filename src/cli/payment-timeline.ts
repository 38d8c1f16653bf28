import type { Millime } from '../compose';
import { type BusinessCalendar } from '../kernel';
import { type TimelineEntry, type TimelineKey, timelinePage } from '../reporting';
import { timelineEntryJson } from '../shapes/payment-timeline';
import type { CliIo } from './command';
import { factText } from './fact-text';
import { t, word } from './language';
import { printTable } from './print-table';
import { walkPages } from './walk-pages';

/** More entries than a person reads. The API pages through all of them. */
const ENTRIES_MAX = 1_000;

/** Prints what happened to a payment of any channel, the oldest entry first. */
export async function printTimeline(
  { reporting, reconciliation, calendar }: Pick<Millime, 'reporting' | 'reconciliation' | 'calendar'>,
  io: CliIo,
  { id, json }: { readonly id: string; readonly json: boolean },
): Promise<void> {
  const { rows, hasMore } = await walkPages<TimelineEntry, TimelineKey>(
    (after, limit) =>
      timelinePage(
        (query) => reporting.paymentTimeline(id, query),
        (itemIds) => reconciliation.dueItems(itemIds),
        calendar,
        { after, limit },
      ),
    ENTRIES_MAX,
  );
  if (json) return io.json({ timeline: rows.map(timelineEntryJson), hasMore });
  const lines = rows.map((entry) => [
    calendar.formatLocal(entry.at),
    word('timeline', entry.kind),
    factsText(entry, calendar),
  ]);
  const count = t('cli:count.entry', { count: rows.length });
  printTable(
    io,
    ['time', 'event', 'facts'],
    lines,
    hasMore ? t('cli:payments.firstEntries', { entries: count }) : count,
  );
}

function factsText(entry: TimelineEntry, calendar: Pick<BusinessCalendar, 'formatLocal'>): string {
  const facts = Object.entries(timelineEntryJson(entry).facts).filter(([, value]) => value !== null);
  return facts.map(([name, value]) => factText(name, value, calendar)).join(', ');
}
