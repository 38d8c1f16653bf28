import { describe, expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import {
  BANK_LAG_WORKING_DAYS_MAX,
  explainBySweep,
  type BankCredit,
  type OpenItem,
} from '../../../src/reconciliation/sweep-all';
import { CONTEXT, credit, item, itemIds, lineIds, paidBy } from './sweep';

const explain = (items: readonly OpenItem[], credits: readonly BankCredit[]) => explainBySweep(items, credits, CONTEXT);

// Monday 2 March 2026 and the days after it.
const MONDAY = [item('a', '2026-03-02 09:00', 10_000), item('b', '2026-03-02 15:00', 2_500)];
const TUESDAY = [item('c', '2026-03-03 10:00', 7_001), item('d', '2026-03-03 11:00', 40_000)];
const WEDNESDAY = [item('e', '2026-03-04 10:00', 333)];

describe('a credit', () => {
  test('is explained by the run of items that it equals to the millime', () => {
    const result = explain([...MONDAY, ...TUESDAY], [credit('L1', '2026-03-03', 12_500)]);
    expect(paidBy(result)).toEqual({ L1: ['a', 'b'] });
    expect(itemIds(result.unpaid)).toEqual(['c', 'd']);
    expect(result.unexplained).toEqual([]);
    expect(result.resolved[0]?.cut).toEqual({
      after: MONDAY[1]?.availableUntil,
      until: TUESDAY[0]?.availableUntil,
    });
  });

  test('that pays everything was cut on the day of its booking or before', () => {
    expect(explain(MONDAY, [credit('L1', '2026-03-03', 12_500)]).resolved[0]?.cut.until).toBe(
      Date.parse('2026-03-04T00:00:00+01:00'),
    );
  });

  test.each([12_499, 12_501, 2_500, 10_001, 1])(
    'of %i is not explained by items that are one millime or one item off',
    (amount) => {
      const result = explain(MONDAY, [credit('L1', '2026-03-03', amount)]);
      expect(result.resolved).toEqual([]);
      expect(lineIds(result.unexplained)).toEqual(['L1']);
      expect(itemIds(result.unpaid)).toEqual(['a', 'b']);
    },
  );

  test('may pay a day in two transfers, or two days in one', () => {
    expect(paidBy(explain(MONDAY, [credit('L1', '2026-03-03', 10_000), credit('L2', '2026-03-03', 2_500)]))).toEqual({
      L1: ['a'],
      L2: ['b'],
    });
    expect(paidBy(explain([...MONDAY, ...TUESDAY], [credit('L1', '2026-03-04', 59_501)]))).toEqual({
      L1: ['a', 'b', 'c', 'd'],
    });
  });

  test('is exact beyond what a number can add up', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const items = ['a', 'b', 'c'].map((id, index) => item(id, `2026-03-02 1${index}:00`, most));
    const credits = ['L1', 'L2', 'L3'].map((id) => credit(id, '2026-03-03', most));
    expect(paidBy(explain(items, credits))).toEqual({ L1: ['a'], L2: ['b'], L3: ['c'] });
    const off = [credit('L1', '2026-03-03', most), credit('L2', '2026-03-03', most - 1)];
    expect(paidBy(explain(items, off))).toEqual({ L1: ['a'] });
  });
});

