import { SECOND_MS } from '../../kernel';
import { ApiRefusal } from '../operation/problem';

/** Long operations that run at once in a process, and those that may wait for them. */
const RUNNING_MAX = 2;
const WAITING_MAX = 8;
const RETRY_MS = 5 * SECOND_MS;

/**
 * Runs a long operation when its turn comes.
 *
 * @throws ApiRefusal `busy` if too many wait; and every error of the operation.
 */
export type InTurn = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** Creates the limit of one process. */
export function fewLongOperations(): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < RUNNING_MAX) running += 1;
    else if (waiting.length < WAITING_MAX) await new Promise<void>((begin) => waiting.push(begin));
    else {
      throw new ApiRefusal('busy', 'too many long operations wait in this process; try again when some have ended', {
        retryAfterMs: RETRY_MS,
      });
    }
    try {
      return await work();
    } finally {
      // The place passes to the next one, if any waits.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
