import type { Response } from 'express';

/** After a fault of ours the caller should wait this long, in seconds. */
const RETRY_AFTER_S = 5;

/** Every answer of ours that is not a business answer: one word, as JSON, never cached. */
export function sendProblem(response: Response, status: number, error: string): void {
  if (status === 503) response.set('Retry-After', String(RETRY_AFTER_S));
  response.status(status).set('Cache-Control', 'no-store').json({ error });
}
