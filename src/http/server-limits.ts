import type { ServerOptions } from 'node:http';

/** Slow and silent clients are closed within these bounds; Node's own defaults are minutes. */
export const SERVER_LIMITS: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  // Above that of the usual proxies, so that it is the proxy that closes an idle connection.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
};
