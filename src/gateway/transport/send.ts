import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import axios from 'axios';
import type { Clock } from '../../kernel';
import { decodeJson } from '../codec/decode-json';
import { noConnectionReason, systemCode } from './fault-reason';
import { readRetryAfter } from './retry-after';
import { watchConnection } from './watched-connection';
import type { WireAnswer, WireRequest } from './wire';

const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;
const JSON_DEPTH_MAX = 64;

/** Sends one request and returns its outcome; never throws. `deadlineMs` is the remaining time of the call. */
export type Send = (request: WireRequest, authorization: string, deadlineMs: number) => Promise<WireAnswer>;

/**
 * Creates the only function that opens connections to the gateway. It never follows a redirect, never contacts another
 * host whatever the path contains, never uses a proxy from the environment, and reads only a bounded body within the
 * deadline.
 */
export function createSend(baseUrl: string, clock: Clock): Send {
  // Each request uses a new connection. If the other side closes a reused connection while a request starts, the
  // outcome is unknown. At the few calls per minute that the gateway allows, the handshakes cost nothing.
  // `axios.create` is not used: it would inherit `axios.defaults` from the surrounding program, such as another host's
  // credentials, a socket path or a proxy.
  const client = new axios.Axios({
    baseURL: baseUrl,
    allowAbsoluteUrls: false,
    adapter: 'http',
    proxy: false,
    maxRedirects: 0,
    httpAgent: new HttpAgent({ keepAlive: false }),
    // Set explicitly so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
    httpsAgent: new HttpsAgent({ keepAlive: false, rejectUnauthorized: true }),
    responseType: 'stream',
    validateStatus: () => true,
    transformRequest: [(body: unknown) => body],
    transformResponse: [(body: unknown) => body],
    headers: { Accept: 'application/json', 'User-Agent': 'millime' },
  });

  return async (request, authorization, deadlineMs) => {
    if (deadlineMs <= 0) return { kind: 'failed', fault: 'not_sent', status: undefined, reason: 'no time was left' };
    const connection = watchConnection();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), deadlineMs);
    let status: number | undefined;
    try {
      const response = await client.request<Readable>({
        method: request.method,
        url: `${request.path}${queryText(request.query ?? [])}`,
        headers: {
          Authorization: authorization,
          ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(request.body === undefined ? {} : { data: JSON.stringify(request.body) }),
        transport: connection.transport,
        signal: deadline.signal,
      });
      status = response.status;
      const bytes = await readBounded(response.data);
      if (bytes === undefined) return { kind: 'failed', fault: 'too_large', status };
      const retryAfterMs = readRetryAfter(response.headers['retry-after'], clock);
      return { kind: 'answered', status, body: decodeJson(bytes, JSON_DEPTH_MAX), retryAfterMs };
    } catch (error) {
      // The axios error contains the credential, so only its code leaves this function.
      const isLate = deadline.signal.aborted;
      if (!connection.mayHaveLeft()) {
        return { kind: 'failed', fault: 'not_sent', status, reason: noConnectionReason(connection, isLate, error) };
      }
      if (isLate) return { kind: 'failed', fault: 'timeout', status };
      return { kind: 'failed', fault: 'cut', status, reason: systemCode(error) };
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Writes a query as the interface does: names unchanged, values percent-encoded. */
function queryText(query: readonly (readonly [string, string])[]): string {
  if (query.length === 0) return '';
  return `?${query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
}

/**
 * Reads the whole body; `undefined` when it is too large. The size counts after decompression, so compressed bodies are
 * bounded too.
 */
async function readBounded(stream: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > RESPONSE_BYTES_MAX) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
