import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Returns whether an address is that of a trusted proxy. */
export type IsTrustedProxy = (address: string, position: number) => boolean;

/** Compiles a list of addresses and networks. A list, never "all": any sender could forge X-Forwarded-For. */
export function trustedProxies(addresses: readonly string[]): IsTrustedProxy {
  return proxyAddr.compile([...addresses]);
}

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Returns the key under which a caller's requests are counted: the address of the connection. If that is a trusted
 * proxy, it is the last address in X-Forwarded-For that is not trusted. Addresses before it may be
 * invented by the caller.
 */
export function clientAddress(request: IncomingMessage, isTrusted: IsTrustedProxy): string {
  const said = withoutPort(proxyAddr(request, isTrusted));
  return addressKey(isIP(said) === 0 ? (request.socket.remoteAddress ?? '') : said);
}

/** Returns an IPv4 address, or the /64 network of an IPv6 address: one host usually controls its whole /64. */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%');
  if (isIP(plain) !== 6) return plain;
  const groups = ipv6Groups(plain);
  const [high = 0, low = 0] = groups.slice(-2);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** Returns the eight numbers of a valid IPv6 address. */
function ipv6Groups(address: string): number[] {
  const hex = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [before = [], behind = []] = hex
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  const zeros = Array.from({ length: IPV6_GROUPS - before.length - behind.length }, () => 0);
  return [...before, ...zeros, ...behind];
}

/** Removes the port, which some proxies append to the address. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
}
