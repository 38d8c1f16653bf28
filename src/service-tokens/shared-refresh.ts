import { setTimeout as pause } from 'node:timers/promises';
import { monotonicClock } from '../kernel';

/**
 * Shares refreshes among concurrent callers. Each caller gets a refresh that started after its call, and two refreshes
 * start at least `intervalMs` apart. So strangers can cause at most one refresh per interval.
 */
export function createSharedRefresh(intervalMs: number, refresh: () => Promise<void>): () => Promise<void> {
  let lastStartedAt = -Infinity;
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function refreshOnce(): Promise<void> {
    await Promise.allSettled([last]);
    const waitMs = lastStartedAt + intervalMs - monotonicClock.now();
    if (waitMs > 0) await pause(waitMs);
    next = undefined; // callers from now on need a later refresh
    lastStartedAt = monotonicClock.now();
    const running = refresh();
    last = running;
    await running;
  }

  return () => (next ??= refreshOnce());
}
