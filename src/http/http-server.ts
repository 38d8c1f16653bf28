import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../logging';
import { isAmbiguous } from './ambiguous';
import { limitConnections } from './connections';
import { findLastRequest } from './last-request';
import { oneRequestAtATime } from './one-request-at-a-time';
import { sendProblem } from './responses';
import { CONNECTIONS_MAX, SERVER_LIMITS } from './server-limits';

/** Statuses for input that is not a valid HTTP request, answered without a body (open point 132). */
const STATUS_OF_FAULT: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

export interface HttpServerOptions {
  readonly logger: Logger;
  readonly connectionsMax?: number;
}

/** Creates a server with every limit set. It does not listen and has no handler yet. */
export function createHttpServer({ logger, connectionsMax = CONNECTIONS_MAX }: HttpServerOptions): Server {
  const server = createServer(SERVER_LIMITS);
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
export function answerRequests(server: Server, answer: RequestListener): void {
  const { listener, afterAnswers } = oneRequestAtATime((request, response) => {
    if (!isAmbiguous(request)) return answer(request, response);
    response.setHeader('Connection', 'close');
    sendProblem(response, 400, 'bad_request');
  });
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
      if (!connection.writable) return void connection.destroy();
      if (!begun) connection.write(refusalText(STATUS_OF_FAULT[error.code ?? ''] ?? 400));
      connection.end(() => connection.destroy());
    });
  });
}

function refusalText(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}
