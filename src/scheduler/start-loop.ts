export interface Loop {
  /** Starts no further call, and waits for the running one. */
  stop(): Promise<void>;
}

/**
 * Calls `check` every `everyMs`, never before the last call has ended. `onTrouble` gets an error once per outage, not
 * at every call.
 */
export function startLoop(everyMs: number, check: () => Promise<void>, onTrouble: (error: unknown) => void): Loop {
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  let troubled = false;
  const tick = (): void => {
    if (busy) return;
    busy = true;
    running = check()
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
