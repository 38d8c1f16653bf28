import { describe, expect, test } from '@jest/globals';
import { businessCalendar, formatInstant, type Instant, MINUTE_MS, parseInstant } from '../../../src/kernel';
import { dueWindows, newestWindows } from '../../../src/scheduler/due-windows';

const TUNIS = 'Africa/Tunis';

const instant = (text: string): Instant => {
  const parsed = parseInstant(text);
  if (parsed === undefined) throw new Error(`not an instant: ${text}`);
  return parsed;
};

const windows = (cron: string, after: string, upTo: string, zone = TUNIS): string[] =>
  dueWindows(cron, instant(after), instant(upTo), businessCalendar(zone)).map(formatInstant);

/** The same, as clocks of the zone show it. */
const localWindows = (cron: string, after: string, upTo: string, zone: string): string[] => {
  const calendar = businessCalendar(zone);
  return dueWindows(cron, instant(after), instant(upTo), calendar).map((each) =>
    calendar.formatLocal(each).slice(0, 16),
  );
};

describe('A daily schedule', () => {
  test('has one window a day at its hour in Tunis, the oldest first', () => {
    expect(windows('30 6 * * *', '2026-03-02T12:00:00+01:00', '2026-03-05T06:30:00+01:00')).toEqual([
      '2026-03-03T05:30:00.000Z',
      '2026-03-04T05:30:00.000Z',
      '2026-03-05T05:30:00.000Z',
    ]);
  });

  test('begins after the last ended window and includes the present instant', () => {
    const at = '2026-03-03T06:30:00+01:00';
    expect(windows('30 6 * * *', at, '2026-03-04T06:29:59.999+01:00')).toEqual([]);
    expect(windows('30 6 * * *', '2026-03-03T06:29:59.999+01:00', at)).toHaveLength(1);
    expect(windows('30 6 * * *', at, at)).toEqual([]);
  });

  test('has no window when the clock went back', () => {
    expect(windows('* * * * *', '2026-03-03T06:30:00+01:00', '2026-03-01T06:30:00+01:00')).toEqual([]);
  });

  test('counts days in Tunis, not in UTC', () => {
    expect(windows('15 0 * * *', '2026-03-02T23:00:00Z', '2026-03-02T23:20:00Z')).toEqual(['2026-03-02T23:15:00.000Z']);
    expect(windows('59 23 28 2 *', '2026-02-28T22:00:00Z', '2026-02-28T23:30:00Z')).toEqual([
      '2026-02-28T22:59:00.000Z',
    ]);
    expect(windows('15 0 1 3 *', '2026-02-28T22:00:00Z', '2026-02-28T23:30:00Z')).toEqual(['2026-02-28T23:15:00.000Z']);
  });
});

describe('A schedule', () => {
  test('has windows at its hours and minutes', () => {
    expect(localWindows('0,30 8-9 * * *', '2026-03-02T00:00:00+01:00', '2026-03-03T00:00:00+01:00', TUNIS)).toEqual([
      '2026-03-02 08:00',
      '2026-03-02 08:30',
      '2026-03-02 09:00',
      '2026-03-02 09:30',
    ]);
  });

  test.each([
    ['0 12 * * 1-5', ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-09']],
    ['0 12 * * 0', ['2026-03-08']],
    ['0 12 * * 7', ['2026-03-08']],
    ['0 12 5 * *', ['2026-03-05']],
    ['0 12 * 4 *', []],
    ['0 12 8 3 0', ['2026-03-08']],
    ['0 12 8 3 1', []],
  ])('has windows on its days, months and weekdays: %s', (cron, days) => {
    const found = localWindows(cron, '2026-03-02T00:00:00+01:00', '2026-03-10T00:00:00+01:00', TUNIS);
    expect(found).toEqual(days.map((day) => `${day} 12:00`));
  });

  test('skips a day that a month does not have', () => {
    expect(localWindows('0 12 30 * *', '2026-02-10T00:00:00+01:00', '2026-03-15T00:00:00+01:00', TUNIS)).toEqual([]);
  });

  test('looks back 40 days at most', () => {
    const found = localWindows('0 12 * * *', '2025-01-01T00:00:00+01:00', '2026-03-12T13:00:00+01:00', TUNIS);
    expect(found).toHaveLength(41);
    expect(found[0]).toBe('2026-01-31 12:00');
    expect(found.at(-1)).toBe('2026-03-12 12:00');
  });

  test('rejects a text that is not a cron expression', () =>
    expect(() => windows('at noon', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z')).toThrow());
});

// Clocks went from 02:00 to 03:00 on 29 March 2026, and from 03:00 back to 02:00 on 25 October.
describe('A schedule across a clock change', () => {
  const PARIS = 'Europe/Paris';
  const SPRING = ['2026-03-28T12:00:00+01:00', '2026-03-30T12:00:00+02:00'] as const;
  const AUTUMN = ['2026-10-24T12:00:00+02:00', '2026-10-26T12:00:00+01:00'] as const;

  test('keeps the local hour of a morning window', () => {
    expect(windows('30 6 * * *', ...SPRING, PARIS)).toEqual(['2026-03-29T04:30:00.000Z', '2026-03-30T04:30:00.000Z']);
    expect(windows('30 6 * * *', ...AUTUMN, PARIS)).toEqual(['2026-10-25T05:30:00.000Z', '2026-10-26T05:30:00.000Z']);
  });

  test('has one window in the skipped hour, at the time without the change', () => {
    expect(windows('30 2 * * *', ...SPRING, PARIS)).toEqual(['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z']);
  });

  test('has one window in the repeated hour, at its first occurrence', () => {
    expect(windows('30 2 * * *', ...AUTUMN, PARIS)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
  });

  test('has no two windows at one instant', () => {
    const found = windows('*/30 * * * *', '2026-03-28T23:00:00Z', '2026-03-29T04:00:00Z', PARIS);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(10);
  });
});

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
