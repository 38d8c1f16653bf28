/** Callers without a valid token so far: some present one that is not verified yet, the others cannot have one. */
export type Stranger = 'with_token' | 'without_token';

/**
 * How many requests of strangers may start in one turn of the event loop. More of them present a token, because a first
 * call of the gateway may wait among them.
 */
const PER_TURN: Readonly<Record<Stranger, number>> = { with_token: 4, without_token: 1 };

/**
 * Starts the requests of strangers in the order of their arrival, few of each kind in a turn of the event loop. A first
 * call with a token so waits for other tokens only, and a call on a connection with a valid token for none.
 */
export function createFairTurns(): (stranger: Stranger, start: () => void) => void {
  const queues: Readonly<Record<Stranger, (() => void)[]>> = { with_token: [], without_token: [] };
  const started = { with_token: 0, without_token: 0 };

  function nextTurn(): void {
    started.with_token = 0;
    started.without_token = 0;
    for (const stranger of ['with_token', 'without_token'] as const) {
      for (const start of queues[stranger].splice(0, PER_TURN[stranger])) begin(stranger, start);
    }
  }

  function begin(stranger: Stranger, start: () => void): void {
    if (started.with_token + started.without_token === 0) setImmediate(nextTurn);
    started[stranger] += 1;
    start();
  }

  return (stranger, start) => {
    if (started[stranger] < PER_TURN[stranger]) begin(stranger, start);
    else queues[stranger].push(start);
  };
}
