export interface Loop {
  /** Begins nothing further, and waits for what runs. */
  stop(): Promise<void>;
}

/**
 * Calls `look` every `everyMs`, and never again before it has come back. `onTrouble` is told of its errors once for each
 * outage, not at every look of it.
 */
export function startLoop(everyMs: number, look: () => Promise<void>, onTrouble: (error: unknown) => void): Loop {
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  let troubled = false;
  const tick = (): void => {
    if (busy) return;
    busy = true;
    running = look()
      .then(() => {
        troubled = false;
      })
      .catch((error: unknown) => {
        if (!troubled) onTrouble(error);
        troubled = true;
      })
      .finally(() => {
        busy = false;
      });
  };
  const ticking = setInterval(tick, everyMs);
  return {
    async stop() {
      clearInterval(ticking);
      await running;
    },
  };
}
