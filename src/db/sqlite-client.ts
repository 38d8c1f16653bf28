import { closeSync, openSync } from 'node:fs';
import BetterSqlite3Client from 'knex/lib/dialects/better-sqlite3/index.js';
import { OWNER_ONLY } from './file-rights';

/** knex's better-sqlite3 client, which creates a missing file readable by its owner only. */
export class SqliteClient extends BetterSqlite3Client {
  override acquireRawConnection(): Promise<object> {
    createFile(this.connectionSettings.filename);
    return super.acquireRawConnection();
  }
}

/** Creates a missing file. SQLite would create it readable by other users. */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'a', OWNER_ONLY));
  } catch {
    // Opening the database reports the fault.
  }
}
