import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, systemCodeOf } from '../kernel';
import { putDurableFile } from './durable-file';
import { keyFileFault } from './file-errors';
import { decodeKeyFile, type FiledKey } from './key-file-codec';
import { newKeyFileText } from './key-file-text';
import { makeKey, type NewKey } from './new-key';

const FILE_BYTES_MAX = 256 * 1024;
const OTHERS_MASK = 0o077;

export interface ReadKeyFile {
  readonly keys: readonly FiledKey[];
  /** The content of the file, which is secret. */
  readonly text: string;
  /** Changes whenever the file is written or replaced, and when its mode changes. */
  readonly version: string;
  readonly owner: { readonly uid: number; readonly gid: number };
}

/**
 * Reads and checks the key file; undefined when it does not exist.
 *
 * @throws AppError `misconfigured`, one line that names SERVICE_JWT_KEYS_FILE and no secret.
 */
export async function readKeyFile(path: string): Promise<ReadKeyFile | undefined> {
  let file: FileHandle;
  try {
    // Without O_NONBLOCK a pipe at the path would block a thread until something is written to it.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw keyFileFault(path, `cannot be read (${systemCodeOf(error)})`, error);
  }
  try {
    // The metadata of the open file, so that the checks concern the bytes that are read.
    const facts = await file.stat({ bigint: true });
    if (!facts.isFile()) throw keyFileFault(path, 'is not a file');
    const mode = Number(facts.mode) & 0o777;
    if ((mode & OTHERS_MASK) !== 0) {
      throw keyFileFault(path, {
        text: `is open to other users (mode ${mode.toString(8)})`,
        command: 'run chmod 600 on it',
      });
    }
    if (facts.size > FILE_BYTES_MAX) throw keyFileFault(path, `is larger than ${FILE_BYTES_MAX} bytes`);
    const text = await file.readFile('utf8');
    const owner = { uid: Number(facts.uid), gid: Number(facts.gid) };
    return { keys: checkedKeys(path, text), text, version: versionOf(facts), owner };
  } catch (error) {
    throw error instanceof AppError ? error : keyFileFault(path, `cannot be read (${systemCodeOf(error)})`, error);
  } finally {
    await file.close();
  }
}

/**
 * Returns the keys of the present or future text of the key file.
 *
 * @throws AppError `misconfigured`.
 */
export function checkedKeys(path: string, text: string): readonly FiledKey[] {
  const content = decodeKeyFile(text);
  if (!content.ok) throw keyFileFault(path, content.fault);
  if (Buffer.byteLength(text, 'utf8') > FILE_BYTES_MAX) {
    throw keyFileFault(path, `is larger than ${FILE_BYTES_MAX} bytes`);
  }
  return content.keys;
}

/** Returns the current version of the file without reading it; undefined when the file is missing or inaccessible. */
export async function keyFileVersion(path: string): Promise<string | undefined> {
  try {
    return versionOf(await stat(path, { bigint: true }));
  } catch {
    return undefined; // reading the file reports the fault
  }
}

/**
 * Creates a key file with one key, HS256 by default, unless another process has created it meanwhile. The file appears
 * completely or not at all: when two processes start concurrently, one file stays and both use it.
 *
 * @throws AppError `misconfigured` when the folder does not allow it.
 */
export async function makeKeyFile(path: string, key?: NewKey): Promise<'made' | 'found'> {
  const { entry } = key ?? (await makeKey('HS256'));
  try {
    await mkdir(dirname(path), { recursive: true });
    await putDurableFile(path, newKeyFileText(entry), { how: 'create' });
    return 'made';
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST' && (await keyFileVersion(path)) !== undefined) return 'found';
    throw keyFileFault(path, `cannot be created (${systemCodeOf(error)})`, error);
  }
}

/**
 * Puts a restored text where the key file belongs.
 *
 * @throws AppError `misconfigured` when the text is no key file, when a file exists there, or when the folder refuses.
 */
export async function placeKeyFile(path: string, text: string): Promise<void> {
  checkedKeys(path, text);
  try {
    await mkdir(dirname(path), { recursive: true });
    await putDurableFile(path, text, { how: 'create' });
  } catch (error) {
    const fault = systemCodeOf(error) === 'EEXIST' ? 'exists already' : `cannot be created (${systemCodeOf(error)})`;
    throw keyFileFault(path, fault, error);
  }
}

function versionOf(facts: { ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return [facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(':');
}
