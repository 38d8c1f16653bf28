import { type ServerResponse, STATUS_CODES } from 'node:http';
import { banned } from '../core/answers';
import type { SimAnswer } from '../core/operation';
import { type CallFault, isProcessed } from './call-fault';
import { dripOut, waitUnlessGone } from './drip-out';

const HTML_502 =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n';
// The last two bytes are also invalid UTF-8.
const GARBAGE = Buffer.from('<!-- {"result": \u0000 } \xff\xfe', 'latin1');
const BLANK = 0x20;
const ERROR_STATUS_MIN = 400;

/** The bytes of an answer. */
interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/**
 * Sends an answer, or the fault's version of it. `answer` processes the call; a fault before processing never calls it.
 * Resolves when the answer was handed to the connection, or the client disconnected.
 */
export async function deliverAnswer(
  response: ServerResponse,
  fault: CallFault | undefined,
  answer: () => Promise<SimAnswer>,
): Promise<void> {
  // The call is processed first, so a fault affects only the answer and not the effect.
  const given = isProcessed(fault) ? jsonOf(await answer()) : jsonOf({ status: 200, body: {} });
  if (fault === undefined) return send(response, given);
  switch (fault.kind) {
    case 'webhook_first':
      return send(response, given);
    case 'delay':
      await waitUnlessGone(response, fault.ms);
      return send(response, given);
    case 'drip':
      writeHead(response, given);
      return dripOut(response, given.bytes, fault.bytesPerSecond);
    case 'reset_before':
    case 'reset_after':
      return reset(response);
    case 'cut_mid_body':
      return cutMidBody(response, given);
    default:
      return send(response, spoilt(fault, given));
  }
}

type Spoiling = Exclude<
  CallFault,
  { readonly kind: 'webhook_first' | 'delay' | 'drip' | 'reset_before' | 'reset_after' | 'cut_mid_body' }
>;

/** Returns a complete answer with the fault's changes. */
function spoilt(fault: Spoiling, given: Sent): Sent {
  switch (fault.kind) {
    case 'status':
      return withStatus(fault, given);
    case 'garbage':
      return { ...given, status: 200, bytes: GARBAGE };
    case 'html_502':
      return { status: 502, headers: { 'Content-Type': 'text/html' }, bytes: Buffer.from(HTML_502) };
    case 'truncated_json':
      return { ...given, bytes: halfOf(given.bytes) };
    case 'huge_body':
      return { ...given, bytes: Buffer.concat([Buffer.alloc(fault.bytes, BLANK), given.bytes]) };
    case 'redirect':
      return { status: fault.code, headers: { Location: fault.to }, bytes: Buffer.alloc(0) };
    case 'too_many': {
      const { retryAfterSecs } = fault;
      return jsonOf({
        status: 429,
        body: { detail: 'Request was throttled.' },
        headers: retryAfterSecs === null ? {} : { 'Retry-After': String(retryAfterSecs) },
      });
    }
    case 'ban':
      return jsonOf(banned());
  }
}

/**
 * Returns the answer with another status. Without a configured body, only a status below 400 keeps the answer's own
 * body, so that an error never resembles a success.
 */
function withStatus({ code, body, headers }: Extract<CallFault, { readonly kind: 'status' }>, given: Sent): Sent {
  if (body !== undefined) return jsonOf({ status: code, body, headers });
  if (code < ERROR_STATUS_MIN) return { ...given, status: code, headers: { ...given.headers, ...headers } };
  return jsonOf({ status: code, body: { detail: STATUS_CODES[code] ?? `Error ${code}` }, headers });
}

function jsonOf({ status, body, headers = {} }: SimAnswer): Sent {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    bytes: Buffer.from(JSON.stringify(body)),
  };
}

function writeHead(response: ServerResponse, { status, headers, bytes }: Sent): void {
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
}

function send(response: ServerResponse, sent: Sent): void {
  if (response.destroyed) return;
  writeHead(response, sent);
  response.end(sent.bytes);
}

/** Resets the connection with RST in place of FIN, as a crashing proxy or machine does. */
function reset(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  if ('resetAndDestroy' in socket) socket.resetAndDestroy();
  else response.destroy();
}

async function cutMidBody(response: ServerResponse, sent: Sent): Promise<void> {
  writeHead(response, sent);
  // Waits until the half was sent: destroying a connection drops its unsent bytes.
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.write(halfOf(sent.bytes), () => resolve());
  });
  response.destroy();
}

const halfOf = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
