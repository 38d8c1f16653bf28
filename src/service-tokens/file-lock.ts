import { lstat, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AppError,
  isJsonObject,
  monotonicClock,
  newId,
  ownValue,
  parseStrictJson,
  sha256Hex,
  systemCodeOf,
} from '../kernel';
import { putWholeFile, unlinkIfThere } from './durable-file';
import { isProcessAlive, isStale } from './is-process-alive';

/** A process needs the lock for milliseconds, so concurrent rotations wait for each other but never for a person. */
const WAIT_MS = 3_000;
const POLL_MS = 25;

/** A lock file that this process holds. */
export interface FileLock {
  /** Returns whether this process still holds it. A person or another process may have removed it as stale. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Creates a lock file, waiting a short time for an existing one. Takes over the lock of an ended process of this
 * machine. Respects a lock of another machine, whose process cannot be checked from here.
 *
 * @throws AppError `conflict` that names the lock file and its holder.
 */
export async function acquireLock(path: string): Promise<FileLock> {
  const content = claimText();
  const giveUpAt = monotonicClock.now() + WAIT_MS;
  while (!(await putLock(path, content))) {
    const inTheWay = await makeWay(path);
    if (monotonicClock.now() >= giveUpAt) {
      throw new AppError('file_locked', { path: inTheWay?.path ?? path, holder: describe(inTheWay?.content) });
    }
    if (inTheWay !== undefined) await pause(POLL_MS);
  }
  const isHeld = async (): Promise<boolean> => (await findLock(path))?.content === content;
  return {
    isHeld,
    async release() {
      if (await isHeld()) await unlinkIfThere(path);
    },
  };
}

function claimText(): string {
  return JSON.stringify({ pid: process.pid, host: hostname(), nonce: newId() });
}

/** Creates a lock file with its content in one step, so that none is ever empty. Returns false if one exists. */
async function putLock(path: string, content: string): Promise<boolean> {
  try {
    await putWholeFile(path, content, { how: 'create' });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

interface FoundLock {
  readonly path: string;
  /** Empty if it cannot be read. */
  readonly content: string;
  /** Different for each lock ever created. */
  readonly identity: string;
  readonly isOld: boolean;
}

async function findLock(path: string): Promise<FoundLock | undefined> {
  try {
    const { ino, mtimeMs } = await lstat(path);
    const content = await readFile(path, 'utf8').catch(() => '');
    return { path, content, identity: `${ino}:${mtimeMs}:${content}`, isOld: isStale({ mtimeMs }) };
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Removes a stale lock; returns the lock if it is not stale. Two processes may find the same stale lock, and the slower
 * one must not remove the new lock of the faster one. So a process first claims the stale lock, then checks it again.
 * The claim is itself a lock: a claim of an ended process is removed the same way.
 */
async function makeWay(path: string): Promise<FoundLock | undefined> {
  const found = await findLock(path);
  if (found === undefined) return undefined;
  if (!isDead(found)) return found;
  const claim = `${path}.${sha256Hex(found.identity).slice(0, 16)}`;
  if (!(await putLock(claim, claimText()))) return makeWay(claim);
  try {
    if ((await findLock(path))?.identity === found.identity) await unlinkIfThere(path);
    return undefined;
  } finally {
    await unlinkIfThere(claim);
  }
}

function isDead({ content, isOld }: FoundLock): boolean {
  const { pid, host } = holderOf(content);
  if (pid === undefined) return isOld;
  return host === hostname() && !isProcessAlive(pid);
}

function holderOf(content: string): { pid: number | undefined; host: string | undefined } {
  const json = parseStrictJson(content, { depthMax: 1 });
  const holder = json.ok && isJsonObject(json.value) ? json.value : {};
  const pid = ownValue(holder, 'pid');
  const host = ownValue(holder, 'host');
  return {
    pid: typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 ? pid : undefined,
    host: typeof host === 'string' ? host : undefined,
  };
}

function describe(content: string | undefined): string {
  const { pid, host } = holderOf(content ?? '');
  return pid === undefined ? 'an unknown process' : `process ${pid} of ${host ?? 'an unknown machine'}`;
}
