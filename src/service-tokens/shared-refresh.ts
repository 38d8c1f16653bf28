import { setTimeout as pause } from 'node:timers/promises';
import { monotonicClock } from '../kernel';

/**
 * Shares refreshes among concurrent callers. Each caller gets a refresh that began after its call; two refreshes begin at
 * least `intervalMs` apart. So a stranger can cause one refresh per interval.
 */
export function createSharedRefresh(intervalMs: number, refresh: () => Promise<void>): () => Promise<void> {
  let lastStartedAt = -Infinity;
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function refreshOnce(): Promise<void> {
    await Promise.allSettled([last]);
    const waitMs = lastStartedAt + intervalMs - monotonicClock.now();
    if (waitMs > 0) await pause(waitMs);
    next = undefined; // later callers need a later refresh
    lastStartedAt = monotonicClock.now();
    const running = refresh();
    last = running;
    await running;
  }

  return () => (next ??= refreshOnce());
}
