import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, businessDate, type BusinessDate } from '../../../src/kernel';
import { DEFAULT_GRACE, findBreaks, type Findings } from '../../../src/reconciliation/find-breaks';
import type { SweepResult } from '../../../src/reconciliation/sweep-all';
import { CONTEXT, credit, item, itemIds } from './sweep';

const NOTHING: SweepResult = { resolved: [], ambiguous: [], unexplained: [], unpaid: [] };

const find = (sweep: Partial<SweepResult>, horizon: string, everPaid = true): Findings =>
  findBreaks({ ...NOTHING, ...sweep }, { ...CONTEXT, grace: DEFAULT_GRACE, horizon: businessDate(horizon), everPaid });

const classes = ({ breaks }: Findings): string[] => breaks.map(({ breakClass }) => breakClass);

/** The first day on which something is a break, looked for day by day. */
function firstDayOf(sweep: Partial<SweepResult>): BusinessDate | undefined {
  const start = businessDate('2026-03-01');
  return Array.from({ length: 60 }, (_, index) => addDays(start, index)).find(
    (day) => find(sweep, day).breaks.length > 0,
  );
}

describe('a payment that the bank does not show', () => {
  // Swept by the next working day, booked on the one after, three more of grace; a break on the working day after those.
  test.each([
    ['Monday', '2026-03-02 10:00', '2026-03-10'],
    ['Monday, in the last minute', '2026-03-02 23:59', '2026-03-10'],
    ['Tuesday, in the first minute', '2026-03-03 00:00', '2026-03-11'],
    ['Friday', '2026-03-06 10:00', '2026-03-16'],
    ['Saturday', '2026-03-07 10:00', '2026-03-17'],
    ['Sunday', '2026-03-08 10:00', '2026-03-17'],
    ['Monday', '2026-03-09 10:00', '2026-03-17'],
    ['Thursday before a holiday', '2026-03-19 10:00', '2026-03-30'],
    ['a holiday', '2026-03-20 10:00', '2026-03-31'],
  ])('of %s, %s, is a break from %s on', (_day, time, expected) => {
    expect(firstDayOf({ unpaid: [item('a', time, 100)] })).toBe(expected);
  });

  test('is pending until then', () => {
    const unpaid = [item('a', '2026-03-02 10:00', 100)];
    expect(itemIds(find({ unpaid }, '2026-03-09').pending)).toEqual(['a']);
    expect(find({ unpaid }, '2026-03-10').pending).toEqual([]);
  });

  test('gets no older while the bank file is late', () => {
    const unpaid = [item('a', '2026-03-02 10:00', 100)];
    // The run goes up to June, but the statements cover 9 March: that is the horizon, whatever the run's day.
    expect(find({ unpaid }, '2026-03-09').breaks).toEqual([]);
  });

  test('stands in one break with the other payments of its day, and their sum', () => {
    const unpaid = [
      item('a', '2026-03-02 10:00', 100),
      item('b', '2026-03-02 23:30', 20),
      item('c', '2026-03-03 00:30', 3),
    ];
    expect(find({ unpaid }, '2026-03-31').breaks).toEqual([
      {
        fingerprint: 'missing_in_bank:agent:2026-03-02',
        breakClass: 'missing_in_bank',
        since: '2026-03-02',
        amount: 120,
        subject: { itemIds: ['a', 'b'], lineIds: [], facts: { items: 2 } },
      },
      {
        fingerprint: 'missing_in_bank:agent:2026-03-03',
        breakClass: 'missing_in_bank',
        since: '2026-03-03',
        amount: 3,
        subject: { itemIds: ['c'], lineIds: [], facts: { items: 1 } },
      },
    ]);
  });

  test('is in one line a month while nothing was ever paid out', () => {
    const unpaid = [
      item('a', '2026-03-02 10:00', 100),
      item('b', '2026-03-03 10:00', 20),
      item('c', '2026-03-31 10:00', 3),
    ];
    const { breaks, pending } = find({ unpaid }, '2026-03-31', false);
    expect(breaks).toEqual([
      {
        fingerprint: 'clearing_unexplained:agent:2026-03',
        breakClass: 'clearing_unexplained',
        since: '2026-03-02',
        amount: 120,
        subject: { itemIds: ['a', 'b'], lineIds: [], facts: { items: 2 } },
      },
    ]);
    expect(itemIds(pending)).toEqual(['c']);
    expect(find({ unpaid }, '2026-04-30', false).breaks.map(({ fingerprint }) => fingerprint)).toEqual([
      'clearing_unexplained:agent:2026-04',
    ]);
    expect(find({ unpaid: [] }, '2026-04-30', false).breaks).toEqual([]);
  });

  test('has no amount when the day adds up to more than can be counted', () => {
    const unpaid = [item('a', '2026-03-02 10:00', Number.MAX_SAFE_INTEGER), item('b', '2026-03-02 11:00', 1)];
    expect(find({ unpaid }, '2026-03-31').breaks).toMatchObject([
      { amount: undefined, subject: { itemIds: ['a', 'b'] } },
    ]);
  });

  test('once a break stays one as the days go by', () => {
    const anItem = fc
      .integer({ min: 0, max: 30 })
      .map((days) => item('a', `${addDays(businessDate('2026-03-01'), days)} 10:00`, 1));
    fc.assert(
      fc.property(anItem, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 }), (unpaid, day, later) => {
        const at = (offset: number): boolean =>
          find({ unpaid: [unpaid] }, addDays(businessDate('2026-03-01'), offset)).breaks.length === 1;
        expect(!at(day) || at(day + later)).toBe(true);
      }),
    );
  });
});

describe('a credit that no payments explain', () => {
  test.each([
    ['Monday', '2026-03-02', '2026-03-05'],
    ['Wednesday', '2026-03-04', '2026-03-09'],
    ['Friday', '2026-03-06', '2026-03-11'],
    ['Thursday before a holiday', '2026-03-19', '2026-03-25'],
  ])('of %s, %s, is a break from %s on', (_day, bookingDate, expected) => {
    expect(firstDayOf({ unexplained: [credit('L1', bookingDate, 7)] })).toBe(expected);
  });

  test('names its line and its amount', () => {
    expect(find({ unexplained: [credit('L1', '2026-03-02', 7)] }, '2026-03-31').breaks).toEqual([
      {
        fingerprint: 'missing_in_book:L1',
        breakClass: 'missing_in_book',
        since: '2026-03-02',
        amount: 7,
        subject: { itemIds: [], lineIds: ['L1'], facts: { bookingDate: '2026-03-02' } },
      },
    ]);
  });
});

test('a credit that is ambiguous is a break at once', () => {
  const ambiguous = [credit('L1', '2026-03-02', 7), credit('L2', '2026-03-02', 8)];
  const found = find({ ambiguous }, '2026-03-02');
  expect(classes(found)).toEqual(['ambiguous_payout', 'ambiguous_payout']);
  expect(new Set(found.breaks.map(({ fingerprint }) => fingerprint)).size).toBe(2);
});

test('nothing is found where nothing is left over', () => {
  expect(find({}, '2026-12-31')).toEqual({ breaks: [], pending: [] });
});
