import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newId, systemCodeOf } from '../kernel';

const OWNER_ONLY = 0o600;

/** The text of a file, or what writes its bytes. */
export type FileContent = string | ((file: FileHandle) => Promise<void>);

export interface WholeFile {
  /** `create` fails with EEXIST if the path exists; `replace` works with or without a file there. */
  readonly how: 'create' | 'replace';
  /** Called when the text is on disk under a temporary name; it may refuse by throwing. */
  readonly beforePlacing?: (temporary: string) => Promise<void>;
}

/**
 * Writes a file in one step, readable by its owner only. Another process sees the old file, the new one or none, never
 * a partial one.
 */
export async function putWholeFile(
  path: string,
  content: FileContent,
  { how, beforePlacing }: WholeFile,
): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeDurably(temporary, content);
    await beforePlacing?.(temporary);
    // Unlike rename, link refuses to replace a file.
    await (how === 'replace' ? rename(temporary, path) : link(temporary, path));
  } finally {
    await unlinkIfThere(temporary);
  }
}

/**
 * Writes a file in one step that also survives a power failure: a key may sign tokens immediately, and a backup may be
 * needed.
 */
export async function putDurableFile(path: string, content: FileContent, how: WholeFile): Promise<void> {
  await putWholeFile(path, content, how);
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Writes a file that must not exist yet, and waits until it is on disk. */
async function writeDurably(path: string, content: FileContent): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    await (typeof content === 'string' ? file.writeFile(content) : content(file));
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Returns a unique name in the same folder. It contains the process id, so that the file of an ended process can be
 * removed.
 */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}.${newId()}.tmp`;
}

export async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}
