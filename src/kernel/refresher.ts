import { type Clock, monotonicClock } from './clock';

/** Keeps a value that is read from elsewhere fresh, on demand: nothing runs without a caller. */
export interface Refresher {
  /** Resolves when the last reading is at most the agreed age old at the moment of the call. Rejects as the reading does. */
  fresh(): Promise<void>;
  /** Invalidates what was read so far, and what is being read now. */
  expire(): void;
}

/**
 * Shares one reading among concurrent callers. A reading counts from its start, so callers that arrive long after a
 * hanging one began read once more.
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
      // Ends after the second reading at the latest, unless expire() is called meanwhile: it starts after the call.
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