describe('several credits', () => {
  test('are explained one after the other, in the order of their cuts and not of their booking', () => {
    const result = explain(
      [...MONDAY, ...TUESDAY, ...WEDNESDAY],
      [credit('L3', '2026-03-05', 333), credit('L1', '2026-03-05', 12_500), credit('L2', '2026-03-04', 47_001)],
    );
    expect(paidBy(result)).toEqual({ L1: ['a', 'b'], L2: ['c', 'd'], L3: ['e'] });
    expect(result.unpaid).toEqual([]);
  });

  test('of equal amounts on two days are two payouts in the order of their days', () => {
    const items = [item('a', '2026-03-02 09:00', 500), item('b', '2026-03-03 09:00', 500)];
    const credits = [credit('L2', '2026-03-04', 500), credit('L1', '2026-03-03', 500)];
    expect(paidBy(explain(items, credits))).toEqual({ L1: ['a'], L2: ['b'] });
  });

  test('of equal amounts with another payout between them are found too', () => {
    const items = [...MONDAY, ...TUESDAY, item('f', '2026-03-04 10:00', 12_500)];
    const credits = [
      credit('L1', '2026-03-03', 12_500),
      credit('L2', '2026-03-04', 47_001),
      credit('L3', '2026-03-05', 12_500),
    ];
    expect(paidBy(explain(items, credits))).toEqual({ L1: ['a', 'b'], L2: ['c', 'd'], L3: ['f'] });
  });

  test('of equal amounts are left to a person when only one of them can be the payout', () => {
    const credits = [
      credit('L1', '2026-03-03', 12_500),
      credit('look-alike', '2026-03-04', 12_500),
      credit('L2', '2026-03-04', 47_001),
    ];
    const result = explain([...MONDAY, ...TUESDAY], credits);
    expect(result.resolved).toEqual([]);
    expect(lineIds(result.ambiguous)).toEqual(['L1', 'look-alike']);
    expect(lineIds(result.unexplained)).toEqual(['L2']);
    expect(itemIds(result.unpaid)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('of different amounts that could both come next are left to a person, and nothing after them is guessed', () => {
    const credits = [
      credit('L1', '2026-03-03', 12_500),
      credit('look-alike', '2026-03-03', 10_000),
      credit('L2', '2026-03-04', 47_001),
    ];
    const result = explain([...MONDAY, ...TUESDAY], credits);
    expect(result.resolved).toEqual([]);
    expect(lineIds(result.ambiguous).sort()).toEqual(['L1', 'look-alike']);
    expect(lineIds(result.unexplained)).toEqual(['L2']);
    expect(itemIds(result.unpaid)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('before a doubtful one stay explained', () => {
    const credits = [
      credit('L1', '2026-03-03', 12_500),
      credit('L2', '2026-03-04', 47_001),
      credit('L2b', '2026-03-05', 47_001),
    ];
    const result = explain([...MONDAY, ...TUESDAY], credits);
    expect(paidBy(result)).toEqual({ L1: ['a', 'b'] });
    expect(lineIds(result.ambiguous)).toEqual(['L2', 'L2b']);
    expect(itemIds(result.unpaid)).toEqual(['c', 'd']);
  });

  test('behind one that is missing are not matched to anything', () => {
    const result = explain(
      [...MONDAY, ...TUESDAY, ...WEDNESDAY],
      [credit('L2', '2026-03-04', 47_001), credit('L3', '2026-03-05', 333)],
    );
    expect(result.resolved).toEqual([]);
    expect(lineIds(result.unexplained)).toEqual(['L2', 'L3']);
    expect(itemIds(result.unpaid)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('beside unrelated ones are explained, and the unrelated ones are not', () => {
    const result = explain(MONDAY, [credit('L1', '2026-03-03', 12_500), credit('rent', '2026-03-03', 999_999)]);
    expect(paidBy(result)).toEqual({ L1: ['a', 'b'] });
    expect(lineIds(result.unexplained)).toEqual(['rent']);
  });
});

describe('items of one instant', () => {
  const together = [item('a', '2026-03-02 09:00', 500), item('b', '2026-03-02 09:00', 500)];

  test('are not divided between two payouts', () => {
    const result = explain(together, [credit('L1', '2026-03-03', 500)]);
    expect(result.resolved).toEqual([]);
    expect(lineIds(result.unexplained)).toEqual(['L1']);
  });

  test('are paid together', () => {
    expect(paidBy(explain(together, [credit('L1', '2026-03-03', 1_000)]))).toEqual({ L1: ['a', 'b'] });
  });
});

describe('the time from the cut to the booking', () => {
  const booked = (bookingDate: string, items: readonly OpenItem[]): boolean =>
    explain(items, [credit('L1', bookingDate, 100)]).resolved.length === 1;

  const bounded = (time: string, next: string): OpenItem[] => [item('a', time, 100), item('next', next, 7)];

  test('is at most as many working days as a bank may take', () => expect(BANK_LAG_WORKING_DAYS_MAX).toBe(5));

  test('is never negative', () => {
    const items = bounded('2026-03-03 09:00', '2026-03-03 18:00');
    expect(booked('2026-03-02', items)).toBe(false);
    expect(booked('2026-03-03', items)).toBe(true);
  });

  test.each([
    ['2026-03-09', true], // the fifth working day after Monday 2 March
    ['2026-03-10', false],
  ])('counts working days: %s after a cut on Monday is %p', (bookingDate, expected) => {
    expect(booked(bookingDate, bounded('2026-03-02 09:00', '2026-03-02 18:00'))).toBe(expected);
  });

  test.each([
    ['2026-03-16', true], // Saturday counts as Monday 9 March, and the fifth working day after it is the 16th
    ['2026-03-17', false],
  ])('starts with the Monday for a cut on Saturday: %s is %p', (bookingDate, expected) => {
    expect(booked(bookingDate, bounded('2026-03-07 09:00', '2026-03-07 18:00'))).toBe(expected);
  });

  test.each([
    ['2026-03-26', true], // after Wednesday 18 March: 19, 23, 24, 25, 26
    ['2026-03-27', false],
  ])('leaves out a holiday: %s is %p', (bookingDate, expected) => {
    expect(booked(bookingDate, bounded('2026-03-18 09:00', '2026-03-18 18:00'))).toBe(expected);
  });

  test('is counted from the latest possible cut, just before the next item', () => {
    const items = bounded('2026-03-02 09:00', '2026-03-06 09:00');
    expect(booked('2026-03-13', items)).toBe(true);
    expect(booked('2026-03-16', items)).toBe(false);
  });

  test('has no end while no later item bounds the cut', () => {
    expect(booked('2026-06-30', [item('a', '2026-03-02 09:00', 100)])).toBe(true);
  });

  test('takes the day of Tunis, an hour ahead of UTC', () => {
    const justAfterMidnight = { ...item('a', '2026-03-03 00:30', 100) };
    expect(booked('2026-03-02', [justAfterMidnight])).toBe(false);
    expect(booked('2026-03-03', [justAfterMidnight])).toBe(true);
  });
});

test('nothing is explained where there is nothing', () => {
  expect(explain([], [])).toEqual({ resolved: [], ambiguous: [], unexplained: [], unpaid: [] });
  expect(lineIds(explain([], [credit('L1', '2026-03-03', 1)]).unexplained)).toEqual(['L1']);
  expect(itemIds(explain(MONDAY, []).unpaid)).toEqual(['a', 'b']);
});

test('an item that takes money back is a bug of the caller', () => {
  const negative = { ...item('a', '2026-03-02 09:00', 1), amount: millimes(-1) };
  expect(() => explain([negative], [])).toThrow(/positive/);
});
