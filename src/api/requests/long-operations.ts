import { SECOND_MS } from '../../kernel';
import { ApiRefusal } from '../operation/problem';
import type { PerformLong } from '../threads/start-thread';
import { fairPlaces } from './fair-places';

const RETRY_MS = 5 * SECOND_MS;

/** The long operations of one process. */
export interface LongOperations {
  /** Undefined: they run in the main thread, as in tests. */
  readonly perform: PerformLong | undefined;
  /**
   * Runs an operation when the turn of its owner comes (`fairPlaces`).
   *
   * @throws ApiRefusal `busy` if too many wait, `draining` if the process stops, `unavailable` if the client left first;
   * and every error of the operation.
   */
  inTurn<Answer>(caller: LongCaller, work: () => Promise<Answer>): Promise<Answer>;
  /**
   * Returns the answer of an operation. If the process ends before, the operation continues until then.
   *
   * @throws ApiRefusal `draining` at the end of the process; and every error of the operation.
   */
  untilEnd<Answer>(work: Promise<Answer>): Promise<Answer>;
  /** Refuses what waits, and from now on what would wait. Call it when the process stops. */
  refuseWaiting(): void;
  /** Answers what still runs with `draining`. Call it before the connections are closed. */
  answerRunning(): void;
}

/** The owner of a request, and the signal that aborts if its client leaves. */
export interface LongCaller {
  readonly owner: string;
  readonly left: AbortSignal;
}

/** Creates the long operations of one process. */
export function longOperations(perform?: PerformLong): LongOperations {
  const places = fairPlaces();
  /** Ends the wait for each operation that runs. */
  const unanswered = new Set<() => void>();
  let isEnding = false;
  return {
    perform,
    async inTurn({ owner, left }, work) {
      await places.enter(owner, left);
      try {
        return await work();
      } finally {
        places.leave(owner);
      }
    },
    untilEnd(work) {
      return new Promise((resolve, reject) => {
        const end = (): void => reject(draining('is not done, and this process ends'));
        if (isEnding) end();
        unanswered.add(end);
        void work.then(resolve, reject).finally(() => unanswered.delete(end));
      });
    },
    refuseWaiting: () => places.close(draining('has not begun, and this process stops')),
    answerRunning() {
      isEnding = true;
      unanswered.forEach((end) => end());
    },
  };
}

function draining(why: string): ApiRefusal {
  return new ApiRefusal('draining', `the operation ${why}; repeat the request with the same Idempotency-Key, if any`, {
    retryAfterMs: RETRY_MS,
  });
}
