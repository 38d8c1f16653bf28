import type { Millime } from '../compose';
import { requireDatabaseFile } from './database-file';

/** Checks the file first, so that a diagnosis creates no database. */
export async function pendingMigrations(millime: Millime): Promise<string[]> {
  requireDatabaseFile(millime.config.database);
  return millime.pendingMigrations();
}
