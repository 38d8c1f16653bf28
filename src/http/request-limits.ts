import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { AppError } from '../kernel';

/** A path with an id of 255 percent-encoded bytes needs a tenth of this. */
const TARGET_CHARACTERS_MAX = 8_192;

/** So many pieces are joined to one: each one takes memory, and may have one byte. */
const PIECES_MAX = 256;

const BYTES_PER_MIB = 1024 * 1024;
/** The files that this process receives or keeps until their answers: of one person, and of all. */
const FILE_BYTES_OF_ONE_MAX = 66 * BYTES_PER_MIB;
const FILE_BYTES_MAX = 4 * FILE_BYTES_OF_ONE_MAX;
const fileBytes = new Map<string, number>();

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

/** Collects pieces. Each byte is copied a few times, however small its piece. */
export class Pieces {
  readonly #levels: Buffer[][] = [];

  add(piece: Buffer, level = 0): void {
    const pieces = (this.#levels[level] ??= []);
    pieces.push(piece);
    if (pieces.length < PIECES_MAX) return;
    this.#levels[level] = [];
    this.add(Buffer.concat(pieces), level + 1);
  }

  whole(): Buffer {
    const pieces = this.#levels.toReversed().flat();
    const [only] = pieces;
    return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
  }
}

/**
 * Collects the body's bytes up to `limitBytes`; undefined without a body. Refuses a compressed body with 415 and a larger
 * one with 413, both unread. Express's own parser would read an oversized body to its end before refusing it, and would
 * send 100 automatically.
 *
 * @throws RequestRefused; AppError `unavailable` if its owner or all have too many bytes of files in memory.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
  { owner }: BodyOptions = {},
): Promise<Buffer | undefined> {
  if (!declaresBody(request)) return undefined;
  if (owner !== undefined) {
    const pieces = new Pieces();
    for await (const piece of streamedBody(request, response, limitBytes, { owner })) pieces.add(piece);
    return pieces.whole();
  }
  begin(request, response, limitBytes);
  return collect(request, limitBytes);
}

interface BodyOptions {
  /** The person whose file the body is, if it stays in memory. What arrives counts, so that a slow one takes no place. */
  readonly owner?: string | undefined;
}

/** Counts bytes of a file until its answer. @throws AppError `unavailable` beyond the bytes of its owner or of all. */
function keepBytes(owner: string, response: ServerResponse): (bytes: number) => void {
  let kept = 0;
  const add = (bytes: number): void => {
    kept += bytes;
    const own = (fileBytes.get(owner) ?? 0) + bytes;
    if (own > 0) fileBytes.set(owner, own);
    else fileBytes.delete(owner);
  };
  response.once('close', () => add(-kept));
  return (bytes) => {
    const all = [...fileBytes.values()].reduce((sum, each) => sum + each, bytes);
    if ((fileBytes.get(owner) ?? 0) + bytes > FILE_BYTES_OF_ONE_MAX || all > FILE_BYTES_MAX) {
      throw new AppError('unavailable', 'too many files are received at this moment');
    }
    add(bytes);
  };
}

/**
 * Yields the body's bytes as they arrive, up to `limitBytes`; nothing without a body. Refuses what `readBody` refuses.
 *
 * @throws RequestRefused, also if the caller leaves in the middle; AppError `unavailable` as `readBody`.
 */
export async function* streamedBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
  { owner }: BodyOptions = {},
): AsyncGenerator<Buffer> {
  if (!declaresBody(request)) return;
  begin(request, response, limitBytes);
  const keep = owner === undefined ? undefined : keepBytes(owner, response);
  let bytes = 0;
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  for (;;) {
    const piece = await pieces.next().catch(() => {
      throw new RequestRefused(400);
    });
    if (piece.done === true) return;
    bytes += piece.value.length;
    if (bytes > limitBytes) throw new RequestRefused(413);
    keep?.(piece.value.length);
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
    const pieces = new Pieces();
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limitBytes) return refuse(413);
      pieces.add(chunk);
    };
    const refuse = (status: 400 | 413): void => {
      request.off('data', take);
      reject(new RequestRefused(status));
    };
    const lost = (): void => refuse(400);
    request.on('data', take);
    request.once('end', () => {
      request.off('close', lost); // it also follows the end, and an error takes long to create
      resolve(pieces.whole());
    });
    // The caller closed the connection, so no answer can reach it.
    request.once('error', lost);
    request.once('close', lost);
  });
}
