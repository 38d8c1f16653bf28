import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unlinkIfThere } from './durable-file';
import { codeOf } from './file-errors';
import { isDeadProcess } from './process-life';

/** What temporaryName() makes, behind the name of the file. */
const TEMPORARY = /^\.([1-9]\d{0,9})\.[0-9A-Z]{26}\.tmp$/;

/** The temporary files of dead processes beside a file, by their paths. One of a key file holds all its secret keys. */
export async function findLeftovers(path: string): Promise<string[]> {
  const folder = dirname(path);
  const name = basename(path);
  return (await namesIn(folder))
    .filter((other) => {
      const pid = other.startsWith(name) ? TEMPORARY.exec(other.slice(name.length))?.[1] : undefined;
      return pid !== undefined && isDeadProcess(Number(pid));
    })
    .map((other) => join(folder, other));
}

/** Only under the lock of the file: then nobody of another machine is about to rename one of them. */
export async function removeLeftovers(path: string): Promise<void> {
  for (const leftover of await findLeftovers(path)) await unlinkIfThere(leftover);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
