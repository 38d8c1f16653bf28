import { chown, lstat, realpath, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../kernel';
import { syncFolder, temporaryName, unlinkIfThere, writeDurably } from './durable-file';
import { codeOf, keyFileFault } from './file-errors';
import type { FileLock } from './file-lock';
import { checkedKeys, keyFileVersion, type ReadKeyFile } from './key-file';

/** Where the key file really lies: a link is followed, so that it stays a link. */
export async function resolveKeyFile(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !(await isLink(path))) return path; // there is none yet
    throw keyFileFault(path, `cannot be read (${codeOf(error)})`, error);
  }
}

/**
 * Puts a new text in the place of the key file that was read, in one step and down to the disk: a reader finds
 * the old file or the new one, also after a power cut.
 *
 * @throws AppError `conflict` when the file is not the one that was read; `misconfigured` when the folder refuses.
 */
export async function replaceKeyFile(path: string, read: ReadKeyFile, text: string, lock: FileLock): Promise<void> {
  checkedKeys(path, text);
  const temporary = temporaryName(path);
  try {
    await writeDurably(temporary, text);
    await keepOwner(path, temporary, read.owner);
    // The lock binds only us: an editor or a copying script does not ask for it.
    if ((await keyFileVersion(path)) !== read.version || !(await lock.isHeld())) {
      throw new AppError('conflict', `${path} was changed by somebody else at the same time; try again`);
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    throw error instanceof AppError ? error : keyFileFault(path, `cannot be replaced (${codeOf(error)})`, error);
  } finally {
    await unlinkIfThere(temporary);
  }
}

/** A file that root made is closed to the user whom the service runs as. */
async function keepOwner(path: string, temporary: string, { uid, gid }: ReadKeyFile['owner']): Promise<void> {
  const made = await lstat(temporary);
  if (made.uid === uid && made.gid === gid) return;
  try {
    await chown(temporary, uid, gid);
  } catch (error) {
    if (made.uid === uid) return; // only its owner may read it, whatever the group
    throw keyFileFault(path, `belongs to user ${uid}: run this as that user`, error);
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
