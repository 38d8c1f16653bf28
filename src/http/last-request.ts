import type { IncomingMessage } from 'node:http';
import { REQUESTS_PER_CONNECTION_MAX } from './server-limits';

/** Returns a function that recognizes the last request of its connection; nothing after it may be read. */
export function findLastRequest(): (request: IncomingMessage) => boolean {
  // Node's `maxRequestsPerSocket` is not used: it sends `Connection: close` but leaves the connection open.
  const counts = new WeakMap<object, number>();
  return ({ socket, headers }) => {
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    // Millime supports no upgrade, but Node's parser has already skipped the rest of the segment after such a request.
    // The next request could be read from its middle, and its answer would be taken for another request's.
    return count >= REQUESTS_PER_CONNECTION_MAX || headers.upgrade !== undefined;
  };
}
