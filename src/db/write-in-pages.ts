import { AppError, pagesOf } from '../kernel';
import type { Database } from './database';
import type { Session } from './session';

/** Rows of a file in one transaction: few, because on SQLite it keeps a serving process from writing. */
export const ROWS_PER_TRANSACTION = 100;

export interface PagedWrite<Row, Written> {
  /** What the rows are, in the plural, for the message of an interrupted run. */
  readonly what: string;
  readonly dryRun: boolean;
  /** Writes a page and returns what it added. `isFirst`: earlier pages added nothing. It may run again. */
  write(session: Session, page: readonly Row[], isFirst: boolean): Promise<readonly Written[]>;
}

/**
 * Writes the rows of a file, a page in each transaction, and returns all that was added. Of two concurrent writers of one
 * key the second reads what the first has written, and runs again.
 *
 * @throws AppError `interrupted` when a page failed after others were stored; what `write` throws before that.
 */
export async function writeInPages<Row, Written>(
  database: Database,
  rows: readonly Row[],
  { what, dryRun, write }: PagedWrite<Row, Written>,
): Promise<Written[]> {
  const added: Written[] = [];
  for (const page of pagesOf(rows, ROWS_PER_TRANSACTION)) {
    const isFirst = added.length === 0;
    const work = (session: Session): Promise<readonly Written[]> => write(session, page, isFirst);
    try {
      added.push(...(await database.transact(work, { retryDuplicate: true, dryRun })));
    } catch (error) {
      throw isFirst ? error : interrupted(error, `${added.length} of ${rows.length} ${what}`);
    }
  }
  return added;
}

/** Earlier pages were stored, so the message names their number. */
function interrupted(error: unknown, stored: string): AppError {
  const reason = error instanceof AppError ? error.message : 'internal error';
  const details = error instanceof AppError ? error.details : [];
  return new AppError(
    'interrupted',
    `the import was interrupted after ${stored} were stored (${reason}); run it again to continue`,
    {
      cause: error,
      details,
    },
  );
}
