import { openBreakStore } from '../../breaks';
import type { Session } from '../../db';
import { addDays, type BusinessCalendar, type BusinessDate, type Instant, type WorkingDays } from '../../kernel';
import { type Carried, carriedBy, type DayProof, type OpenItems, proveChannels } from './day-proof';
import { openProofStore, type ProofStore } from './proof-store';

interface ProofDeps {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
}

/**
 * Proves one day from the ledger. The seal of the day before gives the opening balances; without one, they are the sum of
 * all earlier records.
 */
export async function proveDay(
  session: Session,
  date: BusinessDate,
  carried: ReadonlyMap<string, Carried> | undefined,
  { calendar, workingDays }: ProofDeps,
): Promise<DayProof> {
  const store = openProofStore(session);
  const start = calendar.startOf(date);
  const end = calendar.startOf(addDays(date, 1));
  const before = carried ?? carriedBy(await store.movements(0, start));
  const openBreaks = await openBreakStore(session).list({});
  const inBreaks = new Set(openBreaks.flatMap(({ subject }) => subject.itemIds));
  const openItems = await countOpenItems(store, end, inBreaks, calendar);
  const ageOf = (oldest: BusinessDate): number => workingDays.countBetween(oldest, date);
  return {
    date,
    channels: proveChannels(before, await store.movements(start, end), openItems, ageOf),
    lateTransactions: await store.lateTransactions(start, end),
  };
}

interface Counted {
  readonly channel: string;
  readonly label: OpenItems['label'];
  amount: bigint;
  items: number;
  oldest: Instant;
}

async function countOpenItems(
  store: ProofStore,
  end: Instant,
  inBreaks: ReadonlySet<string>,
  calendar: BusinessCalendar,
): Promise<OpenItems[]> {
  const counted = new Map<string, Counted>();
  const add = (channel: string, label: OpenItems['label'], amount: bigint, since: Instant): void => {
    const key = `${channel} ${label}`;
    const line = counted.get(key) ?? { channel, label, amount: 0n, items: 0, oldest: since };
    line.amount += amount;
    line.items += 1;
    line.oldest = Math.min(line.oldest, since);
    counted.set(key, line);
  };
  for await (const page of store.openItems(end)) {
    for (const { itemId, channel, amount, occurredAt } of page) {
      add(channel, inBreaks.has(itemId) ? 'in_breaks' : 'pending', amount, occurredAt);
    }
  }
  for (const { channel, amount, recordedAt } of await store.forcedRemainders(end)) {
    add(channel, 'forced', amount, recordedAt);
  }
  return [...counted]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { oldest, ...line }]) => ({ ...line, oldest: calendar.dateOf(oldest) }));
}
