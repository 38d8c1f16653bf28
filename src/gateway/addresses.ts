import { isLoopbackHost } from '../kernel';

// URL parsers remove or rewrite these characters, so two parsers could read two different hosts.
const AMBIGUOUS = /[\s\\]|\p{Cc}/u;

/**
 * Reads `{base_url}` (open point 5): one absolute address, https unless the host is loopback, with nothing that would
 * prevent appending a path. Removes trailing slashes. Calls `refuse` with the reason and never with the value, which
 * may contain a password.
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

/** Returns whether Millime may publish a link: https, or http on a loopback address (open point 11). */
export function isAllowedLink(text: string): boolean {
  return isWebLink(text) && isSafe(new URL(text));
}

/**
 * Returns whether a text is an absolute http or https address that every URL parser reads as the same one. Any host
 * passes.
 */
export function isWebLink(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && !AMBIGUOUS.test(text) && URL.canParse(text);
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
