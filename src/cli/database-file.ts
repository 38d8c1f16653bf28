import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseUrl } from '../config';
import { AppError } from '../kernel';

/**
 * Refuses a SQLite file that does not exist. SQLite would create an empty file, and an empty ledger verifies, so a
 * mistyped path would report success. A server reports a missing database itself.
 * @throws AppError `misconfigured`.
 */
export function requireDatabaseFile(url: DatabaseUrl): void {
  if (url.kind !== 'sqlite' || databaseFileExists(url)) return;
  const file = resolve(url.file);
  throw new AppError('misconfigured', {
    field: 'DATABASE_URL',
    fault: `file not found: ${file}`,
    command: 'check the path, or run "millime migrate" to create it',
  });
}

/** Returns whether the SQLite file of a database exists; true for a server. */
export function databaseFileExists(url: DatabaseUrl): boolean {
  if (url.kind !== 'sqlite') return true;
  const file = resolve(url.file);
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true; // No permission to check the file: opening it reports the fault.
  }
}
