import type { Database, Session } from '../db';
import { AppError, monotonicClock, type BusinessCalendar } from '../kernel';
import { postingsCsv } from './ledger-export-csv';
import { hledgerJournal } from './ledger-export-hledger';

/** A snapshot keeps the database from tidying up behind it, so a reader who trickles does not hold it for ever. */
const EXPORT_DEADLINE_MS = 3_600_000;

const WRITERS = { hledger: hledgerJournal, csv: postingsCsv } as const satisfies Record<
  string,
  (session: Session, calendar: BusinessCalendar) => AsyncGenerator<string>
>;

export type ExportFormat = keyof typeof WRITERS;
export const EXPORT_FORMATS: readonly ExportFormat[] = ['hledger', 'csv'];

/** Takes a page of text; the next one is read when it has resolved. False: nobody wants more. */
export type ExportWriter = (text: string) => Promise<boolean>;

/**
 * Hands the whole books on, of one instant and a page at a time, so that memory does not grow with them. Gives false
 * when the writer wanted no more.
 *
 * @throws AppError `unavailable` when the database is lost in the middle or the deadline passes; and what `write`
 * throws. What was written by then is not whole.
 */
export async function exportLedger(
  { database, calendar }: { readonly database: Database; readonly calendar: BusinessCalendar },
  format: ExportFormat,
  write: ExportWriter,
): Promise<boolean> {
  const deadlineAt = monotonicClock.now() + EXPORT_DEADLINE_MS;
  let begun = false;
  return database.read(
    async (session) => {
      // read() runs again after a lost connection, but what is written cannot be taken back.
      if (begun) throw new AppError('unavailable', 'the database was lost in the middle of the export');
      for await (const text of WRITERS[format](session, calendar)) {
        if (monotonicClock.now() > deadlineAt) throw new AppError('unavailable', 'the export took too long');
        begun = true;
        if (!(await write(text))) return false;
      }
      return true;
    },
    { snapshot: true, deadlineMs: EXPORT_DEADLINE_MS },
  );
}
