/** Callers without a valid token so far: some present one that is not verified yet, the others cannot have one. */
export type Stranger = 'with_token' | 'without_token';

/**
 * Starts the requests of strangers in the order of their arrival, one of each kind in a turn of the event loop. A
 * first call with a token so waits for other tokens only, and a call on a connection with a valid token for none.
 */
export function createFairTurns(): (stranger: Stranger, start: () => void) => void {
  const queues: Readonly<Record<Stranger, (() => void)[]>> = { with_token: [], without_token: [] };
  let started = new Set<Stranger>();

  function nextTurn(): void {
    const before = started;
    started = new Set();
    for (const stranger of before) begin(stranger, queues[stranger].shift());
  }

  function begin(stranger: Stranger, start: (() => void) | undefined): void {
    if (start === undefined) return;
    if (started.size === 0) setImmediate(nextTurn);
    started.add(stranger);
    start();
  }

  return (stranger, start) => {
    if (started.has(stranger)) queues[stranger].push(start);
    else begin(stranger, start);
  };
}
