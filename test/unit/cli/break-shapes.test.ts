// Goal: whoever looks at a break sees what of it is given up and what is left, beside the amount that it always had.
// Method: the three shapes of one break.
import { expect, test } from '@jest/globals';
import type { BreakView } from '../../../src/breaks';
import { BREAK_HEADER, breakCells, breakJson, breakText } from '../../../src/cli/break-shapes';
import { businessDate, millimes } from '../../../src/kernel';

const aBreakView = (amount: number | undefined, writtenOff: number): BreakView => ({
  ...{ id: 'B1', fingerprint: 'items', breakClass: 'missing_in_bank', status: 'open', version: 3 },
  ...{ since: businessDate('2026-03-02'), dueOn: businessDate('2026-03-09'), severity: 'high', ageDays: 2 },
  ...{ isOverdue: false, openedAt: 0, resolvedAt: undefined, resolution: undefined },
  ...{ assignee: undefined, proposalId: undefined, subject: { itemIds: [], lineIds: [], facts: {} } },
  amount: amount === undefined ? undefined : millimes(amount),
  writtenOff: millimes(writtenOff),
});

test.each<[number | undefined, number, number | null]>([
  [7_777_777, 1_000_000, 6_777_777],
  [7_777_777, 0, 7_777_777],
  [-3_000, -1_000, -2_000],
  [undefined, 0, null],
])('of %p with %p written off', (amount, writtenOff, left) => {
  const each = aBreakView(amount, writtenOff);
  const told = { amountMillimes: amount ?? null, writtenOffMillimes: writtenOff, leftMillimes: left };
  expect(breakJson(each)).toMatchObject(told);
  const cells = breakCells(each);
  expect(cells.length).toBe(BREAK_HEADER.length);
  expect(cells[BREAK_HEADER.indexOf('written_off_millimes')]).toBe(writtenOff);
  expect(cells[BREAK_HEADER.indexOf('left_millimes')]).toBe(left ?? '');
});

test('a line of text tells it where something is written off', () => {
  expect(breakText(aBreakView(7_777_777, 0))).toMatch(/due 2026-03-09$/);
  expect(breakText(aBreakView(7_777_777, 1_000_000))).toMatch(
    /7 777,777 DT {2}2 days, due 2026-03-09 {2}\(1 000,000 DT written off, 6 777,777 DT left\)$/,
  );
});
