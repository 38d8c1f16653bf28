import { expect, test } from '@jest/globals';
import {
  queueResumesAt,
  UNANSWERED_COUNTED_MAX,
  type SentLately,
} from '../../../src/payments/attempts/queue-resumes-at';

const MINUTE_MS = 60_000;
const NEWEST = 1_772_438_400_000;

/** So many calls in a row, a minute apart, the newest first. */
const inARow = (count: number): number[] => Array.from({ length: count }, (_, index) => NEWEST - index * MINUTE_MS);
const waitMsOf = (sent: Partial<SentLately>): number | undefined => {
  const resumesAt = queueResumesAt({ unansweredAt: [], answeredAt: undefined, ...sent });
  return resumesAt === undefined ? undefined : resumesAt - NEWEST;
};

test('goes on at once when nothing was sent, or all was answered', () => {
  expect(waitMsOf({})).toBeUndefined();
  expect(waitMsOf({ answeredAt: NEWEST })).toBeUndefined();
});

test.each([
  [1, 1],
  [2, 2],
  [3, 4],
  [4, 8],
  [5, 16],
  [6, 30],
  [7, 30],
])('after %d calls in a row without an answer waits %d minutes', (count, minutes) => {
  expect(waitMsOf({ unansweredAt: inARow(count) })).toBe(minutes * MINUTE_MS);
});

test('reads as many rows as the longest wait needs, and no fewer', () => {
  expect(waitMsOf({ unansweredAt: inARow(UNANSWERED_COUNTED_MAX) })).toBe(30 * MINUTE_MS);
  expect(waitMsOf({ unansweredAt: inARow(UNANSWERED_COUNTED_MAX - 1) })).toBeLessThan(30 * MINUTE_MS);
});

test('counts only what was sent since the last answer', () => {
  expect(waitMsOf({ unansweredAt: inARow(5), answeredAt: NEWEST - MINUTE_MS - 1 })).toBe(2 * MINUTE_MS);
  expect(waitMsOf({ unansweredAt: inARow(5), answeredAt: NEWEST + 1 })).toBeUndefined();
});

test('of two in the same millisecond the one without an answer counts: it ended the run', () => {
  expect(waitMsOf({ unansweredAt: inARow(1), answeredAt: NEWEST })).toBe(MINUTE_MS);
});
