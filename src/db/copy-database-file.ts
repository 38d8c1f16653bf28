import { closeSync, openSync } from 'node:fs';
import { assert } from '../kernel';
import type { Database } from './database';
import { OWNER_ONLY } from './file-rights';
import { onDatabaseFile } from './on-database-file';

/**
 * Copies an embedded database into a new file of mode 0600, while other processes write. The copy is one committed
 * state, at or after the call.
 *
 * It uses VACUUM INTO, which reads one snapshot and ends under any load. SQLite's backup API starts again at each write
 * of another process, and better-sqlite3 reports a copy as complete if its first step meets a lock.
 *
 * @throws AppError `unavailable` or `storage_broken`; Error with the system's code when the file cannot be created.
 */
export async function copyDatabaseFile(database: Database, file: string): Promise<void> {
  assert(database.dialect === 'sqlite', 'only an embedded database is a file');
  closeSync(openSync(file, 'wx', OWNER_ONLY));
  await onDatabaseFile(database, ({ run }) => run('vacuum into ?', [file]));
}
