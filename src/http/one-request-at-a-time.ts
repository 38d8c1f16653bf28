import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { UNANSWERED_PER_CONNECTION_MAX } from './server-limits';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The unanswered requests of each connection, in order. */
export interface SequentialRequests {
  /**
   * Answers the requests one after the other. Drops requests after an answer that closes the connection. Closes a
   * connection with too many waiting requests.
   */
  readonly listener: RequestListener;
  /**
   * Calls `then` when every complete request of the connection is answered, immediately if none waits. `begun`: an
   * incomplete request has already received a part of its answer.
   */
  afterAnswers(connection: object, then: (begun: boolean) => void): void;
}

/**
 * Answers the requests of a connection in sequence. A client may send many requests before it reads the first answer,
 * and Node would start all of them concurrently. One connection would then delay the others. A confirm could be stored
 * although its answer can no longer be sent, because an earlier answer closed the connection.
 */
export function oneRequestAtATime(answer: RequestListener): SequentialRequests {
  const waiting = new WeakMap<object, Exchange[]>();
  return {
    listener(request, response) {
      const { socket } = request;
      if (socket.destroyed) return; // Node parses the rest of the segment
      const exchanges = waiting.get(socket) ?? [];
      if (exchanges.length >= UNANSWERED_PER_CONNECTION_MAX) return void socket.destroy();
      waiting.set(socket, exchanges);
      exchanges.push({ request, response });
      response.once('finish', () => {
        exchanges.shift();
        const [next] = exchanges;
        if (next !== undefined && socket.writable) answer(next.request, next.response);
      });
      if (exchanges.length === 1) answer(request, response);
    },
    afterAnswers(connection, then) {
      const exchanges = waiting.get(connection) ?? [];
      const end = (): void =>
        then(exchanges.some(({ request, response }) => !request.complete && response.headersSent));
      const lastWhole = exchanges.findLast(({ request }) => request.complete);
      if (lastWhole === undefined) end();
      else lastWhole.response.once('finish', end);
    },
  };
}
