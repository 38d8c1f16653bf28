import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that are no part of the public internet (IANA's special-purpose registries), and multicast. */
const PRIVATE_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
const PUBLIC_V6 = '2000::/3';
/** Parts of `PUBLIC_V6` that are not public, or that contain an IPv4 address: Teredo, documentation, 6to4. */
const PRIVATE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function networks(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

const privateV4 = networks(PRIVATE_V4, 'ipv4');
const publicV6 = networks([PUBLIC_V6], 'ipv6');
const privateV6 = networks(PRIVATE_V6, 'ipv6');

/** Returns whether an IP address belongs to the public internet. Pure. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateV4.check(address, 'ipv4');
  return isIP(address) === 6 && publicV6.check(address, 'ipv6') && !privateV6.check(address, 'ipv6');
}

/** A host that leads to this machine or to a private network. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** Resolves a host for one connection, and refuses it if any of its addresses is private. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return callback(error, []);
    const [first] = found;
    if (first === undefined || !found.every(({ address }) => isPublicAddress(address))) {
      return callback(new PrivateAddressError('the host has a private address'), []);
    }
    if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  });
};
