import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, businessDate, WorkingDays } from '../../../src/kernel';

// Friday 20 and Saturday 21 March 2026 are holidays, and so is Monday 23: the days off are 20 to 23.
const days = new WorkingDays(['2026-03-20', '2026-03-21', '2026-03-23'].map(businessDate));
const on = businessDate;

describe('working days', () => {
  test.each([
    ['2026-03-19', true], // Thursday
    ['2026-03-20', false],
    ['2026-03-21', false],
    ['2026-03-22', false], // Sunday
    ['2026-03-23', false],
    ['2026-03-24', true],
    ['2026-03-28', false], // an ordinary Saturday
  ])('%s is one: %p', (date, expected) => {
    expect(days.isWorkingDay(on(date))).toBe(expected);
  });

  test('skip a long weekend', () => {
    expect(days.onOrAfter(on('2026-03-19'))).toBe('2026-03-19');
    expect(days.onOrAfter(on('2026-03-20'))).toBe('2026-03-24');
    expect(days.add(on('2026-03-19'), 1)).toBe('2026-03-24');
    expect(days.add(on('2026-03-19'), 2)).toBe('2026-03-25');
    expect(days.add(on('2026-03-21'), 1)).toBe('2026-03-24');
  });

  test('stay on the date if none is added, even on a holiday', () => {
    expect(days.add(on('2026-03-21'), 0)).toBe('2026-03-21');
  });

  test('are counted after the first day through the last', () => {
    expect(days.countBetween(on('2026-03-19'), on('2026-03-24'))).toBe(1);
    expect(days.countBetween(on('2026-03-20'), on('2026-03-23'))).toBe(0);
    expect(days.countBetween(on('2026-03-16'), on('2026-03-20'))).toBe(3);
    expect(days.countBetween(on('2026-03-24'), on('2026-03-24'))).toBe(0);
    expect(days.countBetween(on('2026-03-25'), on('2026-03-24'))).toBe(0);
  });

  test('number as many as were added', () => {
    const aDay = fc.integer({ min: 0, max: 60 }).map((offset) => addDays(on('2026-02-20'), offset));
    fc.assert(
      fc.property(aDay, fc.integer({ min: 0, max: 60 }), (from, count) => {
        const to = days.add(from, count);
        expect(days.countBetween(from, to)).toBe(count);
        expect(count === 0 || days.isWorkingDay(to)).toBe(true);
      }),
    );
  });
});
