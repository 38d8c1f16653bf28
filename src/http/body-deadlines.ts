import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicClock } from '../kernel';
import { declaresBody } from './request-limits';
import { HEAD_MS, LONG_BODY_MS, REQUEST_MS, SERVER_LIMITS } from './server-limits';

/** When the whole request must have arrived, by the monotonic clock. */
const deadlines = new WeakMap<IncomingMessage, number>();

/** Gives the body of an authenticated request the time that a large file takes over a slow line. */
export function allowLongBody(request: IncomingMessage): void {
  if (deadlines.has(request)) deadlines.set(request, monotonicClock.now() + LONG_BODY_MS);
}

/** Watches the requests whose bodies have not arrived. */
export interface BodyDeadlines {
  /** Watches a request whose head has arrived. `begunAt`: when its first byte arrived. */
  watch(request: IncomingMessage, begunAt: number): void;
}

/**
 * Ends requests that have not arrived in time, as Node does with `requestTimeout`. That setting is one for the whole
 * server, and an upload takes longer than any other request may.
 */
export function bodyDeadlines(server: Server): BodyDeadlines {
  // By connection, so that an answered request, with all that Express hangs on it, is not kept until the next round.
  const arriving = new Map<Socket, IncomingMessage>();
  const timer = setInterval(() => {
    const now = monotonicClock.now();
    for (const [socket, request] of arriving) {
      if (request.complete || request.destroyed) arriving.delete(socket);
      else if ((deadlines.get(request) ?? 0) <= now) {
        arriving.delete(socket);
        const error = Object.assign(new Error('request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        server.emit('clientError', error, socket);
      }
    }
  }, SERVER_LIMITS.connectionsCheckingInterval).unref();
  server.once('close', () => clearInterval(timer));
  return {
    watch(request, begunAt) {
      if (!declaresBody(request)) return;
      // A line end before the request may have arrived long before it.
      const deadline = Math.max(begunAt + REQUEST_MS, monotonicClock.now() + REQUEST_MS - HEAD_MS);
      deadlines.set(request, deadline);
      arriving.set(request.socket, request);
    },
  };
}
