import { describe, expect, test } from '@jest/globals';
import { isOwnHost, isOwnOrigin } from '../../../../src/simulator/control/own-host';

describe('The Host header', () => {
  test.each([
    undefined,
    '127.0.0.1',
    '127.0.0.1:9090',
    '10.1.2.3:80',
    'localhost:9090',
    'LOCALHOST',
    'a.localhost',
    '[::1]:9090',
    '[::1]',
    'simulator:9090',
    'Simulator',
  ])('%s is accepted as this machine', (header) => {
    expect(isOwnHost(header, 'simulator')).toBe(true);
  });

  test.each([
    'evil.example',
    'evil.example:9090',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '',
    'x:y',
    '[x]',
  ])('%j is refused as another machine', (header) => {
    expect(isOwnHost(header, 'simulator')).toBe(false);
  });
});

describe('The Origin header', () => {
  test.each([
    [undefined, '127.0.0.1:9090'],
    ['http://127.0.0.1:9090', '127.0.0.1:9090'],
    ['http://localhost:9090', 'LocalHost:9090'],
  ])('%s at %s is accepted as the page itself or no page', (origin, host) => {
    expect(isOwnOrigin(origin, host)).toBe(true);
  });

  test.each([
    ['http://evil.example', '127.0.0.1:9090'],
    ['http://127.0.0.1:3000', '127.0.0.1:9090'],
    ['null', '127.0.0.1:9090'],
    ['', '127.0.0.1:9090'],
    ['http://127.0.0.1:9090', undefined],
  ])('%s at %s is refused as another page', (origin, host) => {
    expect(isOwnOrigin(origin, host)).toBe(false);
  });
});
