import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseUrl } from '../config';
import { AppError } from '../kernel';

/**
 * Refuses an embedded database that is not there. SQLite would make an empty one, and of empty books every question has
 * a good answer: a mistyped path would say that all is right. A server says by itself that it lacks a database.
 *
 * @throws AppError `misconfigured`.
 */
export function requireDatabaseFile(url: DatabaseUrl): void {
  if (url.kind !== 'sqlite') return;
  const file = resolve(url.file);
  if (isThere(file)) return;
  throw new AppError('misconfigured', `DATABASE_URL: there is no file ${file}; "millime migrate" makes a new database`);
}

function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true; // we may not look: what is wrong is said by who opens it
  }
}
