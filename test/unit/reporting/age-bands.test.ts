import { expect, test } from '@jest/globals';
import { addDays, businessDate, WorkingDays } from '../../../src/kernel';
import { bandOf, bandStarts, firstDayWithin } from '../../../src/reporting/age-bands';

// 2026-03-20 is a Friday and a holiday.
const workingDays = new WorkingDays([businessDate('2026-03-20')]);
const THROUGH = businessDate('2026-03-23');

test('finds the earliest day of an age, without holidays and weekends', () => {
  for (const days of [0, 1, 2, 5, 10, 30]) {
    const first = firstDayWithin(days, THROUGH, workingDays);
    expect([days, workingDays.countBetween(first, THROUGH)]).toEqual([days, days]);
    expect(workingDays.countBetween(addDays(first, -1), THROUGH)).toBe(days + 1);
  }
});

test('puts each day in the band of its age', () => {
  const starts = bandStarts(THROUGH, workingDays);
  const bandOn = (day: string): string => {
    const index = starts.findIndex((start) => day >= start);
    return bandOf(index === -1 ? starts.length : index);
  };
  const expected = (age: number): string =>
    age <= 1 ? '0-1' : age <= 5 ? '2-5' : age <= 10 ? '6-10' : age <= 30 ? '11-30' : 'over 30';
  for (let day = businessDate('2026-01-01'); day <= THROUGH; day = addDays(day, 1)) {
    expect([day, bandOn(day)]).toEqual([day, expected(workingDays.countBetween(day, THROUGH))]);
  }
});
