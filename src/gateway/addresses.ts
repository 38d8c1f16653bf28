import { isLoopbackHost } from '../kernel';
import { valueKind } from './value-kind';

// URL parsers remove or rewrite these characters, so two parsers could read two different hosts.
const AMBIGUOUS = /[\s\\]|\p{Cc}/u;

/**
 * Reads `{base_url}` (open point 5): one absolute address, https unless the host is loopback, with nothing that would
 * prevent appending a path. Removes trailing slashes. Calls `refuse` with the reason and never with the value, which
 * may contain a password.
 */
export function readBaseUrl(given: unknown, refuse: (reason: string) => undefined): string | undefined {
  const text = typeof given === 'string' ? given.trim() : '';
  if (!isWebLink(text)) {
    const got = text === '' ? valueKind(given) : 'another text (not shown)';
    return refuse(`expected an absolute URL, got ${got}; pass one such as https://gateway.example`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return refuse('expected a URL without a user and a password, got one (not shown); pass the keys as options');
  }
  if (/[?#]/.test(text)) {
    return refuse('expected a URL that ends with its path, got one with "?" or "#"; remove that part');
  }
  if (!isSafe(url)) {
    return refuse('expected https, or http on a loopback address, got http on another host; pass the https address');
  }
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
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
