import { expect, test } from '@jest/globals';
import { safeClock } from '../../../src/gateway/safe-clock';
import type { Clock } from '../../../src/kernel';

test('a working clock is read at each call', () => {
  let now = 0;
  const clock = safeClock({ now: () => (now += 1) }, 'test');
  expect([clock.now(), clock.now()]).toEqual([1, 2]);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('canary');
    },
  ],
  ['gives NaN', () => Number.NaN],
  ['gives infinity', () => Number.POSITIVE_INFINITY],
  ['gives what no date can show', () => 1e300],
  ['gives a text', () => '2026-03-02T09:00:00Z'],
  ['gives a Date', () => new Date(0)],
  ['gives nothing', () => undefined],
])('a clock that %s is reported as a wrong option without its value', (_about, now) => {
  const clock = safeClock({ now } as unknown as Clock, 'createGatewayClient');
  const refusal = { code: 'validation', operation: 'createGatewayClient', fields: { clock: expect.anything() } };
  expect(() => clock.now()).toThrow(expect.objectContaining(refusal));
  expect(() => clock.now()).not.toThrow(/canary/);
});
