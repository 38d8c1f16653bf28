import { describe, expect, test } from '@jest/globals';
import { businessCalendar, businessDate, formatInstant, parseInstant, WorkingDays } from '../../../../src/kernel';
import { readDuration } from '../../../../src/simulator/control/duration';
import { instantOf, timeTarget } from '../../../../src/simulator/control/time-target';

const TUNIS = {
  calendar: businessCalendar('Africa/Tunis'),
  workingDays: new WorkingDays([businessDate('2026-03-20')]),
};
const PARIS = { calendar: businessCalendar('Europe/Paris'), workingDays: new WorkingDays([]) };

function reached(given: object, from: string, calendars = TUNIS): string {
  return formatInstant(instantOf(timeTarget.parse(given), parseInstant(from) ?? 0, calendars));
}

describe('A target of the simulated time', () => {
  test.each([
    [{ to: '2026-03-05T10:00:00+01:00' }, '2026-03-05T09:00:00.000Z'],
    [{ by: 'PT1H' }, '2026-03-02T09:00:00.000Z'],
    [{ by: 'P1DT12H30M5S' }, '2026-03-03T20:30:05.000Z'],
    [{ minutes: 90 }, '2026-03-02T09:30:00.000Z'],
    [{ days: 0 }, '2026-03-02T08:00:00.000Z'],
    [{ days: 10 }, '2026-03-12T08:00:00.000Z'],
    [{ workingDays: 5 }, '2026-03-09T08:00:00.000Z'],
  ])('reads %j from a Monday morning as %s', (given, instant) => {
    expect(reached(given, '2026-03-02T08:00:00.000Z')).toBe(instant);
  });

  test('skips weekends and holidays when it counts working days', () => {
    expect(reached({ workingDays: 1 }, '2026-03-19T08:00:00.000Z')).toBe('2026-03-23T08:00:00.000Z');
  });

  test('keeps the local time of a day across a clock change', () => {
    expect(reached({ days: 1 }, '2026-03-28T11:00:00.000Z', PARIS)).toBe('2026-03-29T10:00:00.000Z');
    expect(reached({ by: 'P1D' }, '2026-03-28T11:00:00.000Z', PARIS)).toBe('2026-03-29T11:00:00.000Z');
  });

  test.each([
    [{}],
    [{ minutes: 1, days: 1 }],
    [{ minutes: -1 }],
    [{ minutes: 1.5 }],
    [{ minutes: '1' }],
    [{ to: '2026-03-05' }],
    [{ to: '2026-03-05T10:00:00' }],
    [{ hours: 1 }],
  ])('refuses %j', (given) => {
    expect(timeTarget.safeParse(given).success).toBe(false);
  });

  test('refuses an instant beyond the supported range', () => {
    expect(() => reached({ to: '2190-01-02T00:00:00Z' }, '2026-03-02T08:00:00Z')).toThrow(
      'time: expected an instant from 1970-01-02 to 2190-01-01',
    );
  });
});

describe('A duration', () => {
  test.each(['', 'P', 'PT', 'P1DT', '1H', 'PT1.5H', 'PT-1H', 'PT1H ', 'P1Y', 'P1M', 'pt1h', 'PT1S1H'])(
    'refuses %j',
    (text) => {
      expect(() => readDuration(text)).toThrow('by: expected a duration');
    },
  );
});
