import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unlinkIfThere } from './durable-file';
import { isProcessAlive } from './is-process-alive';

/** The suffix that temporaryName() appends to the name of the file. */
const TEMPORARY = /^\.([1-9]\d{0,9})\.[0-9A-Z]{26}\.tmp$/;

/** Lists the temporary files of ended processes beside a file. One beside a key file contains all its secret keys. */
export async function findStaleTempFiles(path: string): Promise<string[]> {
  const folder = dirname(path);
  const name = basename(path);
  return (await namesIn(folder))
    .filter((other) => {
      const pid = other.startsWith(name) ? TEMPORARY.exec(other.slice(name.length))?.[1] : undefined;
      return pid !== undefined && !isProcessAlive(Number(pid));
    })
    .map((other) => join(folder, other));
}

/** Removes these files. Call it under the file's lock, so that no process of another machine is about to rename one. */
export async function removeStaleTempFiles(path: string): Promise<void> {
  for (const file of await findStaleTempFiles(path)) await unlinkIfThere(file);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // the reader of the file itself reports the fault of its folder
  }
}
