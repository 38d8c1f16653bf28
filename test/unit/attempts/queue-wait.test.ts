import { expect, test } from '@jest/globals';
import { type CallSign, currentWait, type QueueWait, waitAfter } from '../../../src/attempts/queue-wait';
import { readQueueWait, writeQueueWait } from '../../../src/attempts/queue-wait-codec';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel';

const NOW = 1_772_438_400_000;

const unanswered = (told: Partial<Extract<CallSign, { kind: 'unanswered' }>> = {}): CallSign => ({
  kind: 'unanswered',
  retryAfterMs: undefined,
  isBan: false,
  ...told,
});
const after = (inARow: number): QueueWait => ({ inARow, resumesAt: NOW });
const waitMsAfter = (inARow: number, sign: CallSign): number =>
  (waitAfter(after(inARow), sign, NOW)?.resumesAt ?? NOW) - NOW;

test.each([
  [1, 1],
  [2, 2],
  [3, 4],
  [4, 8],
  [5, 16],
  [6, 30],
  [7, 30],
  [5_000, 30],
])('after %d calls in a row without an answer, the queue waits %d minutes', (count, minutes) => {
  expect(waitMsAfter(count - 1, unanswered())).toBe(minutes * MINUTE_MS);
});

test('the queue counts from the first call without an answer', () => {
  expect(waitAfter(undefined, unanswered(), NOW)).toEqual({ inARow: 1, resumesAt: NOW + MINUTE_MS });
});

test('the queue waits as long as the gateway requests, at most six hours, and at least its own pause', () => {
  expect(waitMsAfter(0, unanswered({ retryAfterMs: 15 * MINUTE_MS }))).toBe(15 * MINUTE_MS);
  expect(waitMsAfter(0, unanswered({ retryAfterMs: 24 * HOUR_MS }))).toBe(6 * HOUR_MS);
  expect(waitMsAfter(9, unanswered({ retryAfterMs: 1_000 }))).toBe(30 * MINUTE_MS);
  expect(waitMsAfter(0, unanswered({ retryAfterMs: 90_000.5 }))).toBe(90_001);
});

test('the queue waits a quarter of an hour after a ban, and longer if it persists', () => {
  expect(waitMsAfter(0, unanswered({ isBan: true }))).toBe(15 * MINUTE_MS);
  expect(waitMsAfter(5, unanswered({ isBan: true }))).toBe(30 * MINUTE_MS);
});

test('the queue ends its wait at an answer, and stores nothing if no wait was stored', () => {
  expect(waitAfter(after(3), { kind: 'answered' }, NOW)).toEqual({ inARow: 0, resumesAt: NOW });
  expect(waitAfter(after(0), { kind: 'answered' }, NOW)).toBeUndefined();
  expect(waitAfter(undefined, { kind: 'answered' }, NOW)).toBeUndefined();
});

test('the queue ignores a request that was not sent', () => {
  expect(waitAfter(after(3), { kind: 'not_sent' }, NOW)).toBeUndefined();
});

test('the queue ignores a wait beyond the longest, which only a wrong clock can record', () => {
  const longest = { inARow: 4, resumesAt: NOW + 6 * HOUR_MS + MINUTE_MS };
  const tooLong = { inARow: 4, resumesAt: longest.resumesAt + 1 };
  expect(currentWait(longest, NOW)).toEqual(longest);
  expect(currentWait(tooLong, NOW)).toBeUndefined();
  expect(waitAfter(tooLong, unanswered(), NOW)).toEqual({ inARow: 1, resumesAt: NOW + MINUTE_MS });
});

test('a stored wait is read back unchanged', () => {
  expect(readQueueWait(writeQueueWait({ inARow: 3, resumesAt: NOW }))).toEqual({ inARow: 3, resumesAt: NOW });
});

test.each([
  '',
  'null',
  '[]',
  '{"inARow":1}',
  '{"inARow":"1","resumesAt":1}',
  '{"inARow":-1,"resumesAt":1}',
  '{"inARow":1.5,"resumesAt":1}',
  '{"inARow":1,"resumesAt":null}',
  '{"inARow":1,"resumesAt":1,"since":1}',
])('the stored text %j is not a wait', (text) => {
  expect(readQueueWait(text)).toBeUndefined();
});
