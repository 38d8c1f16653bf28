import type { Database } from './database';
import { onDatabaseFile } from './on-database-file';
import { rowsOf } from './session';

/** `log_in_use`: a reader still uses the write-ahead log, so that its file still has earlier pages. */
export type RewriteOutcome = 'rewritten' | 'log_in_use';

/**
 * Rewrites the file of an embedded database and empties its write-ahead log, so that neither has bytes of rows that no
 * longer exist. Other processes can read meanwhile, and their writes wait. Rewriting again does the rest of an
 * interrupted run.
 *
 * It uses VACUUM: with `secure_delete` alone, copies stay in the gaps of pages that were divided earlier.
 *
 * @throws AppError `unavailable` or `storage_broken`; the rows are unchanged.
 */
export async function rewriteDatabaseFile(database: Database): Promise<RewriteOutcome> {
  return onDatabaseFile(database, async ({ connection, run, until }) => {
    await run('vacuum');
    const isLogEmpty = async (): Promise<boolean> => {
      const checkpoint = database.pool.raw('pragma wal_checkpoint(truncate)').connection(connection);
      const [result] = await rowsOf(checkpoint);
      return result?.['busy'] === 0; // 1 while another process uses the log
    };
    return (await until(isLogEmpty)) ? 'rewritten' : 'log_in_use';
  });
}
