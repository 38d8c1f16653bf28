import { randomBytes } from 'node:crypto';
import { link, mkdir, open, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, newId } from '../kernel';
import { decodeKeyFile, encodeKeyFile, type FiledKey } from './key-file-codec';
import { HMAC_KEY_BYTES_MIN } from './limits';

const FILE_BYTES_MAX = 256 * 1024;
const OWNER_ONLY = 0o600;
const OTHERS_MASK = 0o077;

/** A key file as it was when it was read. */
export interface ReadKeyFile {
  readonly keys: readonly FiledKey[];
  /** Changes whenever the file is written or replaced. */
  readonly version: string;
}

/**
 * Reads and checks the key file; undefined when there is none.
 *
 * @throws AppError `misconfigured`, one line that names SERVICE_JWT_KEYS_FILE and no secret.
 */
export async function readKeyFile(path: string): Promise<ReadKeyFile | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw keyFileFault(path, `cannot be read (${codeOf(error)})`, error);
  }
  try {
    // Of the open file, so that the checks are about the very bytes that are read.
    const facts = await file.stat({ bigint: true });
    if (!facts.isFile()) throw keyFileFault(path, 'is not a file');
    const mode = Number(facts.mode) & 0o777;
    if ((mode & OTHERS_MASK) !== 0) {
      throw keyFileFault(path, `is open to other users (mode ${mode.toString(8)}); run chmod 600 on it`);
    }
    if (facts.size > FILE_BYTES_MAX) throw keyFileFault(path, `is larger than ${FILE_BYTES_MAX} bytes`);
    const content = decodeKeyFile(await file.readFile('utf8'));
    if (!content.ok) throw keyFileFault(path, content.fault);
    return { keys: content.keys, version: versionOf(facts) };
  } catch (error) {
    throw error instanceof AppError ? error : keyFileFault(path, `cannot be read (${codeOf(error)})`, error);
  } finally {
    await file.close();
  }
}

/** The version that the file has now, without reading it; undefined when there is none or it cannot be asked. */
export async function keyFileVersion(path: string): Promise<string | undefined> {
  try {
    return versionOf(await stat(path, { bigint: true }));
  } catch {
    return undefined; // reading it will say what is wrong
  }
}

/**
 * Makes a key file with one new HS256 key, unless somebody else has made one meanwhile. It appears whole or not at
 * all: of two processes that start at once one file stays, and both go on with that.
 *
 * @throws AppError `misconfigured` when the folder does not let us.
 */
export async function makeKeyFile(path: string): Promise<'made' | 'found'> {
  const temporary = `${path}.${process.pid}.${newId()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeDurably(temporary, encodeKeyFile(newId(), randomBytes(HMAC_KEY_BYTES_MIN)));
      await link(temporary, path); // unlike rename, it refuses to replace a file
    } finally {
      await unlink(temporary).catch(ignoreAbsence);
    }
    await syncFolder(dirname(path));
    return 'made';
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await keyFileVersion(path)) !== undefined) return 'found';
    throw keyFileFault(path, `cannot be made (${codeOf(error)})`, error);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Without it a power cut could take the file away after tokens were signed with its key. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function versionOf(facts: { ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return [facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(':');
}

function keyFileFault(path: string, fault: string, cause?: unknown): AppError {
  return new AppError('misconfigured', `SERVICE_JWT_KEYS_FILE: ${path} ${fault}`, { cause });
}

function ignoreAbsence(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown reason';
}
