import type { ServerOptions } from 'node:http';
import { SECOND_MS } from '../kernel';

/** Closes slow and silent clients within these limits; Node's defaults are minutes. */
export const SERVER_LIMITS: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: SECOND_MS,
  // Longer than the idle time of usual proxies, so that the proxy closes an idle connection.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // `isAmbiguous` checks the host. Node would answer 400 and continue with the next bytes of the connection.
  requireHostHeader: false,
};

/** The last answer has `Connection: close`, and the connection closes with it. */
export const REQUESTS_PER_CONNECTION_MAX = 1_000;

/**
 * Before its first valid token a connection may send so many requests ahead. The next answer closes it. Callers without
 * a token are probes and browsers, which wait for each answer.
 */
export const STRANGER_PIPELINED_MAX = 4;
