import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Returns a signal that aborts if the client leaves before its answer: it closes the connection, or its sending half,
 * which a closed connection cannot be told from. Call it after the request was read.
 */
export function clientLeft({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const leave = (): void => left.abort();
  if (socket.readableEnded || socket.destroyed) leave();
  socket.once('end', leave);
  response.once('close', () => {
    // The connection may serve further requests.
    socket.off('end', leave);
    if (!response.writableFinished) leave();
  });
  return left.signal;
}
