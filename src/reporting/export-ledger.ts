import type { Database, Session } from '../db';
import { AppError, type BusinessCalendar, monotonicClock } from '../kernel';
import { postingsCsv } from './ledger-export-csv';
import { hledgerJournal } from './ledger-export-hledger';

/** A snapshot keeps the database from removing old row versions, so a slow reader may not hold it indefinitely. */
const EXPORT_DEADLINE_MS = 3_600_000;

const WRITERS = { hledger: hledgerJournal, csv: postingsCsv } as const satisfies Record<
  string,
  (session: Session, calendar: BusinessCalendar) => AsyncGenerator<string>
>;

export type ExportFormat = keyof typeof WRITERS;
export const EXPORT_FORMATS = ['hledger', 'csv'] as const satisfies readonly ExportFormat[];

/** Accepts a page of text; the next page is read after it resolves. False stops the export. */
export type ExportWriter = (text: string) => Promise<boolean>;

/**
 * Writes the whole ledger as of one instant, in pages, so that memory use is independent of its size. Returns false if
 * the writer stopped.
 *
 * @throws AppError `unavailable` if the connection is lost or the deadline passes; and every error of `write`. The text
 * that was written before is incomplete.
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
      // read() repeats after a lost connection, but written text cannot be withdrawn.
      if (begun) throw new AppError('unavailable', 'the database connection was lost during the export; run it again');
      for await (const text of WRITERS[format](session, calendar)) {
        if (monotonicClock.now() > deadlineAt) throw new AppError('unavailable', 'the export passed its time limit');
        begun = true;
        if (!(await write(text))) return false;
      }
      return true;
    },
    { snapshot: true, deadlineMs: EXPORT_DEADLINE_MS },
  );
}
