import { describe, expect, test } from '@jest/globals';
import { addCounts } from '../../../scripts/evaluate/score/add-counts';
import { figuresMarkdown } from '../../../scripts/evaluate/score/figures';
import { missedGoals, percent } from '../../../scripts/evaluate/score/goals';
import { scoreTable } from '../../../scripts/evaluate/score/score-table';
import type { Counts, CreditScore, WorldScore, WrongCredit } from '../../../scripts/evaluate/score/world-score';

const EMPTY = addCounts([]);
const credits = (exact: number, more: Partial<CreditScore> = {}): CreditScore => ({
  ...EMPTY.strict,
  resolved: exact,
  exact,
  exactResolvable: exact,
  ...more,
});
const counts = (more: Partial<Counts> = {}): Counts => ({
  ...EMPTY,
  resolvable: 100,
  strict: credits(96),
  loose: credits(98),
  withDecoys: credits(96),
  ...more,
});
const WRONG: WrongCredit = { scenario: 's', seed: 1, lineId: 'line', maxError: 0.001, why: '' };

describe('the goals', () => {
  test('are met at their limits', () => {
    expect(missedGoals(counts())).toEqual([]);
  });

  test.each([
    ['wrong at 1e-3', { strict: credits(96, { wrong: [WRONG] }) }],
    ['wrong at 5e-3', { loose: credits(98, { wrong: [WRONG] }) }],
    ['wrong beside decoys', { withDecoys: credits(96, { wrong: [WRONG] }) }],
    ['items of a false common core', { loose: credits(98, { commonCoreFalse: 1 }) }],
    ['decoys resolved', { decoysResolved: 1 }],
    ['answers that depend on the order of the files', { shufflesDifferent: 1 }],
    ['exact at 1e-3', { strict: credits(95) }],
    ['exact at 5e-3', { loose: credits(97) }],
    ['exact beside decoys', { withDecoys: credits(95) }],
    [
      'precision of the breaks',
      { breaks: { a: { justified: 0, justifiedFound: 0, reported: 100, reportedRight: 94 } } },
    ],
    ['recall of the breaks', { breaks: { a: { justified: 100, justifiedFound: 94, reported: 0, reportedRight: 0 } } }],
  ])('name the missed one: %s', (name, more) => {
    const missed = missedGoals(counts(more));
    expect(missed).toHaveLength(1);
    expect(missed[0]).toMatch(new RegExp(`^${name}: `));
  });

  test('are never rounded up to', () => {
    expect(percent(0.95999)).toBe('95.9 %');
  });
});

test('writes the tables of the document as Markdown', () => {
  const tables = figuresMarkdown([{ ...counts(), worlds: 1, scenario: 's', seed: 1 }]).split('\n\n');
  expect(tables.map((text) => text.split('\n')[0]?.split(' ')[1])).toEqual(['figure', 'claimed', 'break', 'scenario']);
  expect(tables[0]).toContain('| exact at 1e-3, wrong | 96.0 %, 0 |');
  expect(tables[3]).toContain('| `s` | 0 | 100 | 96.0 % | 98.0 % | 0.000 |');
});

test('prints a line for each scenario and one for the sum', () => {
  const score = (scenario: string): WorldScore => ({ ...counts(), worlds: 1, scenario, seed: 1 });
  const lines = scoreTable([score('b'), score('a'), score('b')]).split('\n');
  expect(lines.map((line) => line.split(/\s{2,}/).slice(0, 2))).toEqual([
    ['', 'worlds'],
    ['b', '2'],
    ['a', '1'],
    ['all', '3'],
  ]);
});
