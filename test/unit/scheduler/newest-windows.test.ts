import { describe, expect, test } from '@jest/globals';
import { businessCalendar } from '../../../src/kernel';
import { dueWindows, newestWindows } from '../../../src/scheduler/due-windows';

const MINUTE_MS = 60_000;

describe('The selection of missed windows', () => {
  test('returns the newest windows and counts the others', () => {
    expect(newestWindows([1, 2, 3, 4, 5], 2)).toEqual({ due: [4, 5], passedOver: 3 });
    expect(newestWindows([1, 2, 3, 4, 5], 1)).toEqual({ due: [5], passedOver: 4 });
  });

  test('returns all windows when they are within the limit', () => {
    expect(newestWindows([1, 2], 2)).toEqual({ due: [1, 2], passedOver: 0 });
    expect(newestWindows([], 2)).toEqual({ due: [], passedOver: 0 });
  });
});

describe('A schedule of every minute', () => {
  const noon = Date.parse('2026-03-02T12:00:00+01:00');

  test('has each minute once, also across midnight', () => {
    const found = dueWindows('* * * * *', noon, noon + 24 * 60 * MINUTE_MS, businessCalendar('Africa/Tunis'));
    expect(found).toEqual(Array.from({ length: 24 * 60 }, (_, index) => noon + (index + 1) * MINUTE_MS));
  });

  // Half an hour is skipped there in spring, and comes twice in autumn.
  test.each([
    ['spring', '2026-10-03T12:00:00Z', 2_880],
    ['autumn', '2026-04-04T12:00:00Z', 2_850],
  ])('has its windows across a clock change of half an hour: %s', (_season, from, count) => {
    const start = Date.parse(from);
    const found = dueWindows(
      '* * * * *',
      start,
      start + 2 * 24 * 60 * MINUTE_MS,
      businessCalendar('Australia/Lord_Howe'),
    );
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(count);
  });
});
