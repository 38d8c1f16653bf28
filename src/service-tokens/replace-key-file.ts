import { chown, lstat, realpath } from 'node:fs/promises';
import { AppError, systemCodeOf } from '../kernel';
import { putDurableFile } from './durable-file';
import { keyFileFault } from './file-errors';
import type { FileLock } from './file-lock';
import { checkedKeys, keyFileVersion, type ReadKeyFile } from './key-file';

/** Returns the path of the real key file: a symbolic link is followed, so that it stays a link. */
export async function resolveKeyFile(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' && !(await isLink(path))) return path; // it does not exist yet
    throw keyFileFault(path, `cannot be read (${systemCodeOf(error)})`, error);
  }
}

/**
 * Replaces the key file that was read with a new text, in one step and down to the disk: a reader sees the old file or
 * the new one, even after a power failure.
 *
 * @throws AppError `conflict` when the file has changed since it was read; `misconfigured` when the folder refuses.
 */
export async function replaceKeyFile(path: string, read: ReadKeyFile, text: string, lock: FileLock): Promise<void> {
  checkedKeys(path, text);
  const beforePlacing = async (temporary: string): Promise<void> => {
    await keepOwner(path, temporary, read.owner);
    // Only Millime respects the lock; an editor or a copying script does not.
    if ((await keyFileVersion(path)) !== read.version || !(await lock.isHeld())) {
      throw new AppError('file_changed', { path });
    }
  };
  try {
    await putDurableFile(path, text, { how: 'replace', beforePlacing });
  } catch (error) {
    throw error instanceof AppError ? error : keyFileFault(path, `cannot be replaced (${systemCodeOf(error)})`, error);
  }
}

/** Restores the owner, because the service's user cannot read a file that root created. */
async function keepOwner(path: string, temporary: string, { uid, gid }: ReadKeyFile['owner']): Promise<void> {
  const created = await lstat(temporary);
  if (created.uid === uid && created.gid === gid) return;
  try {
    await chown(temporary, uid, gid);
  } catch (error) {
    if (created.uid === uid) return; // only its owner may read it, so the group does not matter
    throw keyFileFault(path, `belongs to user ${uid}; run the command as that user`, error);
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
