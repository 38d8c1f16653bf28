import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicClock } from '../kernel';
import type { Logger } from '../logging';
import { RateCounter } from './rate-counter';

/** Connections on which a good token has come. */
const proven = new WeakSet<object>();

/** Says that a request with a good token came on this connection: it keeps its place from now on. */
export function prove(connection: object): void {
  proven.add(connection);
}

/**
 * Keeps no more than `connectionsMax` connections. When one more comes, the oldest on which no good token has come yet
 * loses its place to it: a client that fills all places closes its own connections; the gateway's stay, idle or not. Only
 * when every one is proven is the new one closed. Not Node's `maxConnections`, which always closes the new one.
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
  const oldestUnproven = (): Socket | undefined => {
    for (const socket of mayBeUnproven) {
      if (!proven.has(socket)) return socket;
      mayBeUnproven.delete(socket);
    }
    return undefined;
  };

  server.on('connection', (socket) => {
    if (open.size >= connectionsMax) {
      const loser = oldestUnproven() ?? socket;
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
