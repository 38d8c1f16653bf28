import { monotonicClock } from '../kernel';
import { StatementDeadlineError } from './errors';

/**
 * Waits for `coming` until `deadlineAt` of the monotonic clock.
 *
 * @throws StatementDeadlineError when it arrives later.
 */
export async function beforeDeadline<T>(coming: Promise<T>, deadlineAt: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new StatementDeadlineError('the wait for the database was longer than the deadline')),
      Math.max(deadlineAt - monotonicClock.now(), 0),
    );
  });
  try {
    return await Promise.race([coming, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
