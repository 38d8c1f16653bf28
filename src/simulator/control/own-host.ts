import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/**
 * Returns whether a Host header names this machine: an address, `localhost`, or the configured name. In a DNS rebinding
 * attack, the header has the name of the attacker's site.
 */
export function isOwnHost(header: string | undefined, ownName: string): boolean {
  if (header === undefined) return true; // HTTP/1.0; browsers always send it
  const name = /^(.*?)(?::\d{1,5})?$/.exec(header.toLowerCase())?.[1] ?? '';
  const address = /^\[(.*)\]$/.exec(name)?.[1] ?? name;
  return isIP(address) !== 0 || name === 'localhost' || name.endsWith('.localhost') || name === ownName.toLowerCase();
}

/**
 * Returns whether a request may be answered by what a browser says about the page that sends it. A link of another site
 * may open a page; it may change nothing.
 */
export function isOwnPage(method: string, { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  const isForeign = site === 'cross-site' || site === 'same-site';
  return isOwnOrigin(origin, host) && !(isForeign && method !== 'GET' && method !== 'HEAD');
}

/** Returns whether a request comes from a page of the simulator, or from no page at all. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
