import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock } from './kernel';

/** The server stops listening after this time without requests. Probes do not count. */
const QUIET_MS = 250;
/** The limit on that wait. The last request accepted before it has 5 s for its answer. */
const ACCEPT_MAX_MS = 4_000;
/** The time for the rest of a request that is arriving when the server stops listening. */
const REST_OF_REQUEST_MS = 2_000;
const CHECK_INTERVAL_MS = 20;

const PROBES: readonly string[] = ['/readyz', '/healthz'];

/** Ends a server in order: counts the running requests and closes their connections. */
export interface Drain {
  isDraining(): boolean;
  /** Returns the number of unanswered requests on open connections. */
  inProgress(): number;
  /**
   * Stops the server so that no caller loses a request, and resolves when the last connection is closed. From the call
   * on, every answer has `Connection: close`.
   *
   * 1. The server accepts new connections for `delayMs`, and until no request arrived for a moment. A load balancer
   *    needs that time to see `/readyz` fail, and closing the socket resets connections that wait in the kernel. Idle
   *    connections stay open, because a request may be in transit on one; their next answer closes them.
   * 2. Then the server stops listening. It closes idle connections and answers running requests. After two more
   *    seconds it drops incomplete requests: no work was done for them, and a closing server has no time limits.
   * 3. At `cutAt` of the monotonic clock the server closes the remaining connections.
   */
  drain(options: { readonly delayMs: number; readonly cutAt: number }): Promise<void>;
}

/** Watches a server from its first connection. Call it before the server gets its own listeners. */
export function createDrain(server: Server): Drain {
  /** The open connections with their unanswered responses. A response emits nothing if its connection ends early. */
  const sockets = new Map<Socket, Set<ServerResponse>>();
  /** Connections without a request so far, and when they opened. */
  const silent = new Map<Socket, number>();
  let cameLastAt = -Infinity;
  let phase: 'serving' | 'draining' | 'closing' = 'serving';

  server.on('connection', (socket) => {
    sockets.set(socket, new Set());
    silent.set(socket, monotonicClock.now());
    socket.once('close', () => {
      sockets.delete(socket);
      silent.delete(socket);
    });
  });

  server.on('request', (request, response) => {
    silent.delete(request.socket);
    // Probes continue until the process ends, so they must not prolong the wait.
    if (!PROBES.includes(request.url ?? '')) cameLastAt = monotonicClock.now();
    const owed = sockets.get(request.socket);
    owed?.add(response);
    response.once('close', () => {
      owed?.delete(response);
      // The head of this answer left before the signal and promised to keep the connection.
      if (phase === 'closing') request.socket.destroySoon();
    });
    if (phase !== 'serving') announceClose(response);
  });

  const running = (): ServerResponse[] => [...sockets.values()].flatMap((owed) => [...owed]);

  const isQuiet = (): boolean => {
    const since = monotonicClock.now() - QUIET_MS;
    // Node treats an answer that the kernel has not accepted yet as idle, and would close its connection.
    const isBeingSent = running().some((response) => response.writableEnded && !response.writableFinished);
    return cameLastAt <= since && [...silent.values()].every((cameAt) => cameAt <= since) && !isBeingSent;
  };

  const dropIncomplete = (): void => {
    for (const [socket, owed] of sockets) if (![...owed].some(({ req }) => req.complete)) socket.destroy();
  };

  return {
    isDraining: () => phase !== 'serving',
    inProgress: () => running().length,
    async drain({ delayMs, cutAt }) {
      phase = 'draining';
      running().forEach(announceClose);
      const startedAt = monotonicClock.now();
      const isOver = (): boolean => {
        const passedMs = monotonicClock.now() - startedAt;
        return passedMs >= delayMs && (passedMs >= ACCEPT_MAX_MS || isQuiet());
      };
      while (!isOver()) await sleep(CHECK_INTERVAL_MS);

      phase = 'closing';
      const closed = new Promise<void>((resolve) => server.close(() => resolve())); // also closes idle connections
      const rest = setTimeout(dropIncomplete, REST_OF_REQUEST_MS);
      const cut = setTimeout(() => server.closeAllConnections(), Math.max(cutAt - monotonicClock.now(), 0));
      await closed;
      clearTimeout(rest);
      clearTimeout(cut);
    },
  };
}

function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
