import { isIP } from 'node:net';
import type { Request } from 'express';

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Under which name a caller's address is counted. It is the connection's own, or, when that is a trusted proxy's
 * (`trust proxy`), the last one in X-Forwarded-For that is not: whatever the caller writes there stands before it.
 */
export function clientAddress(request: Request): string {
  const said = withoutPort(request.ip ?? '');
  return addressKey(isIP(said) === 0 ? (request.socket.remoteAddress ?? '') : said);
}

/** An IPv4 address, or the /64 network of an IPv6 one: who has one address of such a network has all. */
export function addressKey(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (isIP(plain) !== 6) return plain;
  const groups = ipv6Groups(plain);
  const [high = 0, low = 0] = groups.slice(-2);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight numbers of an IPv6 address that is known to be one. */
function ipv6Groups(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [before = [], behind = []] = hex
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  const zeros = Array.from({ length: IPV6_GROUPS - before.length - behind.length }, () => 0);
  return [...before, ...zeros, ...behind];
}

/** Some proxies write the port behind the address. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
}
