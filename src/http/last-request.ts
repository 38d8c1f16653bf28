import type { IncomingMessage } from 'node:http';
import { REQUESTS_PER_CONNECTION_MAX } from './server-limits';

/** Marks the last request of its connection: nothing after it may be read. */
export function findLastRequest(): (request: IncomingMessage) => boolean {
  // Not Node's `maxRequestsPerSocket`: that says `Connection: close` and leaves the connection open.
  const counts = new WeakMap<object, number>();
  return ({ socket, headers }) => {
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    // We upgrade to nothing, but Node's parser has already skipped what stands behind such a request in its segment:
    // what it reads next may begin in the middle, and its answer would be taken for another request's.
    return count >= REQUESTS_PER_CONNECTION_MAX || headers.upgrade !== undefined;
  };
}
