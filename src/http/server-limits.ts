import type { ServerOptions } from 'node:http';
import { SECOND_MS } from '../kernel';

/** The time for the head of a request, from its first byte. */
export const HEAD_MS = 5_000;
/** The time for a whole request, from its first byte. */
export const REQUEST_MS = 10_000;
/** The time for a body that an authenticated caller may send slowly: 64 MiB at 1 Mbit/s take 9 minutes. */
export const LONG_BODY_MS = 600_000;

/** Closes slow and silent clients within these limits; Node's defaults are minutes. */
export const SERVER_LIMITS = {
  headersTimeout: HEAD_MS,
  // `bodyDeadlines` ends the others after `REQUEST_MS`.
  requestTimeout: LONG_BODY_MS + REQUEST_MS,
  connectionsCheckingInterval: SECOND_MS,
  // Longer than the idle time of usual proxies, so that the proxy closes an idle connection.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // `isAmbiguous` checks the host. Node would answer 400 and continue with the next bytes of the connection.
  requireHostHeader: false,
} as const satisfies ServerOptions;

/** The last answer has `Connection: close`, and the connection closes with it. */
export const REQUESTS_PER_CONNECTION_MAX = 1_000;

/**
 * Before its first valid token a connection may send so many requests ahead. The next answer closes it. Callers without
 * a token are probes and browsers, which wait for each answer.
 */
export const STRANGER_PIPELINED_MAX = 4;
