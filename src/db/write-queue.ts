import { beforeDeadline } from './deadline';

/** Lets one piece of work run at a time, in the order of arrival. */
export type WriteQueue = <T>(deadlineAt: number, work: () => Promise<T>) => Promise<T>;

/** Creates an empty queue. It throws StatementDeadlineError for work that does not start by its deadline. */
export function createWriteQueue(): WriteQueue {
  let last: Promise<void> = Promise.resolve();
  return async (deadlineAt, work) => {
    const mine = last;
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    last = mine.then(() => left);
    try {
      await beforeDeadline(mine, deadlineAt);
      return await work();
    } finally {
      leave();
    }
  };
}
