import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

/** A path with an id of 255 percent-encoded bytes needs a tenth of this. */
const TARGET_CHARACTERS_MAX = 8_192;

/** A body is joined after so many pieces: each one takes memory, and may have one byte. */
const PIECES_MAX = 256;

/** Refuses a request by a status alone, before it is parsed. */
class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: 400 | 413 | 414 | 415;
  readonly expose = true;

  constructor(status: RequestRefused['status']) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

/** Refuses an oversized request target with 414, before it is matched or decoded. */
export function requireShortTarget(target = ''): void {
  if (target.length > TARGET_CHARACTERS_MAX) throw new RequestRefused(414);
}

/** Returns whether the request announces a body. */
export function declaresBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Collects the body's bytes up to `limitBytes`; undefined without a body. Refuses a compressed body with 415 and a larger
 * one with 413, both unread. Express's own parser would read an oversized body to its end before refusing it, and would
 * send 100 automatically.
 *
 * @throws RequestRefused.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
): Promise<Buffer | undefined> {
  if (!declaresBody(request)) return undefined;
  begin(request, response, limitBytes);
  return collect(request, limitBytes);
}

/**
 * Yields the body's bytes as they arrive, up to `limitBytes`; nothing without a body. Refuses what `readBody` refuses.
 *
 * @throws RequestRefused, also if the caller leaves in the middle.
 */
export async function* streamedBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
): AsyncGenerator<Buffer> {
  if (!declaresBody(request)) return;
  begin(request, response, limitBytes);
  let bytes = 0;
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  for (;;) {
    const piece = await pieces.next().catch(() => {
      throw new RequestRefused(400);
    });
    if (piece.done === true) return;
    bytes += piece.value.length;
    if (bytes > limitBytes) throw new RequestRefused(413);
    yield piece.value;
  }
}

/** Checks the head of a request with a body, and asks for the body if the client waits for that. */
function begin(request: IncomingMessage, response: ServerResponse, limitBytes: number): void {
  const { headers } = request;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new RequestRefused(415);
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw new RequestRefused(413);
  if (expectsContinue(request) && !request.complete) response.writeContinue();
}

/** Reads the body as `readBody` does, for a route of Express. */
export function rawBody(limitBytes: number): RequestHandler {
  return async (request, response, next) => {
    request.body = await readBody(request, response, limitBytes);
    next();
  };
}

/** Returns whether the client waits for a 100. HTTP/1.0 does not have it. */
function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /^100-continue$/i.test(headers.expect ?? '');
}

function collect(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limitBytes) return refuse(413);
      chunks.push(chunk);
      if (chunks.length >= PIECES_MAX) chunks = [Buffer.concat(chunks)];
    };
    const refuse = (status: 400 | 413): void => {
      request.off('data', take);
      reject(new RequestRefused(status));
    };
    const lost = (): void => refuse(400);
    request.on('data', take);
    request.once('end', () => {
      request.off('close', lost); // it also follows the end, and an error takes long to create
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    // The caller closed the connection, so no answer can reach it.
    request.once('error', lost);
    request.once('close', lost);
  });
}
