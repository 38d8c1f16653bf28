import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicClock } from '../kernel';
import type { BodyDeadlines } from './body-deadlines';
import { isProven, noteUnanswered } from './connections';
import { createFairTurns, type Stranger } from './fair-turns';
import { type PacedInput, paceInput } from './paced-input';
import { STRANGER_PIPELINED_MAX } from './server-limits';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether its turn came. Its body is not read before. */
  isBegun: boolean;
}

interface Connection {
  /** The unanswered requests, in order. The last one alone may be incomplete. */
  readonly exchanges: Exchange[];
  readonly input: PacedInput;
  /** When the first byte of the next request was passed to the parser; undefined before it. */
  begunAt: number | undefined;
  /** Requests behind which more had arrived before a valid token did. */
  pipelined: number;
}

/** The unanswered requests of each connection, in order. */
export interface SequentialRequests {
  /** Watches a new connection. Call it after Node's own listener of `connection`. */
  readonly accept: (socket: Socket) => void;
  /** Answers the requests one after the other. Drops requests after an answer that closes the connection. */
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
 *
 * A connection with a valid token is answered immediately; the others share turns. Until its first valid token a
 * connection may send few requests ahead, so that strangers cannot occupy the process.
 */
export function oneRequestAtATime(
  answer: RequestListener,
  watchBody: BodyDeadlines['watch'] = () => undefined,
): SequentialRequests {
  const connections = new WeakMap<object, Connection>();
  const takeTurn = createFairTurns();

  function begin(connection: Connection, exchange: Exchange): void {
    const { request, response } = exchange;
    const start = (): void => {
      exchange.isBegun = true;
      answer(request, response);
      connection.input.advance();
    };
    if (isProven(request.socket)) return start();
    takeTurn(strangerOf(request), () => {
      if (!request.socket.writable) return;
      if (connection.pipelined >= STRANGER_PIPELINED_MAX) response.setHeader('Connection', 'close');
      start();
    });
  }

  function goOn(connection: Connection): void {
    const [next] = connection.exchanges;
    if (next === undefined) connection.input.advance();
    else if (next.request.socket.writable) begin(connection, next);
  }

  return {
    accept(socket) {
      if (socket.destroyed) return;
      connections.set(socket, openConnection(socket, takeTurn));
    },
    listener(request, response) {
      const connection = connections.get(request.socket);
      if (connection === undefined || request.socket.destroyed) return; // Node parses the rest of what it was passed
      const { exchanges, input } = connection;
      const exchange = { request, response, isBegun: false };
      exchanges.push(exchange);
      watchBody(request, connection.begunAt ?? monotonicClock.now());
      connection.begunAt = undefined;
      noteUnanswered(request.socket, true);
      response.once('finish', () => {
        exchanges.shift();
        noteUnanswered(request.socket, exchanges.length > 0);
        if (exchanges.length === 0 && !input.isWaiting()) return;
        if (!isProven(request.socket)) connection.pipelined += 1;
        // Other connections have their turn first.
        setImmediate(goOn, connection);
      });
      if (exchanges.length === 1) begin(connection, exchange);
    },
    afterAnswers(socket, then) {
      const exchanges = connections.get(socket)?.exchanges ?? [];
      const end = (): void =>
        then(exchanges.some(({ request, response }) => !request.complete && response.headersSent));
      const lastWhole = exchanges.findLast(({ request }) => request.complete);
      if (lastWhole === undefined) end();
      else lastWhole.response.once('finish', end);
    },
  };
}

function openConnection(socket: Socket, takeTurn: ReturnType<typeof createFairTurns>): Connection {
  const exchanges: Exchange[] = [];
  const may = (): ReturnType<typeof allowed> => {
    const next = allowed(exchanges);
    if (next === 'next_request') connection.begunAt ??= monotonicClock.now();
    return next;
  };
  const input = paceInput(socket, may, (start) =>
    setImmediate(() => (isProven(socket) ? start() : takeTurn(strangerOf(exchanges[0]?.request), start))),
  );
  const connection: Connection = { exchanges, input, begunAt: undefined, pipelined: 0 };
  return connection;
}

function strangerOf(request: IncomingMessage | undefined): Stranger {
  return request?.headers.authorization === undefined ? 'without_token' : 'with_token';
}

/** Returns what the parser may get: of a body only the one that is due. */
function allowed([due, ...others]: readonly Exchange[]): 'next_request' | 'rest_of_request' | 'nothing' {
  if (due === undefined) return 'next_request';
  return due.isBegun && !due.request.complete && others.length === 0 ? 'rest_of_request' : 'nothing';
}
