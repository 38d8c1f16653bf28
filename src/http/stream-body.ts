import type { ServerResponse } from 'node:http';
import { AppError, SECOND_MS } from '../kernel';
import { bodyHeaders } from './responses';

/** How long a client may read nothing while the server holds what it reads from. */
const STALL_LIMIT_MS = 60 * SECOND_MS;

/** Accepts a piece of a body; the next one is due after it resolves. False: the client is gone. */
export type BodyWriter = (piece: string | Buffer) => Promise<boolean>;

export interface StreamedBody {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Writes the body. Until its first piece it may throw, and nothing is sent then. */
  readonly produce: (write: BodyWriter) => Promise<unknown>;
}

/**
 * Sends a body piece by piece, as fast as the client reads it.
 *
 * @throws AppError `unavailable` if the client reads nothing for a minute; and every error of `produce`. If the headers
 * are sent by then, the caller must end the connection, so that the body does not appear complete.
 */
export async function streamBody(
  response: ServerResponse,
  { type, headers, produce }: StreamedBody,
  stallLimitMs = STALL_LIMIT_MS,
): Promise<void> {
  const begin = (): void => {
    if (!response.headersSent) response.writeHead(200, bodyHeaders(type, headers));
  };
  if (response.req.method !== 'HEAD') {
    await produce((piece) => {
      if (response.destroyed) return Promise.resolve(false);
      begin();
      return written(response, piece, stallLimitMs);
    });
  }
  if (response.destroyed) return;
  begin();
  response.end();
}

function written(response: ServerResponse, piece: string | Buffer, stallLimitMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = (isWritten: boolean): void => {
      clearTimeout(timer);
      response.off('close', onClose);
      resolve(isWritten);
    };
    const onClose = (): void => end(false);
    const timer = setTimeout(() => {
      response.off('close', onClose);
      reject(new AppError('unavailable', `the client read nothing for ${stallLimitMs / SECOND_MS} s`));
    }, stallLimitMs);
    response.once('close', onClose);
    response.write(piece, (error) => end(error === null || error === undefined));
  });
}
