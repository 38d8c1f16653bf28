import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, businessCalendar, businessDate, WorkingDays } from '../../../../src/kernel';
import { DayTable } from '../../../../src/payout-inference/breaks/day-table';
import { WORKING_DAYS } from './judged-file';

describe('the table of days', () => {
  // Tunis has no clock change; Casablanca, Apia (a day left out at the end of 2011) and Kathmandu are odd in other ways.
  test.each(['Africa/Tunis', 'Africa/Casablanca', 'Pacific/Apia', 'Asia/Kathmandu', 'America/New_York'])(
    'gives the day that the calendar of %s gives',
    (timeZone) => {
      const calendar = businessCalendar(timeZone);
      const table = new DayTable(calendar, WORKING_DAYS);
      const instant = fc.integer({ min: Date.parse('2011-11-01T00:00:00Z'), max: Date.parse('2026-12-31T00:00:00Z') });
      const examples: [number][] = [[Date.parse('2011-12-29T10:00:00Z')], [Date.parse('2011-12-30T10:00:00Z')]];
      fc.assert(
        fc.property(instant, (time) => expect(table.dateOf(time)).toBe(calendar.dateOf(time))),
        { examples },
      );
    },
  );

  test('finds the latest day that is older than a number of working days', () => {
    const table = new DayTable(businessCalendar('Africa/Tunis'), WORKING_DAYS);
    const days = fc.record({ day: fc.integer({ min: 1, max: 28 }), count: fc.integer({ min: 0, max: 9 }) });
    fc.assert(
      fc.property(days, ({ day, count }) => {
        const horizon = businessDate(`2026-03-${String(day).padStart(2, '0')}`);
        const latest = table.latestOlderThan(count, horizon);
        const next = addDays(latest, 1);
        expect(WORKING_DAYS.countBetween(latest, horizon)).toBeGreaterThan(count);
        expect(WORKING_DAYS.countBetween(next, horizon)).toBeLessThanOrEqual(count);
      }),
    );
  });

  test('adds working days as the calendar does, the second time too', () => {
    const table = new DayTable(businessCalendar('Africa/Tunis'), new WorkingDays([businessDate('2026-03-20')]));
    const thursday = businessDate('2026-03-19');
    expect([table.add(thursday, 1), table.add(thursday, 1), table.add(thursday, 2)]).toEqual([
      '2026-03-23',
      '2026-03-23',
      '2026-03-24',
    ]);
    expect([table.onOrAfter(businessDate('2026-03-20')), table.onOrAfter(thursday)]).toEqual(['2026-03-23', thursday]);
  });
});
