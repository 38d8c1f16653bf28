import { setTimeout as pause } from 'node:timers/promises';
import { monotonicClock } from '../kernel';

/**
 * Shares looks at something outside among all who ask: each gets one that began after he asked, and two begin at least
 * the given time apart, however many ask. A stranger who makes us look costs us one look per gap.
 */
export function createSharedLook(gapMs: number, look: () => Promise<void>): () => Promise<void> {
  let lastStartedAt = -Infinity;
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function lookOnce(): Promise<void> {
    await Promise.allSettled([last]);
    const waitMs = lastStartedAt + gapMs - monotonicClock.now();
    if (waitMs > 0) await pause(waitMs);
    next = undefined; // whoever asks from here on needs a later one
    lastStartedAt = monotonicClock.now();
    const running = look();
    last = running;
    await running;
  }

  return () => (next ??= lookOnce());
}
