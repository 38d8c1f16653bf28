import { expect, test } from '@jest/globals';
import { isPublicAddress, lookUpPublic, PrivateAddressError } from '../../../src/notifications/public-address';

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.9.9.9', '169.254.169.254', '172.31.0.1', '192.168.1.1', '198.19.0.1'],
  ...[
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
  ],
  ...['2002:a00:1::', '2001:db8::1', '2001::1', 'localhost', ''],
])('%j is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '196.203.0.1', '2a00:1450:4001::1', '2606:4700::1111'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test('a name that leads to this machine is refused when it is looked up', async () => {
  const error = await new Promise((resolve) => lookUpPublic('localhost', { all: true }, resolve));
  expect(error).toBeInstanceOf(PrivateAddressError);
});
