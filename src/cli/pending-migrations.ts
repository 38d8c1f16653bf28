import type { Millime } from '../compose';
import { requireDatabaseFile } from './database-file';

/** Returns the pending migrations. Checks the file first, so that a diagnosis creates no database. */
export async function pendingMigrations(millime: Millime): Promise<string[]> {
  requireDatabaseFile(millime.config.database);
  return millime.pendingMigrations();
}
