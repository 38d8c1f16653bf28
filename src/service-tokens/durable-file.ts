import { open, unlink } from 'node:fs/promises';
import { newId } from '../kernel';
import { codeOf } from './file-errors';

const OWNER_ONLY = 0o600;

/** Writes a file that must not be there yet, for its owner only, down to the disk. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns a unique name beside the file. It names its process, so that the file of an ended process can be removed. */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}.${newId()}.tmp`;
}

/** Without it a power cut could take a new file's name away after tokens were signed with its key. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
