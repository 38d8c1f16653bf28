import { isLoopbackHost } from '../kernel';

// URL parsers drop or turn these, so that two readers could see two hosts.
const AMBIGUOUS = /[\s\\]|\p{Cc}/u;

/**
 * Reads `{base_url}` (open point 5): one address, https unless it is our own machine, and nothing in it that a path
 * could not follow. Trailing slashes are cut. `refuse` is told what is wrong, without the value: it may hold a
 * password.
 */
export function readBaseUrl(given: unknown, refuse: (reason: string) => undefined): string | undefined {
  const text = typeof given === 'string' ? given.trim() : '';
  if (!isWebLink(text)) return refuse('must be an absolute URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return refuse('must not hold a user or a password');
  if (/[?#]/.test(text)) return refuse('must end with its path');
  if (!isSafe(url)) return refuse('must be https, or http on a loopback address');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Whether a link that we send may be followed by others: https, or http on a loopback address (open point 11). */
export function isAllowedLink(text: string): boolean {
  return isWebLink(text) && isSafe(new URL(text));
}

/** Whether a link is an absolute web address that every reader takes for the same one; of any host, and no script. */
export function isWebLink(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && !AMBIGUOUS.test(text) && URL.canParse(text);
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
