import { closeSync, openSync } from 'node:fs';
import BetterSqlite3Client from 'knex/lib/dialects/better-sqlite3/index.js';
import { OWNER_ONLY } from './file-rights';
import { sqliteDriver } from './sqlite-driver';

/** knex's better-sqlite3 client with the driver for this Node. It creates a missing file readable by its owner only. */
export class SqliteClient extends BetterSqlite3Client {
  override initializeDriver(): void {
    this.driver = sqliteDriver();
  }

  override acquireRawConnection(): Promise<object> {
    createFile(this.connectionSettings.filename);
    return super.acquireRawConnection();
  }
}

/**
 * Creates a missing file. SQLite would create it readable by other users. It must not open a file that exists: when a
 * process closes any descriptor of a file, it loses the locks of all its connections to it, and another program then
 * takes the write-ahead log away.
 */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', OWNER_ONLY));
  } catch {
    // It exists, or opening the database reports the fault.
  }
}
