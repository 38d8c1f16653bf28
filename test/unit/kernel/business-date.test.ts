import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, businessCalendar, businessDate, HOUR_MS, parseBusinessDate, parseInstant } from '../../../src/kernel';

const aDate = fc
  .integer({ min: Date.parse('1971-01-01T00:00:00Z'), max: Date.parse('2099-12-31T00:00:00Z') })
  .map((ms) => businessDate(new Date(ms).toISOString().slice(0, 10)));

function at(text: string): number {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`not an instant: ${text}`);
  return instant;
}

describe('a business date', () => {
  test.each(['2026-03-02', '2024-02-29', '2000-02-29', '1970-01-01'])('is read from %p', (text) => {
    expect(parseBusinessDate(text)).toBe(text);
  });

  test.each([
    '',
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '26-01-01',
    '2026/01/01',
    ' 2026-01-01',
    '2026-01-01\n',
    '2026-01-01T00:00:00Z',
    '٢٠٢٦-٠١-٠١',
    '02-03-2026',
  ])('is not read from %p', (text) => {
    expect(parseBusinessDate(text)).toBeUndefined();
  });

  test('moves by days over the ends of months and years', () => {
    expect(addDays(businessDate('2026-02-28'), 1)).toBe('2026-03-01');
    expect(addDays(businessDate('2024-02-28'), 1)).toBe('2024-02-29');
    expect(addDays(businessDate('2026-01-01'), -1)).toBe('2025-12-31');
  });

  test('returns to the start after moving forth and back', () => {
    fc.assert(
      fc.property(aDate, fc.integer({ min: -4_000, max: 4_000 }), (date, days) => {
        expect(addDays(addDays(date, days), -days)).toBe(date);
      }),
    );
  });
});

describe('the calendar of Africa/Tunis', () => {
  const tunis = businessCalendar('Africa/Tunis');

  test.each([
    ['2026-03-02T22:59:59.999Z', '2026-03-02'],
    ['2026-03-02T23:00:00.000Z', '2026-03-03'],
    ['2026-12-31T22:59:59.999Z', '2026-12-31'],
    ['2026-12-31T23:00:00.000Z', '2027-01-01'],
    ['2026-07-15T22:59:59.999Z', '2026-07-15'], // no summer time
    ['2026-07-15T23:00:00.000Z', '2026-07-16'],
  ])('puts %s on %s', (instant, date) => {
    expect(tunis.dateOf(at(instant))).toBe(date);
  });

  test('starts a day one hour before UTC does, in winter and in summer', () => {
    expect(tunis.startOf(businessDate('2026-01-10'))).toBe(at('2026-01-09T23:00:00Z'));
    expect(tunis.startOf(businessDate('2026-07-10'))).toBe(at('2026-07-09T23:00:00Z'));
  });

  test('starts the days around the range of dates, which grids of days need', () => {
    expect(tunis.startOf(addDays(businessDate('1970-01-01'), -1))).toBe(at('1970-01-02T00:00:00Z') - 49 * HOUR_MS);
    expect(tunis.startOf(addDays(businessDate('2199-12-31'), 1))).toBe(at('2199-12-30T23:00:00Z') + 24 * HOUR_MS);
  });

  test('observes daylight saving time in 2008', () => {
    expect(tunis.startOf(businessDate('2008-07-10'))).toBe(at('2008-07-09T22:00:00Z'));
  });

  test('shows midnight as 00, and the seconds', () => {
    expect(tunis.formatLocal(at('2026-03-02T23:00:00Z'))).toBe('2026-03-03 00:00:00');
    expect(tunis.formatLocal(at('2026-03-02T16:04:59.999Z'))).toBe('2026-03-02 17:04:59');
  });
});

describe('any calendar', () => {
  test.each(['Africa/Tunis', 'Europe/Paris', 'America/New_York', 'Asia/Kathmandu', 'UTC'])(
    'of %s starts each day at its first instant only',
    (zone) => {
      const calendar = businessCalendar(zone);
      fc.assert(
        fc.property(aDate, (date) => {
          const start = calendar.startOf(date);
          expect(calendar.dateOf(start)).toBe(date);
          expect(calendar.dateOf(start - 1)).toBe(addDays(date, -1));
        }),
      );
    },
  );

  test('needs an existing time zone', () => {
    expect(() => businessCalendar('Africa/Carthage')).toThrow(RangeError);
  });
});
