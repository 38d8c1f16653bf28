import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { addressKey, clientAddress, trustedProxies } from '../../../src/http/client-address';

describe('an address is counted', () => {
  test.each([
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['::FFFF:c633:6401', '198.51.100.1'],
    ['0:0:0:0:0:ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::198.51.100.1', '64:ff9b:0:0::/64'],
  ])('%s as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

describe('the address from a trusted proxy', () => {
  const address = (forwardedFor: string | undefined): string =>
    clientAddress(
      {
        headers: { 'x-forwarded-for': forwardedFor },
        socket: { remoteAddress: '::ffff:127.0.0.1' },
      } as unknown as IncomingMessage,
      trustedProxies(['127.0.0.1']),
    );

  test.each([
    ['198.51.100.1:50123', '198.51.100.1'],
    ['[2001:db8:1:2::3]:50123', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
  ])('may have a port: %s', (said, key) => {
    expect(address(said)).toBe(key);
  });

  test('is the last one, because the caller may have invented the others', () => {
    expect(address('198.51.100.1, 198.51.100.2')).toBe('198.51.100.2');
  });

  test.each([undefined, '', 'unknown', '_hidden', '1.2.3', 'x'.repeat(10_000)])(
    'is the proxy’s own address if invalid: %p',
    (said) => {
      expect(address(said)).toBe('127.0.0.1');
    },
  );
});
