import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { UNANSWERED_PER_CONNECTION_MAX } from './server-limits';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The requests of each connection that are not answered yet, in their order. */
export interface SequentialRequests {
  /**
   * Answers one after the other. Requests behind an answer that closes the connection are dropped. A connection
   * on which too many wait is closed.
   */
  readonly listener: RequestListener;
  /**
   * Runs `then` once every whole request of the connection is answered; at once when none waits. `begun`: a request that
   * is not whole has read a part of its answer.
   */
  afterAnswers(connection: object, then: (begun: boolean) => void): void;
}

/**
 * A client may send many requests before it reads the first answer. Node would start them all at once: one connection
 * would keep the others waiting, and a confirm could be stored whose answer can no longer be sent, because the one before
 * it closed the connection.
 */
export function oneRequestAtATime(answer: RequestListener): SequentialRequests {
  const waiting = new WeakMap<object, Exchange[]>();
  return {
    listener(request, response) {
      const { socket } = request;
      if (socket.destroyed) return; // Node reads on to the end of the segment
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
