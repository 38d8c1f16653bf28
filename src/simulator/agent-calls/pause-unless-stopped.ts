import { setTimeout as pause } from 'node:timers/promises';

/** Waits this number of real milliseconds, or until the signal is aborted. */
export async function pauseUnlessStopped(pauseMs: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(pauseMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
