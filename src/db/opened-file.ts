import { statSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The file behind an embedded database. SQLite goes on writing into a file that was deleted or replaced under it, and
 * all that is gone with the process: so we look whether the open file is still the one at its path.
 */
export interface OpenedFile {
  /** To be called right after a connection has opened the file. */
  noteOpened(): void;
  /** Whether the path still leads to the opened file, and it may be written. True before it was opened. */
  isInPlace(): Promise<boolean>;
}

export function openedFile(path: string): OpenedFile {
  const identity = ({ dev, ino }: { dev: number; ino: number }): string => `${dev}:${ino}`;
  let opened: string | undefined;
  return {
    noteOpened() {
      opened = identity(statSync(path));
    },
    async isInPlace() {
      if (opened === undefined) return true;
      try {
        if (identity(await stat(path)) !== opened) return false;
        // The write-ahead log is made beside it.
        await Promise.all([path, dirname(path)].map((place) => access(place, constants.W_OK)));
        return true;
      } catch {
        return false; // gone, or read-only
      }
    },
  };
}
