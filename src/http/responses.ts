import type { Response } from 'express';

/** After a fault of ours the caller should wait this long, in seconds. */
const RETRY_AFTER_S = 5;

/** Every answer of ours that is not a business answer: one word, as JSON, never cached. */
export function sendProblem(response: Response, status: number, error: string): void {
  if (status === 503) response.set('Retry-After', String(RETRY_AFTER_S));
  sendJson(response, status, { error });
}

/** JSON that nobody may keep. Not `response.json`: Express answers `If-None-Match: *` with 304, whatever we say. */
export function sendJson(response: Response, status: number, body: Readonly<Record<string, string>>): void {
  const text = JSON.stringify(body);
  response.status(status).set({
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
  });
  response.end(text);
}
