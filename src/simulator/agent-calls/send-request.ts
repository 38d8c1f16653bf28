import { type ClientRequest, type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { urlToHttpOptions } from 'node:url';

/** An answer of section 4.6 has three short fields, so a longer body is not one. */
const ANSWER_BYTES_MAX = 64 * 1024;

/**
 * How long a TLS connection stays open after the last byte was sent. TLS 1.3 servers send tickets without a request. If
 * the connection closes before they are read, it is reset, and the server loses the bytes that it has not read yet.
 */
const SECURE_LINGER_MS = 50;

const SLOW_PIECES = 8;
const SLOW_PAUSE_MS = 40;

/**
 * The faults of a request.
 *
 * - `lose_reply`: sent completely; the connection closes at the first byte of the answer.
 * - `leave_early`: sent completely; the connection closes without waiting for an answer.
 * - `cut_request`: the connection closes after half of the body.
 * - `slow_body`: the body is sent in small pieces.
 */
export type WireFault = 'lose_reply' | 'leave_early' | 'cut_request' | 'slow_body';

export interface OutgoingRequest {
  /** Scheme, host and port. */
  readonly target: URL;
  readonly method: 'GET' | 'POST';
  /** The exact path; it is not normalized. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly fault: WireFault | undefined;
  /** The time from the name lookup to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Aborted when the caller no longer waits for the answer: the connection closes. */
  readonly signal?: AbortSignal | undefined;
}

/** How a request ended. After `lost` and `timed_out` the other side may have processed it. */
export type Exchange =
  | { readonly kind: 'whole'; readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }
  | { readonly kind: 'too_large'; readonly status: number; readonly bytesMax: number }
  /** `unheard`: the bytes that had arrived when the connection was closed on purpose. */
  | { readonly kind: 'lost'; readonly unheard: Buffer }
  | { readonly kind: 'not_connected'; readonly reason: string }
  | { readonly kind: 'timed_out' };

const LOST: Exchange = { kind: 'lost', unheard: Buffer.alloc(0) };
const STOPPED: Exchange = { kind: 'not_connected', reason: 'it was stopped before there was a connection' };

/**
 * Sends one request on a new connection. The other side could close a reused connection during the write, and the reply
 * would then be lost by accident and not by plan. Does not follow redirects. Never rejects because of the other side.
 */
export function sendRequest(sent: OutgoingRequest): Promise<Exchange> {
  const { target, method, path, headers, body, fault, timeoutMs, signal } = sent;
  if (signal?.aborted === true) return Promise.resolve(STOPPED);
  return new Promise((resolve) => {
    const secure = target.protocol === 'https:';
    const { hostname, port, protocol } = urlToHttpOptions(target);
    const options = { hostname, port, protocol, method, path, headers, agent: false } as const;
    const outgoing = secure ? requestSecure(options) : requestPlain(options);
    let connected = false;
    const end = (exchange: Exchange): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(exchange);
      outgoing.destroy();
    };
    const broken = (reason: string): void => end(connected ? LOST : { kind: 'not_connected', reason });
    const stop = (): void => end(connected ? LOST : STOPPED);
    const timer = setTimeout(() => end({ kind: 'timed_out' }), timeoutMs);
    signal?.addEventListener('abort', stop);

    outgoing.once('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
      const deaf = fault === 'lose_reply' || fault === 'leave_early';
      if (deaf) socket.once('data', (unheard: Buffer) => end({ kind: 'lost', unheard }));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => broken(error.code ?? 'the connection failed'));
    outgoing.once('close', () => broken('the connection was closed'));
    readAnswer(outgoing, end);
    write(outgoing, body, fault, () => {
      if (secure) setTimeout(() => end(LOST), SECURE_LINGER_MS);
      else end(LOST);
    });
  });
}

function readAnswer(outgoing: ClientRequest, end: (exchange: Exchange) => void): void {
  outgoing.once('response', (incoming) => {
    const { statusCode: status = 0, headers } = incoming;
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > ANSWER_BYTES_MAX) end({ kind: 'too_large', status, bytesMax: ANSWER_BYTES_MAX });
    });
    incoming.once('end', () => end({ kind: 'whole', status, headers, bytes: Buffer.concat(chunks) }));
    // An incomplete answer ends with an error and without `end`.
    incoming.once('error', () => end(LOST));
    incoming.once('close', () => end(LOST));
  });
}

function write(
  outgoing: ClientRequest,
  body: Buffer | undefined,
  fault: WireFault | undefined,
  leave: () => void,
): void {
  if (fault === 'leave_early') outgoing.end(body, leave);
  else if (fault === 'cut_request' && body !== undefined) outgoing.write(body.subarray(0, body.length / 2), leave);
  else if (fault === 'slow_body' && body !== undefined) {
    writeSlowly(outgoing, body, Math.ceil(body.length / SLOW_PIECES));
  } else outgoing.end(body);
}

function writeSlowly(outgoing: ClientRequest, rest: Buffer, pieceBytes: number): void {
  if (outgoing.destroyed) return;
  if (rest.length <= pieceBytes) {
    outgoing.end(rest);
    return;
  }
  outgoing.write(rest.subarray(0, pieceBytes));
  setTimeout(() => writeSlowly(outgoing, rest.subarray(pieceBytes), pieceBytes), SLOW_PAUSE_MS);
}
