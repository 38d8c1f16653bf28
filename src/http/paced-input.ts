import type { Socket } from 'node:net';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Bytes of an incomplete request that are passed on at least, so that a body full of empty lines costs few steps. */
const BODY_STEP = 256;
/** And at most: the parser reports each chunk of a body, and a chunk may have one byte. */
const BODY_STEP_MAX = 4 * 1024;
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
 * Returns where the headers end that begin at or after `from`, or the end of the bytes. Node's parser also accepts a
 * lone line feed. Each call reads only up to the end that it returns.
 */
function headEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LINE_FEED, from); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (bytes[at + 1] === LINE_FEED) return at + 2;
    if (bytes[at + 1] === CARRIAGE_RETURN && bytes[at + 2] === LINE_FEED) return at + 3;
  }
  return bytes.length;
}

/** Returns the number of leading line ends, which Node's parser skips before a request. */
function leadingLineEnds(bytes: Buffer): number {
  let count = 0;
  while (bytes[count] === LINE_FEED || bytes[count] === CARRIAGE_RETURN) count += 1;
  return count;
}

type Allowed = 'next_request' | 'rest_of_request';

/** Received bytes, in the pieces in which the parser gets them. */
class WaitingBytes {
  #bytes: Buffer = NONE;

  get length(): number {
    return this.#bytes.length;
  }

  add(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  takePiece(allowed: Allowed): Buffer {
    const end =
      allowed === 'next_request'
        ? headEnd(this.#bytes, leadingLineEnds(this.#bytes))
        : Math.min(headEnd(this.#bytes, BODY_STEP), BODY_STEP_MAX);
    const piece = this.#bytes.subarray(0, end);
    this.#bytes = piece.length === this.#bytes.length ? NONE : this.#bytes.subarray(piece.length);
    return piece;
  }

  clear(): void {
    this.#bytes = NONE;
  }
}

type TakeTurn = (start: () => void) => void;

/**
 * Passes the bytes of a connection to Node's parser one request at a time, as long as `may` allows the next one. Node
 * would parse everything that arrived at once, and with hundreds of pipelining connections every other call waits for
 * that. The rest stays unread, and TCP slows the sender down. A long body is passed on in steps, each in its own turn.
 *
 * After the last answer, the rest is read and discarded. The kernel resets a connection that is closed with unread
 * bytes, and the caller could lose that answer.
 *
 * It takes the place of the functions by which a socket fills its stream and by which Node closes it. Call it after
 * Node's own listener of `connection`. `takeTurn` must not call back immediately.
 */
export function paceInput(socket: Socket, may: () => Allowed | 'nothing', takeTurn: TakeTurn): PacedInput {
  const push = socket.push.bind(socket);
  const read = socket._read.bind(socket);
  const close = socket.destroySoon.bind(socket);
  const waiting = new WaitingBytes();
  let ended = false;
  let isAdvancing = false;
  /** Whether the rest of a body waits for its turn. */
  let awaitsTurn = false;
  /** The bytes that the caller may still send after the last answer; undefined before it. */
  let restLeft: number | undefined;

  /** Returns whether the socket may read on. */
  function advance(): boolean {
    if (isAdvancing || awaitsTurn) return false;
    isAdvancing = true;
    let isWanted = true;
    try {
      // Bytes that the stream has not passed on yet would reach the parser together with the next ones.
      while (waiting.length > 0 && socket.readableLength === 0 && !socket.destroyed) {
        const allowed = may();
        if (allowed === 'nothing') break;
        isWanted = push(waiting.takePiece(allowed));
        if (allowed === 'next_request' || waiting.length === 0) continue;
        awaitsTurn = true;
        takeTurn(takeUp);
        break;
      }
    } finally {
      isAdvancing = false;
    }
    if (waiting.length > 0) return false;
    return ended ? push(null) : isWanted;
  }

  function takeUp(): void {
    awaitsTurn = false;
    advance();
  }

  function discard(chunk: Buffer | null, left: number): boolean {
    restLeft = left - (chunk?.length ?? 0);
    if (chunk === null || restLeft < 0) close();
    return true;
  }

  socket.push = (chunk: Buffer | null) => {
    if (restLeft !== undefined) return discard(chunk, restLeft);
    if (chunk === null) ended = true;
    else waiting.add(chunk);
    return advance();
  };
  socket._read = (size) => {
    if (waiting.length === 0) read(size);
  };
  socket.destroySoon = () => {
    if (restLeft !== undefined) return;
    if (ended || !socket.writable) return close();
    restLeft = REST_BYTES_MAX - waiting.length;
    waiting.clear();
    socket.end();
    const timer = setTimeout(close, REST_MS);
    socket.once('close', () => clearTimeout(timer));
    read(0);
  };
  // Without a listener, Node's parser takes the bytes from the kernel's handle and the stream never sees them.
  socket.on('data', () => advance());
  return { isWaiting: () => waiting.length > 0, advance: () => void advance() };
}
