import type { IncomingMessage } from 'node:http';
import { constantTimeEqual } from './secrets';

/**
 * Returns whether a request that changes something comes from a page of this console: the browser says so, and the form
 * repeats the secret of the session, or before the sign-in that of the visitor's cookie.
 */
export function isOwnForm(request: IncomingMessage, sent: string, secret: string | undefined): boolean {
  return isSameOrigin(request) && secret !== undefined && secret !== '' && constantTimeEqual(sent, secret);
}

/** Every browser of the last years sends `Origin` with a form, so a request without it is refused. */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).host === host;
}
