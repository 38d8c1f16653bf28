import { expect, test } from '@jest/globals';
import { matchSummary } from '../../../src/cli/match-summary';
import { businessDate, millimes } from '../../../src/kernel';
import type { MatchFacts, MatchResult } from '../../../src/payout-inference';

const DAY = businessDate('2026-03-02');

/** Breaks of these amounts, and nothing else. */
function breakLines(amounts: readonly number[]): string[] {
  const facts: MatchFacts = {
    items: [],
    observations: [],
    observedItems: [],
    lines: [],
    fees: undefined,
    holidays: undefined,
    warnings: [],
  };
  const breaks = amounts.map((amount) => ({
    breakClass: 'missing_in_book' as const,
    amount: millimes(amount),
    itemIds: [],
    lineIds: [],
    since: DAY,
  }));
  const result: MatchResult = { model: undefined, fees: [], credits: [], items: [], breaks };
  const lines = matchSummary(facts, result);
  return lines.slice(lines.findIndex((line) => line.startsWith('breaks')));
}

test('amounts are summed to the millime, however large they become', () => {
  const largest = Number.MAX_SAFE_INTEGER; // 9 007 199 254 740,991 dinars
  const [, ...kinds] = breakLines([largest, largest, largest, -1, 2]);
  expect(kinds.map((line) => line.replace(/\D+/, '').replaceAll(/\D/g, ''))).toEqual([`5${3n * BigInt(largest) + 1n}`]);
  expect(breakLines([-largest, -largest, largest, largest])[1]).toMatch(/ 4, 0,000 DT$/);
});

test('without any there is the count alone', () => {
  expect(breakLines([])).toEqual([expect.stringMatching(/^breaks +0$/)]);
});
