import { statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The file at the database's path is no longer the open one; further writes would be lost. */
export class FileReplacedError extends Error {
  override readonly name = 'FileReplacedError';
  readonly code = 'MILLIME_FILE_REPLACED';
}

/**
 * The files of an embedded database: its main file and its write-ahead log. SQLite continues to write to a deleted or
 * replaced file, and those writes end with the process. So this checks whether the open files are still those at their
 * paths.
 */
export interface OpenedFile {
  /** Records which files are open. Call it right after a connection has opened the file. */
  noteOpened(): void;
  /**
   * Checks that both files are in place. It costs two file lookups, cheap enough for each transaction.
   *
   * @throws FileReplacedError.
   */
  requireInPlace(): void;
  /** Returns whether the open files are in place and writable. True before they are opened. */
  isWritable(): Promise<boolean>;
}

export function openedFile(path: string): OpenedFile {
  const logPath = `${path}-wal`;
  let opened: string | undefined;
  /** The first transaction creates the log, which stays the same file while a connection is open. */
  let openedLog: string | undefined;

  function requireInPlace(): void {
    if (opened === undefined) return;
    openedLog ??= identityOf(logPath);
    if (identityOf(path) !== opened || identityOf(logPath) !== openedLog) {
      throw new FileReplacedError(`${path} or its write-ahead log was moved, deleted or replaced; start again`);
    }
  }

  return {
    noteOpened() {
      opened = identityOf(path);
      openedLog = undefined;
    },
    requireInPlace,
    async isWritable() {
      if (opened === undefined) return true;
      try {
        requireInPlace();
        // The directory must be writable too, because SQLite creates the write-ahead log in it.
        await Promise.all([path, dirname(path)].map((place) => access(place, constants.W_OK)));
        return true;
      } catch {
        return false; // missing, or read-only
      }
    },
  };
}

function identityOf(path: string): string | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts === undefined ? undefined : `${facts.dev}:${facts.ino}`;
}
