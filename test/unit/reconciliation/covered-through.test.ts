import { expect, test } from '@jest/globals';
import { businessDate } from '../../../src/kernel';
import { coveredThrough } from '../../../src/reconciliation/covered-through';

const COVERAGE = new Map([
  ['main', businessDate('2026-03-10')],
  ['second', businessDate('2026-03-06')],
  ['unused', businessDate('2025-01-31')],
]);

test('takes the earliest of the accounts that receive payouts', () => {
  expect(coveredThrough(COVERAGE, new Set(['main', 'second']))).toBe('2026-03-06');
  expect(coveredThrough(COVERAGE, new Set(['main']))).toBe('2026-03-10');
});

test('uses all accounts before any receives a payout, and is undefined without a statement', () => {
  expect(coveredThrough(COVERAGE, new Set())).toBe('2025-01-31');
  expect(coveredThrough(new Map(), new Set(['main']))).toBeUndefined();
});
