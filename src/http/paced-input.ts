import type { Socket } from 'node:net';

/** The end of a request's headers, with the line end of its last line. Node's parser also accepts a lone line feed. */
const HEAD_ENDS = ['\n\r\n', '\n\n'];
/** Bytes of an incomplete request that are passed on at least, so that a body full of empty lines costs few steps. */
const BODY_STEP = 256;
const NONE = Buffer.alloc(0);

/** How much, and how long, a caller may still send after the last answer before its connection is closed. */
const REST_BYTES_MAX = 4 * 1024 * 1024;
const REST_MS = 2_000;

/** The received bytes of a connection that its parser has not seen. */
export interface PacedInput {
  isWaiting(): boolean;
  /** Passes waiting bytes on, until a complete request is unanswered. */
  advance(): void;
}

/**
 * Passes the bytes of a connection to Node's parser one request at a time, as long as `may` allows the next one. Node
 * would parse everything that arrived at once, and with hundreds of pipelining connections every other call waits for
 * that. The rest stays unread, and TCP slows the sender down.
 *
 * After the last answer, the rest is read and discarded. The kernel resets a connection that is closed with unread
 * bytes, and the caller could lose that answer.
 *
 * It takes the place of the functions by which a socket fills its stream and by which Node closes it. Call it after
 * Node's own listener of `connection`.
 */
export function paceInput(socket: Socket, may: () => 'next_request' | 'rest_of_request' | 'nothing'): PacedInput {
  const push = socket.push.bind(socket);
  const read = socket._read.bind(socket);
  const close = socket.destroySoon.bind(socket);
  let waiting: Buffer = NONE;
  let ended = false;
  let isAdvancing = false;
  /** The bytes that the caller may still send after the last answer; undefined before it. */
  let restLeft: number | undefined;

  const nextPiece = (atLeast: number): Buffer => {
    const ends = HEAD_ENDS.map((end) => [waiting.indexOf(end, atLeast), end.length] as const);
    const cuts = ends.filter(([at]) => at >= 0).map(([at, length]) => at + length);
    const piece = waiting.subarray(0, Math.min(...cuts, waiting.length));
    waiting = piece.length === waiting.length ? NONE : waiting.subarray(piece.length);
    return piece;
  };

  /** Returns whether the socket may read on. */
  function advance(): boolean {
    if (isAdvancing) return false;
    isAdvancing = true;
    let isWanted = true;
    try {
      // Bytes that the stream has not passed on yet would reach the parser together with the next ones.
      while (waiting.length > 0 && socket.readableLength === 0 && !socket.destroyed) {
        const allowed = may();
        if (allowed === 'nothing') break;
        isWanted = push(nextPiece(allowed === 'next_request' ? 0 : BODY_STEP));
      }
    } finally {
      isAdvancing = false;
    }
    if (waiting.length > 0) return false;
    return ended ? push(null) : isWanted;
  }

  function discard(chunk: Buffer | null, left: number): boolean {
    restLeft = left - (chunk?.length ?? 0);
    if (chunk === null || restLeft < 0) close();
    return true;
  }

  socket.push = (chunk: Buffer | null) => {
    if (restLeft !== undefined) return discard(chunk, restLeft);
    if (chunk === null) ended = true;
    else waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    return advance();
  };
  socket._read = (size) => {
    if (waiting.length === 0) read(size);
  };
  socket.destroySoon = () => {
    if (restLeft !== undefined) return;
    if (ended || !socket.writable) return close();
    restLeft = REST_BYTES_MAX - waiting.length;
    waiting = NONE;
    socket.end();
    const timer = setTimeout(close, REST_MS);
    socket.once('close', () => clearTimeout(timer));
    read(0);
  };
  // Without a listener, Node's parser takes the bytes from the kernel's handle and the stream never sees them.
  socket.on('data', () => advance());
  return { isWaiting: () => waiting.length > 0, advance: () => void advance() };
}
