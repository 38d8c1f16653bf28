import { ApiRefusal } from '../problem';

const RETRY_SECONDS = 5;

/**
 * Runs a long operation, unless another one runs in this process: each of them holds up the other requests.
 *
 * @throws ApiRefusal `busy`; and every error of the operation.
 */
export type OneLongOperation = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** Creates the limit of one process. */
export function oneLongOperation(): OneLongOperation {
  let isRunning = false;
  return async (work) => {
    if (isRunning) {
      throw new ApiRefusal('busy', 'another long operation runs in this process; try again when it has ended', {
        retryAfterMs: RETRY_SECONDS * 1_000,
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      });
    }
    isRunning = true;
    try {
      return await work();
    } finally {
      isRunning = false;
    }
  };
}
