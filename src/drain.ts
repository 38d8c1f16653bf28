import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock } from './kernel';

/** Nothing but probes must have come for so long before we stop listening. */
const QUIET_MS = 250;
/** Callers who keep coming do not keep us: what comes last before this has 5 s for its answer. */
const ACCEPT_MAX_MS = 4_000;
/** For the rest of a request that has only begun to arrive when we stop listening. */
const REST_OF_REQUEST_MS = 2_000;
const LOOK_MS = 20;

const PROBES: readonly string[] = ['/readyz', '/healthz'];

/** The way out of a server: which requests run, who came last, and how it all ends. */
export interface Drain {
  isDraining(): boolean;
  /** How many requests are not answered yet, on connections that are open. */
  inProgress(): number;
  /**
   * Stops the server so that no caller loses a request, and resolves when its last connection is closed. From the call on
   * every answer tells its caller to go elsewhere (`Connection: close`).
   *
   * 1. New connections are still taken for `delayMs`, and until nothing came for a moment. A balancer needs that time to
   *    see that we are not ready; and a connection that waits in the kernel when the socket closes is reset, its request
   *    with it. Idle connections stay open: a request may be on its way on one of them. They are told with their next
   *    answer.
   * 2. Then we stop listening. What was idle all that time is closed, what runs is answered. A request that has not come
   *    whole after two more seconds is dropped: nothing of it was done, and a server that closes has no time limits of
   *    its own any more.
   * 3. What is left at `cutAt` of the monotonic clock is cut.
   */
  drain(options: { readonly delayMs: number; readonly cutAt: number }): Promise<void>;
}

/** Watches a server from its first connection on. To be called before the server gets its own listeners. */
export function createDrain(server: Server): Drain {
  /** The open connections, and what is owed on each. A response that waits when its connection dies never says so. */
  const sockets = new Map<Socket, Set<ServerResponse>>();
  /** Connections without a request so far, and when they came. */
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
    // Probes go on coming for as long as we live; they are no reason to live on.
    if (!PROBES.includes(request.url ?? '')) cameLastAt = monotonicClock.now();
    const owed = sockets.get(request.socket);
    owed?.add(response);
    response.once('close', () => {
      owed?.delete(response);
      // Its head was sent before the signal, and so it promised to keep the connection.
      if (phase === 'closing') request.socket.destroySoon();
    });
    if (phase !== 'serving') announceClose(response);
  });

  const running = (): ServerResponse[] => [...sockets.values()].flatMap((owed) => [...owed]);

  const isQuiet = (): boolean => {
    const since = monotonicClock.now() - QUIET_MS;
    // An answer that the kernel has not taken yet counts as idle for Node, which would cut it.
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
      while (!isOver()) await sleep(LOOK_MS);

      phase = 'closing';
      const closed = new Promise<void>((resolve) => server.close(() => resolve())); // closes idle connections, too
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
