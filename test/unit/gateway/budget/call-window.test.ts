import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CallStarts, fullWindow, takeSlot, WINDOW_MS } from '../../../../src/gateway/budget/call-window';

const NOW = 1_800_000_000_000;

/** Calls one after the other, after the given pauses; gives the instants of those that were let through. */
function startsOf(pausesMs: readonly number[], limit: number): number[] {
  let starts: CallStarts = [];
  let now = NOW;
  const taken: number[] = [];
  for (const pauseMs of pausesMs) {
    now += pauseMs;
    const slot = takeSlot(starts, now, limit);
    starts = slot.starts;
    if (slot.kind === 'taken') taken.push(now);
  }
  return taken;
}

test('no minute has more calls than the limit, whatever their times', () => {
  const pauses = fc.array(fc.oneof(fc.nat(3_000), fc.nat(90_000), fc.constant(0)), { maxLength: 200 });
  fc.assert(
    fc.property(pauses, fc.integer({ min: 1, max: 12 }), (pausesMs, limit) => {
      const taken = startsOf(pausesMs, limit);
      for (const [index, start] of taken.entries()) {
        const next = taken[index + limit];
        expect(next === undefined || next - start >= WINDOW_MS).toBe(true);
      }
    }),
  );
});

test('a call is admitted while the minute is below its limit', () => {
  const pauses = fc.array(fc.nat(20_000), { maxLength: 100 });
  fc.assert(
    fc.property(pauses, fc.integer({ min: 1, max: 5 }), (pausesMs, limit) => {
      const taken = startsOf(pausesMs, limit);
      let now = NOW;
      for (const pauseMs of pausesMs) {
        now += pauseMs;
        const inMinute = taken.filter((start) => start <= now && start > now - WINDOW_MS).length;
        expect(inMinute === limit || taken.includes(now)).toBe(true);
      }
    }),
  );
});

test('a refused call gets the first millisecond at which it would be admitted', () => {
  const starts = [NOW - 59_000, NOW - 10_000];
  const full = takeSlot(starts, NOW, 2);
  expect(full).toEqual({ kind: 'full', starts, retryAfterMs: 1_000 });
  expect(takeSlot(starts, NOW + 999, 2).kind).toBe('full');
  expect(takeSlot(starts, NOW + 1_000, 2)).toEqual({ kind: 'taken', starts: [NOW - 10_000, NOW + 1_000] });
});

test('a clock that steps back delays no call by more than a minute', () => {
  const ahead = fullWindow(NOW + 3_600_000, 3);
  const refused = takeSlot(ahead, NOW, 3);
  expect(refused).toEqual({ kind: 'full', starts: [NOW, NOW, NOW], retryAfterMs: WINDOW_MS });
  expect(takeSlot(refused.starts, NOW + WINDOW_MS, 3).kind).toBe('taken');
});
