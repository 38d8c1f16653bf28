import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicClock } from '../kernel';
import type { Logger } from '../logging';
import { RateCounter } from './rate-counter';

/** Connections on which a valid token or a signed webhook has arrived. */
const proven = new WeakSet<object>();
/** Connections with an unanswered request. */
const owed = new WeakSet<object>();

/** Records that a request with a valid token or signature arrived on this connection: it keeps its slot from now on. */
export function prove(connection: object): void {
  proven.add(connection);
}

export function isProven(connection: object): boolean {
  return proven.has(connection);
}

/** Records whether a complete request of this connection waits for its answer. */
export function noteUnanswered(connection: object, isUnanswered: boolean): void {
  if (isUnanswered) owed.add(connection);
  else owed.delete(connection);
}

/**
 * Limits the server to `connectionsMax` connections. When another one arrives, a connection without a valid token is
 * closed: the oldest idle one, or the oldest of all if none is idle. So a client that opens too many closes its own
 * connections, and the gateway's stay, idle or not. If all have a valid token, the new one is closed. Node's
 * `maxConnections` would always close the new one.
 */
export function limitConnections(
  server: Server,
  { logger, connectionsMax }: { readonly logger: Logger; readonly connectionsMax: number },
): void {
  const open = new Set<Socket>();
  /** Oldest first. Connections authenticated later are skipped when a slot is needed. */
  const mayBeUnproven = new Set<Socket>();
  const dropped = new RateCounter(monotonicClock);

  const forget = (socket: Socket): void => {
    open.delete(socket);
    mayBeUnproven.delete(socket);
  };
  const leastMissed = (): Socket | undefined => {
    let oldest: Socket | undefined;
    for (const socket of mayBeUnproven) {
      if (proven.has(socket)) mayBeUnproven.delete(socket);
      else if (!owed.has(socket)) return socket;
      else oldest ??= socket;
    }
    return oldest;
  };

  server.on('connection', (socket) => {
    if (open.size >= connectionsMax) {
      const loser = leastMissed() ?? socket;
      forget(loser);
      loser.destroy();
      warn();
    }
    if (socket.destroyed) return;
    open.add(socket);
    mayBeUnproven.add(socket);
    socket.once('close', () => forget(socket));
  });

  function warn(): void {
    const { inWindow, inLastWindow } = dropped.count('connections');
    if (inWindow > 1) return;
    logger.warn('connection dropped, limit reached', {
      event: 'http.connection_dropped',
      connectionsMax,
      proven: [...open].filter((socket) => proven.has(socket)).length,
      droppedInLastMinute: inLastWindow,
    });
  }
}
