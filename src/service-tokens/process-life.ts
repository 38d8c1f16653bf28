import { systemClock } from '../kernel';
import { codeOf } from './file-errors';

/** What we write beside the key file is needed for milliseconds; what is older and names no process was left behind. */
const LEFT_BEHIND_AGE_MS = 60_000;

/** Whether no process of this machine has the id. */
export function isDeadProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH'; // EPERM is a living process of another user
  }
}

/** By the clock of the machine, which is what gives files their times. */
export function isLeftBehind({ mtimeMs }: { readonly mtimeMs: number }): boolean {
  return systemClock.now() - mtimeMs > LEFT_BEHIND_AGE_MS;
}
