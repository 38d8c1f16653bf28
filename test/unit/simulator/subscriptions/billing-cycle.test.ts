// Goal: periods are counted from the anchor, so that short months move nothing for good.
// Method: literal days, and the properties that hold for every plan.
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { businessCalendar, businessDate, formatInstant, parseInstant } from '../../../../src/kernel';
import {
  BILLING_INTERVALS,
  type BillingCycle,
  periodDay,
  periodInstant,
} from '../../../../src/simulator/subscriptions/billing-cycle';

const days = (anchor: string, cycle: BillingCycle, periods: readonly number[]): readonly string[] =>
  periods.map((period) => periodDay(businessDate(anchor), cycle, period));

describe('The first day of a period', () => {
  test('is the last day of a shorter month and the 31st afterwards, for a plan of the 31st', () => {
    expect(days('2026-01-31', { interval: 'month', intervalCount: 1 }, [0, 1, 2, 3, 12])).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2027-01-31',
    ]);
  });

  test('is 28 February until the next leap year, for a yearly plan of 29 February', () => {
    expect(days('2024-02-29', { interval: 'year', intervalCount: 1 }, [1, 3, 4])).toEqual([
      '2025-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  test.each([
    ['day', 10, '2026-03-12'],
    ['week', 2, '2026-03-16'],
    ['month', 10, '2027-01-02'],
    ['month', 12, '2027-03-02'],
    ['year', 1, '2027-03-02'],
  ] as const)('after %s × %d from 2 March 2026 is %s', (interval, intervalCount, day) => {
    expect(days('2026-03-02', { interval, intervalCount }, [1])).toEqual([day]);
  });

  test('is later for a later period, whatever the plan', () => {
    const plan = fc.record({
      interval: fc.constantFrom(...BILLING_INTERVALS),
      intervalCount: fc.integer({ min: 1, max: 12 }),
    });
    const anchor = fc
      .integer({ min: 0, max: 3_000 })
      .map((count) => periodDay(businessDate('2020-01-01'), { interval: 'day', intervalCount: 1 }, count));
    fc.assert(
      fc.property(anchor, plan, fc.integer({ min: 0, max: 8 }), (day, cycle, period) => {
        expect(periodDay(day, cycle, period) < periodDay(day, cycle, period + 1)).toBe(true);
      }),
    );
  });
});

test('a period begins at the local time of the activation, on both sides of a clock change', () => {
  const activatedAt = parseInstant('2026-03-01T12:30:15.250+01:00') ?? 0;
  const cycle = { interval: 'month', intervalCount: 1 } as const;
  const begins = (zone: string): string => formatInstant(periodInstant(businessCalendar(zone), activatedAt, cycle, 1));
  expect(begins('Africa/Tunis')).toBe('2026-04-01T11:30:15.250Z');
  expect(begins('Europe/Paris')).toBe('2026-04-01T10:30:15.250Z');
});
