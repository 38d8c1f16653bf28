import { monotonicClock, type Clock } from './clock';

/** Keeps something that is read from elsewhere fresh, on demand: nothing runs while nobody asks. */
export interface Refresher {
  /** Resolves when the last reading is at most the agreed age old at the moment of the call. Rejects as the reading does. */
  fresh(): Promise<void>;
  /** What was read so far is no longer good enough, nor is what is being read now. */
  expire(): void;
}

/**
 * Shares one reading among all who ask at the same time. A reading counts from its start, so one that hangs is not
 * taken for fresh by those who came long after it began: they read once more.
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
      // Ends after the second reading at the latest, unless somebody calls expire() meanwhile: it starts after the call.
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
