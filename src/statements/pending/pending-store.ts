import { type Decoded, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../../db';
import { addDays, addToGroup, type Instant, pagesOf } from '../../kernel';
import type { StatementLine } from '../statement-records';
import { LINE, PENDING, PENDING_KEYS } from '../statement-rows';
import { bookingKeys, type NewPending } from './pending-keys';

/** The number of days before and after its announced day in which a movement may be booked. */
const BOOKED_DAYS = 14;

/** Links announced entries to the lines with which they were booked, one to one. */
export interface PendingStore {
  /** Returns whether an announced entry of the account still waits. */
  hasOpen(account: string, currency: string): Promise<boolean>;
  /** Links newly loaded lines to the entries that announced them. */
  replaceWith(lines: readonly StatementLine[], at: Instant): Promise<void>;
  /** Links newly loaded entries to lines that were booked before. */
  replaceBooked(entries: readonly NewPending[], at: Instant): Promise<void>;
}

export function openPending(session: Session): PendingStore {
  async function insert(pairs: ReadonlyMap<string, string>, at: Instant): Promise<void> {
    const rows = [...pairs].map(([pendingId, lineId]) => ({ pending_id: pendingId, line_id: lineId, replaced_at: at }));
    await session.insert([{ table: 'pending_replacements', rows }]);
  }
  return {
    async hasOpen(account, currency) {
      const [row] = await rowsOf(openEntries(session).where({ 'p.account': account, 'p.currency': currency }).limit(1));
      return row !== undefined;
    },
    async replaceWith(lines, at) {
      const pairs = new Map<string, string>();
      const keysOf = new Map(lines.map((line) => [line, bookingKeys(line)]));
      const waiting = await openByKey(session, [...new Set([...keysOf.values()].flat())]);
      for (const [line, keys] of keysOf) {
        // One entry of each report, because reports of a day repeat earlier ones.
        const reports = new Set<string>();
        for (const { id, statementId } of keys.flatMap((key) => waiting.get(key) ?? [])) {
          if (pairs.has(id) || reports.has(statementId)) continue;
          reports.add(statementId);
          pairs.set(id, line.id);
        }
      }
      await insert(pairs, at);
    },
    async replaceBooked(entries, at) {
      const pairs = new Map<string, string>();
      const usedLines = new Set<string>();
      const booked = await bookedOfEach(session, entries);
      const linesByKey = new Map<string, string[]>();
      for (const line of booked) {
        for (const key of bookingKeys(line)) addToGroup(linesByKey, key, line.id);
      }
      for (const { entry, keys } of entries) {
        const found = [keys.referenceKey, keys.contentKey]
          .flatMap((key) => (key === undefined ? [] : (linesByKey.get(key) ?? [])))
          .find((lineId) => !usedLines.has(lineId));
        if (found === undefined) continue;
        usedLines.add(found);
        pairs.set(entry.id, found);
      }
      await insert(pairs, at);
    },
  };
}

const OPEN = rowCodec({
  id: PENDING.fields.id,
  statementId: PENDING.fields.statementId,
  ...PENDING_KEYS.fields,
});

function openEntries(session: Session): ReturnType<Session> {
  return session('pending_entries as p')
    .leftJoin('pending_replacements as b', 'b.pending_id', 'p.id')
    .select(OPEN.columns('p'))
    .whereNull('b.pending_id');
}

interface OpenEntry {
  readonly id: string;
  readonly statementId: string;
}

/** Returns the open entries by key, oldest first. */
async function openByKey(session: Session, keys: readonly string[]): Promise<Map<string, OpenEntry[]>> {
  const found = new Map<string, OpenEntry[]>();
  for (const page of pagesOf(keys, ROWS_PER_STATEMENT)) {
    const query = openEntries(session)
      .where((either) => void either.whereIn('p.reference_key', page).orWhereIn('p.content_key', page))
      .orderBy('p.id');
    for (const { id, statementId, referenceKey, contentKey } of await OPEN.all(query)) {
      for (const key of [referenceKey, contentKey]) {
        if (key !== undefined) addToGroup(found, key, { id, statementId });
      }
    }
  }
  return found;
}

const BOOKED = rowCodec({
  id: LINE.fields.id,
  account: LINE.fields.account,
  currency: LINE.fields.currency,
  amountMinor: LINE.fields.amountMinor,
  counterparty: LINE.fields.counterparty,
  remittance: LINE.fields.remittance,
  bankReference: LINE.fields.bankReference,
  endToEndId: LINE.fields.endToEndId,
});
type BookedLine = Decoded<typeof BOOKED>;

/** A batch may contain entries of several reports. */
async function bookedOfEach(session: Session, entries: readonly NewPending[]): Promise<BookedLine[]> {
  const reports = new Map<string, NewPending[]>();
  for (const each of entries) addToGroup(reports, each.entry.statementId, each);
  const lines: BookedLine[] = [];
  for (const ofReport of reports.values()) lines.push(...(await bookedAround(session, ofReport)));
  return lines;
}

/** Returns the booked lines for the entries of one report. */
async function bookedAround(session: Session, entries: readonly NewPending[]): Promise<BookedLine[]> {
  const [first] = entries;
  if (first === undefined) return [];
  const { account, currency, statementId } = first.entry;
  const days = entries.map(({ entry }) => entry.bookingDate).sort();
  const [from = first.entry.bookingDate] = days;
  const through = days.at(-1) ?? from;
  const amounts = [...new Set(entries.map(({ entry }) => entry.amountMinor))];
  const lines: BookedLine[] = [];
  for (const page of pagesOf(amounts, ROWS_PER_STATEMENT)) {
    const query = session('bank_statement_lines as l')
      .select(BOOKED.columns('l'))
      // Excludes a line that an earlier batch of this report already took. Other reports announced it as well.
      .whereNotExists((taken) => {
        void taken
          .from('pending_replacements as b')
          .join('pending_entries as e', 'e.id', 'b.pending_id')
          .whereRaw('b.line_id = l.id')
          .where('e.statement_id', statementId);
      })
      .where({ 'l.account': account, 'l.currency': currency })
      .whereBetween('l.booking_date', [addDays(from, -BOOKED_DAYS), addDays(through, BOOKED_DAYS)])
      .whereIn('l.amount_minor', page)
      .orderBy('l.id');
    lines.push(...(await BOOKED.all(query)));
  }
  return lines;
}
