import type { ServerOptions } from 'node:http';
import { SECOND_MS } from '../kernel';

/** Slow and silent clients are closed within these bounds; Node's own defaults are minutes. */
export const SERVER_LIMITS: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: SECOND_MS,
  // Above that of the usual proxies, so that it is the proxy that closes an idle connection.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // `isAmbiguous` requires it: Node answers 400, and goes on to what stands behind it on the connection.
  requireHostHeader: false,
};

/** A proxy needs a few connections. Beyond these, one that has shown no good token is closed. */
export const CONNECTIONS_MAX = 4_096;

/** The last answer says `Connection: close`, and the connection is closed with it. */
export const REQUESTS_PER_CONNECTION_MAX = 1_000;

/** Each costs kilobytes until it is answered. A gateway waits for an answer before it asks again, or asks a few ahead. */
export const UNANSWERED_PER_CONNECTION_MAX = 100;
