import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { Logger } from '../logging';
import { bodyDeadlines } from './body-deadlines';
import { connectionLimit } from './connection-limit';
import { limitConnections } from './connections';
import { oneRequestAtATime } from './one-request-at-a-time';
import { BROWSER_RULES, sendProblem } from './responses';
import { REQUESTS_PER_CONNECTION_MAX, SERVER_LIMITS } from './server-limits';
import { messagesOf } from './strict-app';

/** Statuses for input that is not a valid HTTP request, answered without a body (open point 132). */
const STATUS_OF_FAULT: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers a request, or calls `next`. An Express application is one. */
type Answer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface HttpServerOptions {
  readonly logger: Logger;
  /** As many as the process can hold, if not given. */
  readonly connectionsMax?: number;
  /** The application that answers, if it is one of Express. */
  readonly app?: Express;
}

/** Creates a server with every limit set. It does not listen and has no handler yet. */
export function createHttpServer({
  logger,
  connectionsMax = connectionLimit().connectionsMax,
  app,
}: HttpServerOptions): Server {
  const server = createServer({ ...SERVER_LIMITS, ...(app === undefined ? {} : messagesOf(app)) });
  // With Node's default, headers beyond 2,000 are dropped and a repeated header could stay undetected. The size limit
  // is enough.
  server.maxHeadersCount = 0;
  allowHalfOpen(server);
  limitConnections(server, { logger, connectionsMax });
  return server;
}

/**
 * Allows a caller that has sent a whole request to half-close its connection (FIN) and still get its answer, because
 * its confirm may be stored. By default Node ends the connection immediately. Node has had this property since its
 * first versions, but its documentation and its types do not name it; the tests cover it.
 */
function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/** Passes each request to `answer`, and ends connections that send anything else. */
export function answerRequests(server: Server, answer: Answer): void {
  const { watch } = bodyDeadlines(server);
  const { accept, listener, afterAnswers } = oneRequestAtATime((request, response) => {
    // Express skips every handler if the request target has no path.
    if (!isAmbiguous(request)) return answer(request, response, () => sendProblem(response, 404, 'not_found'));
    response.setHeader('Connection', 'close');
    sendProblem(response, 400, 'bad_request');
  }, watch);
  server.on('connection', accept);
  const isLast = findLastRequest();
  server.on('request', (request, response) => {
    if (isLast(request)) response.setHeader('Connection', 'close');
    listener(request, response);
  });
  // Node would answer 100 or 417 before the token is checked; `rawBody` sends 100 when it needs the body.
  const likeAnyOther: RequestListener = (request, response) => void server.emit('request', request, response);
  server.on('checkContinue', likeAnyOther);
  server.on('checkExpectation', likeAnyOther);

  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    if (broken.has(connection)) return;
    broken.add(connection);
    // Node would answer immediately, and the sender of an earlier confirm would read this 400 as the confirm's answer.
    afterAnswers(connection, (begun) => {
      if (connection.writable && !begun) connection.write(refusalText(STATUS_OF_FAULT[error.code ?? ''] ?? 400));
      (connection as Socket).destroySoon();
    });
  });
}

function refusalText(status: number): string {
  const headers = [...BROWSER_RULES, ['Connection', 'close'], ['Content-Length', '0']];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}

/**
 * Returns whether a proxy in front of Millime may read a request differently than Node (RFC 9112 sections 2.3, 3.2 and
 * 6.1). It has an unknown version, no host or two, or a transfer encoding other than `chunked` alone.
 */
function isAmbiguous({ httpVersion, headersDistinct }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return true;
  const hosts = headersDistinct['host']?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return true;
  const transferEncoding = headersDistinct['transfer-encoding']?.join(', ').toLowerCase();
  return transferEncoding !== undefined && (transferEncoding !== 'chunked' || httpVersion === '1.0');
}

/** Returns a function that recognizes the last request of its connection; nothing after it may be read. */
function findLastRequest(): (request: IncomingMessage) => boolean {
  // Node's `maxRequestsPerSocket` is not used: it sends `Connection: close` but leaves the connection open.
  const counts = new WeakMap<object, number>();
  return ({ socket, headers }) => {
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    // Millime supports no upgrade, but Node's parser has already skipped the rest of the segment after such a request.
    // The next request could be read from its middle, and its answer would be taken for another request's.
    return count >= REQUESTS_PER_CONNECTION_MAX || headers.upgrade !== undefined;
  };
}
