import { chmodSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseUrl } from '../config';
import { systemCodeOf } from '../kernel';
import type { Logger } from '../logging';

/** Mode of a new database file. SQLite gives its write-ahead log the same mode. */
export const OWNER_ONLY = 0o600;

const OTHERS = 0o007;
const GROUP_AND_OTHERS = 0o077;
const SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Gives the files of an embedded database the mode 0600 if every user of the machine may open them, as earlier versions
 * and other programs create them. Rights of a group alone are deliberate: they stay, and are logged.
 */
export function protectFiles(file: string, logger: Logger): void {
  for (const { path, mode } of openFiles(file)) {
    if ((mode & OTHERS) === 0) continue;
    try {
      chmodSync(path, OWNER_ONLY);
    } catch (error) {
      // Only the owner may. The log below names the file.
      logger.debug('database file not protected', { event: 'db.chmod_failed', path, reason: systemCodeOf(error) });
    }
  }
  for (const { path, mode } of openFiles(file)) {
    logger.warn('database file open to others', { event: 'db.file_open', path, mode: mode.toString(8) });
  }
}

/** Returns one line for each file of an embedded database that other users than its owner may open. */
export function unprotectedFiles(url: DatabaseUrl): string[] {
  if (url.kind !== 'sqlite') return [];
  return openFiles(resolve(url.file)).map(
    ({ path, mode }) => `DATABASE_URL: ${path} is open to other users (mode ${mode.toString(8)}); run chmod 600 on it`,
  );
}

function openFiles(file: string): { readonly path: string; readonly mode: number }[] {
  const real = realPathOf(file);
  return SUFFIXES.flatMap((suffix) => {
    const path = `${real}${suffix}`;
    const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    return (mode & GROUP_AND_OTHERS) === 0 ? [] : [{ path, mode }];
  });
}

/** SQLite puts its log beside the file that a link names. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // missing
  }
}
