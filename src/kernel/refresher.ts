import { type Clock, monotonicClock } from './clock';

/** Keeps a value from another source fresh, on demand: it does nothing without a caller. */
export interface Refresher {
  /**
   * Resolves when the last reading is no older than the agreed age at the time of the call. Rejects if the reading
   * rejects.
   */
  fresh(): Promise<void>;
  /** Invalidates the last reading, and a reading in progress. */
  expire(): void;
}

/**
 * Shares one reading among concurrent callers. The age of a reading counts from its start, so callers that arrive long
 * after a hanging one started read once more.
 */
export function createRefresher(
  ageMaxMs: number,
  read: () => Promise<void>,
  monotonic: Clock = monotonicClock,
): Refresher {
  let epoch = 0;
  let last = { startedAt: -Infinity, epoch };
  let running: Promise<void> | undefined;

  async function readOnce(): Promise<void> {
    const current = { startedAt: monotonic.now(), epoch };
    try {
      await read();
      last = current;
    } finally {
      running = undefined;
    }
  }

  return {
    async fresh() {
      const oldest = monotonic.now() - ageMaxMs;
      // Ends after at most two readings, because the second starts after the call. Only a call of expire() meanwhile
      // adds another.
      while (last.startedAt < oldest || last.epoch !== epoch) {
        running ??= readOnce();
        await running;
      }
    },
    expire() {
      epoch += 1;
    },
  };
}
