import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IsTrustedProxy } from '../../http';

/** How a request reached this process. A page is served over TLS, or on this machine without a proxy. */
export type Transport = 'tls' | 'loopback' | 'plain';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/**
 * Returns how a request reached this process. TLS ends at a trusted proxy, which says so in `X-Forwarded-Proto`. A request
 * with that header from any other sender is plain.
 */
export function transportOf(request: IncomingMessage, isTrustedProxy: IsTrustedProxy): Transport {
  const { remoteAddress = '' } = request.socket;
  const proto = request.headers['x-forwarded-proto'];
  if (proto !== undefined) return isTrustedProxy(remoteAddress, 0) && proto === 'https' ? 'tls' : 'plain';
  const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers['forwarded'] !== undefined;
  return LOOPBACK.test(remoteAddress) && !isForwarded ? 'loopback' : 'plain';
}

/**
 * The cookies of the console. Over TLS their names begin with `__Host-`: no other host and no plain page can set them.
 *
 * - `session`: the token of a session, until the browser closes.
 * - `device`: tells that this browser signed in before, for a year.
 * - `visitor`: the secret of forms before the sign-in.
 */
export type CookieName = 'session' | 'device' | 'visitor';

const YEAR_S = 31_536_000;

function nameOf(name: CookieName, transport: Transport): string {
  return transport === 'tls' ? `__Host-millime-${name}` : `millime-${name}`;
}

/** Returns the value of a cookie. A cookie that is sent twice counts as none, because another page could have added one. */
export function readCookie(request: IncomingMessage, transport: Transport, name: CookieName): string | undefined {
  const wanted = `${nameOf(name, transport)}=`;
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(wanted));
  return found.length === 1 ? found[0]?.slice(wanted.length) : undefined;
}

/** Sets a cookie; an empty value removes it. */
export function setCookie(response: ServerResponse, transport: Transport, name: CookieName, value: string): void {
  const maxAge = value === '' ? '; Max-Age=0' : name === 'device' ? `; Max-Age=${YEAR_S}` : '';
  const secure = transport === 'tls' ? '; Secure' : '';
  const cookie = `${nameOf(name, transport)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${maxAge}`;
  response.appendHeader('Set-Cookie', cookie);
}
