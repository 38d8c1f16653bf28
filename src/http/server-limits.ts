import type { ServerOptions } from 'node:http';

/** Slow and silent clients are closed within these bounds; Node's own defaults are minutes. */
export const SERVER_LIMITS: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  // Above that of the usual proxies, so that it is the proxy that closes an idle connection.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // `isAmbiguous` requires it: Node answers 400, and goes on to what stands behind it on the connection.
  requireHostHeader: false,
};

/** A proxy needs a few connections; beyond these a new one is dropped unread. */
export const CONNECTIONS_MAX = 4_096;

/**
 * The last answer says `Connection: close`. What a client sends after it all the same is answered 503 by Node and looked
 * at by nobody.
 */
export const REQUESTS_PER_CONNECTION_MAX = 1_000;
