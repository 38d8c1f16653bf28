import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, isJsonObject, monotonicClock, newId, ownValue, parseStrictJson, sha256Hex } from '../kernel';
import { unlinkIfThere, writeDurably } from './durable-file';
import { codeOf } from './file-errors';

/** Whoever holds the lock needs it for milliseconds: two rotations at once wait for each other, not for a person. */
const WAIT_MS = 3_000;
const POLL_MS = 25;

/** A lock file that this process holds. */
export interface FileLock {
  /** Whether it is still ours. It may have been taken by hand, or by somebody who thought us dead. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Makes a lock file, waiting a little for one that is there. One left by a dead process of this machine is taken over;
 * whether a process of another machine lives cannot be known from here.
 *
 * @throws AppError `conflict` that names the lock file and its holder.
 */
export async function acquireLock(path: string): Promise<FileLock> {
  const content = JSON.stringify({ pid: process.pid, host: hostname(), nonce: newId() });
  const giveUpAt = monotonicClock.now() + WAIT_MS;
  for (;;) {
    try {
      await writeDurably(path, content);
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const found = await readLock(path);
    if (found !== undefined && isOfDeadProcess(found) && (await clearAway(path, found))) continue;
    if (monotonicClock.now() >= giveUpAt) {
      throw new AppError('conflict', `${path} is held by ${describe(found)}; remove it when that is wrong`);
    }
    await pause(POLL_MS);
  }
  const isHeld = async (): Promise<boolean> => (await readLock(path)) === content;
  return {
    isHeld,
    async release() {
      if (await isHeld()) await unlinkIfThere(path);
    },
  };
}

async function readLock(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Two may find the same dead lock, and the slower one must not remove the lock that the faster one has made since. So
 * whoever removes it first claims that very lock, and looks at it once more: nobody else may remove it meanwhile.
 */
async function clearAway(path: string, dead: string): Promise<boolean> {
  const claim = `${path}.${sha256Hex(dead).slice(0, 16)}`;
  try {
    await writeDurably(claim, '');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    if ((await readLock(path)) === dead) await unlinkIfThere(path);
    return true;
  } finally {
    await unlinkIfThere(claim);
  }
}

function isOfDeadProcess(content: string): boolean {
  const { pid, host } = holderOf(content);
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH'; // EPERM is a living process of another user
  }
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
