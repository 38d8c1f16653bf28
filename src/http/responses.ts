import type { ServerResponse } from 'node:http';
import { declaresBody } from './request-limits';

/** How long a caller should wait after an internal fault, in seconds. */
const RETRY_AFTER_S = 5;

/**
 * On every answer, for a browser that is led to one: it reads no JSON as a script or a page, and shows none in a frame.
 * These are the defaults of the npm package helmet as far as they concern JSON; TLS and its headers belong to the proxy.
 */
export const BROWSER_RULES: ReadonlyMap<string, string> = new Map([
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
]);

const JSON_HEADERS: readonly string[] = bodyHeaders('application/json; charset=utf-8');

/** Sends an answer that is not a business answer: one word as JSON, never cached. */
export function sendProblem(
  response: ServerResponse,
  status: number,
  error: string,
  { retryAfterS = RETRY_AFTER_S }: { readonly retryAfterS?: number } = {},
): void {
  if (status === 503) response.setHeader('Retry-After', String(retryAfterS));
  sendJson(response, status, { error });
}

/**
 * Sends uncacheable JSON. It avoids `response.json`, because Express answers `If-None-Match: *` with 304 in any case.
 */
export function sendJson(response: ServerResponse, status: number, body: Readonly<Record<string, string>>): void {
  send(response, status, JSON_HEADERS, JSON.stringify(body));
}

/** A body of any media type. `headers` replace the rules for browsers and for caches. */
export interface Body {
  readonly type: string;
  readonly content: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a body, uncacheable unless its headers allow it. */
export function sendBody(response: ServerResponse, status: number, { type, content, headers = {} }: Body): void {
  send(response, status, bodyHeaders(type, headers), content);
}

/** Returns the headers of a body as one list. `headers` replace the rules for browsers and for caches. */
export function bodyHeaders(type: string, headers: Readonly<Record<string, string>> = {}): string[] {
  const all = new Map([...BROWSER_RULES, ['Cache-Control', 'no-store'], ['Content-Type', type]]);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return [...all].flat();
}

function send(response: ServerResponse, status: number, headers: readonly string[], content: string | Buffer): void {
  // So that an unread body is not read as the next request; `paceInput` discards it.
  if (!response.req.readableEnded && declaresBody(response.req)) response.setHeader('Connection', 'close');
  // One list, because Node checks and files each `setHeader` apart.
  response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(content))]);
  response.end(content);
}
