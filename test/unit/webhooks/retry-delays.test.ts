import { expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel';
import { laterRetryDelayMs, parkedRetryDelayMs } from '../../../src/webhooks/retry-delays';

test('a webhook of an unknown payment waits longer after each try and is never dropped', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 1_000].map((tries) => parkedRetryDelayMs(tries, 0, DAY_MS));
  const six = 6 * HOUR_MS;
  expect(pauses).toEqual([MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, six, six, six]);
});

test('a webhook older than a week is tried daily', () => {
  expect(parkedRetryDelayMs(9, 0, 7 * DAY_MS)).toBe(6 * HOUR_MS);
  expect(parkedRetryDelayMs(1, 0, 7 * DAY_MS + 1)).toBe(DAY_MS);
});

test('a postponed webhook waits as long as the gateway states, and at least a second', () => {
  expect(laterRetryDelayMs(0)).toBe(1_000);
  expect(laterRetryDelayMs(1_500.2)).toBe(1_501);
});
