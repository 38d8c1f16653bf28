import { expect, test } from '@jest/globals';
import { businessDate } from '../../../src/kernel';
import { coveredThrough } from '../../../src/reconciliation/covered-through';

const COVERAGE = new Map([
  ['main', businessDate('2026-03-10')],
  ['second', businessDate('2026-03-06')],
  ['unused', businessDate('2025-01-31')],
]);

test('the slowest account that is paid into says how far the bank is known', () => {
  expect(coveredThrough(COVERAGE, new Set(['main', 'second']))).toBe('2026-03-06');
  expect(coveredThrough(COVERAGE, new Set(['main']))).toBe('2026-03-10');
});

test('before any account is paid into all of them count, and without a statement nothing is known', () => {
  expect(coveredThrough(COVERAGE, new Set())).toBe('2025-01-31');
  expect(coveredThrough(new Map(), new Set(['main']))).toBeUndefined();
});
