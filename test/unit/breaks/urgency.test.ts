import { describe, expect, test } from '@jest/globals';
import type { ReconBreak } from '../../../src/breaks';
import { urgencyOf } from '../../../src/breaks/workflow/severity';
import { loadConfig } from '../../../src/config';
import { businessCalendar, businessDate, type Instant, millimes, WorkingDays } from '../../../src/kernel';

// Goal: the order of work on breaks follows from amount, age and due date, all in working days.
// Method: one break on a Monday of a month with one holiday, evaluated on other days.

const calendar = businessCalendar('Africa/Tunis');
const MONDAY = businessDate('2026-03-02');
const HOLIDAY = businessDate('2026-03-20');
const SETTINGS = loadConfig({}).breakUrgency;

const noon = (date: string): Instant => calendar.startOf(businessDate(date)) + 12 * 3_600_000;

function aBreak(more: Partial<ReconBreak> = {}): ReconBreak {
  return {
    id: '0'.repeat(26),
    fingerprint: 'f',
    breakClass: 'missing_in_bank',
    status: 'open',
    since: MONDAY,
    amount: millimes(50_000),
    direction: 'books_have_more',
    subject: { itemIds: [], lineIds: [], facts: {} },
    openedAt: noon('2026-03-02'),
    resolvedAt: undefined,
    resolution: undefined,
    ...more,
  };
}

const on = (today: string, given: ReconBreak, agedThrough = today): ReturnType<typeof urgencyOf> =>
  urgencyOf(given, SETTINGS, {
    calendar,
    workingDays: new WorkingDays([HOLIDAY]),
    today: businessDate(today),
    agedThrough: businessDate(agedThrough),
  });

describe('the severity of a break', () => {
  test.each([
    [99_999, 'low'],
    [100_000, 'medium'],
    [999_999, 'medium'],
    [1_000_000, 'high'],
    [-1_000_000, 'high'],
    [-100_000, 'medium'],
    [0, 'low'],
  ])('for %i millimes on the first day is %s', (amount, severity) => {
    expect(on('2026-03-02', aBreak({ amount: millimes(amount) })).severity).toBe(severity);
  });

  test.each([
    ['2026-03-06', 4, 'low'],
    ['2026-03-08', 4, 'low'],
    ['2026-03-09', 5, 'medium'],
    ['2026-03-13', 9, 'medium'],
    ['2026-03-16', 10, 'high'],
    ['2026-03-23', 14, 'high'],
  ])('for a small amount by %s, %i working days old, is %s', (today, ageDays, severity) => {
    expect(on(today, aBreak())).toMatchObject({ ageDays, severity });
  });

  test('rises with age alone for an unknown amount', () => {
    expect(on('2026-03-02', aBreak({ amount: undefined })).severity).toBe('low');
    expect(on('2026-03-16', aBreak({ amount: undefined })).severity).toBe('high');
  });

  test('does not rise while no bank statement arrives', () => {
    expect(on('2026-03-31', aBreak(), '2026-03-03')).toMatchObject({ ageDays: 1, severity: 'low' });
  });

  test('stays that of the last day for a resolved break', () => {
    const resolved = aBreak({ status: 'resolved', resolvedAt: noon('2026-03-09'), resolution: 'by_hand' });
    expect(on('2026-03-31', resolved)).toMatchObject({ ageDays: 5, severity: 'medium', isOverdue: false });
  });
});

describe('the due date of a break', () => {
  test.each([
    [1_000_000, '2026-03-04'],
    [100_000, '2026-03-09'],
    [1, '2026-03-16'],
  ])('for %i millimes is %s', (amount, dueOn) => {
    expect(on('2026-03-02', aBreak({ amount: millimes(amount) })).dueOn).toBe(dueOn);
  });

  test('skips holidays, and counts from the day on which the break was found', () => {
    const found = aBreak({ openedAt: noon('2026-03-19'), amount: millimes(1_000_000) });
    expect(on('2026-03-19', found).dueOn).toBe('2026-03-24');
  });

  test('stays the same when age alone makes the break more urgent', () => {
    expect(on('2026-03-16', aBreak())).toMatchObject({ severity: 'high', dueOn: '2026-03-16', isOverdue: false });
    expect(on('2026-03-17', aBreak())).toMatchObject({ dueOn: '2026-03-16', isOverdue: true });
  });

  test('passes even if the bank file is late', () => {
    expect(on('2026-03-17', aBreak(), '2026-03-03').isOverdue).toBe(true);
  });
});
