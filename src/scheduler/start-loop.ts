import { SECOND_MS } from '../kernel';

/** An unfinished check is repeated after this time. */
const REPEAT_MS = SECOND_MS;

export interface Loop {
  /** Makes a check due. */
  wake(): void;
  /** Starts no further check, and waits for the running one. */
  stop(): Promise<void>;
}

/**
 * Calls `check` now and at each `wake`, never before the last call has ended. `check` returns whether it is finished;
 * one that is not, or that failed, is repeated each second. `onTrouble` gets an error once per outage.
 */
export function startLoop(check: () => Promise<boolean>, onTrouble: (error: unknown) => void): Loop {
  let running: Promise<void> | undefined;
  let isWoken = false;
  let isStopped = false;
  let troubled = false;
  let repeat: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    let isFinished = false;
    try {
      isFinished = await check();
      troubled = false;
    } catch (error) {
      if (!troubled) onTrouble(error);
      troubled = true;
    }
    running = undefined;
    if (isWoken) wake();
    else if (!isFinished && !isStopped) repeat = setTimeout(wake, REPEAT_MS);
  }

  function wake(): void {
    isWoken = running !== undefined;
    if (isStopped || isWoken) return;
    clearTimeout(repeat);
    running = run();
  }

  wake();
  return {
    wake,
    async stop() {
      isStopped = true;
      clearTimeout(repeat);
      await running;
    },
  };
}
