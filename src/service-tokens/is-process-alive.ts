import { MINUTE_MS, systemClock, systemCodeOf } from '../kernel';

/** Files beside the key file are needed for milliseconds; an older one that names no process is stale. */
const STALE_AGE_MS = MINUTE_MS;

/** Returns whether a process of this machine has the id. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) !== 'ESRCH'; // EPERM: the process is alive and belongs to another user
  }
}

/** Returns whether a file is old, by the machine's clock, which also sets the times of files. */
export function isStale({ mtimeMs }: { readonly mtimeMs: number }): boolean {
  return systemClock.now() - mtimeMs > STALE_AGE_MS;
}
