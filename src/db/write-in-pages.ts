import { AppError, pagesOf } from '../kernel';
import type { Database } from './database';
import type { Session } from './session';

/**
 * The number of a file's rows in one transaction. It is small, because on SQLite an import keeps a serving process from
 * writing.
 */
export const ROWS_PER_TRANSACTION = 100;

export interface PagedWrite<Row, Written> {
  /** The plural name of the rows, for the message of an interrupted run. */
  readonly what: string;
  readonly dryRun: boolean;
  /** Writes a page and returns the added rows. `isFirst`: earlier pages added nothing. It may run again. */
  write(session: Session, page: readonly Row[], isFirst: boolean): Promise<readonly Written[]>;
}

/**
 * Writes the rows of a file, one page per transaction, and returns all added rows. Of two concurrent writers of one
 * key, the second runs again and reads what the first has written.
 *
 * @throws AppError `interrupted` when a page failed after others were stored; before that, any error of `write`.
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

/** Returns the error of a later page. Its message names the number of stored rows. */
function interrupted(error: unknown, stored: string): AppError {
  const reason = error instanceof AppError ? error.message : 'internal error';
  const details = error instanceof AppError ? error.faults : [];
  return new AppError(
    'interrupted',
    `the import was interrupted after ${stored} were stored (${reason}); run it again to continue`,
    {
      cause: error,
      details,
    },
  );
}
