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

const HEADERS: readonly string[] = [...[...BROWSER_RULES].flat(), ...['Cache-Control', 'no-store']];
const JSON_HEADERS: readonly string[] = [...HEADERS, ...['Content-Type', 'application/json; charset=utf-8']];

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
  send(response, status, JSON.stringify(body), JSON_HEADERS);
}

/** Sends uncacheable text of another type. */
export function sendText(response: ServerResponse, status: number, text: string, contentType: string): void {
  send(response, status, text, [...HEADERS, 'Content-Type', contentType]);
}

function send(response: ServerResponse, status: number, text: string, headers: readonly string[]): void {
  // So that an unread body is not read as the next request; `paceInput` discards it.
  if (!response.req.readableEnded && declaresBody(response.req)) response.setHeader('Connection', 'close');
  // One list, because Node checks and files each `setHeader` apart.
  response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(text))]);
  response.end(text);
}
