// Goal: too much confidence fails a run of the evaluation, and dependence inside a world never does.
import { describe, expect, test } from '@jest/globals';
import { addCounts } from '../../../scripts/evaluate/score/add-counts';
import { calibrationRows, decadesOfWorld } from '../../../scripts/evaluate/score/calibration';
import { missedGoals } from '../../../scripts/evaluate/score/goals';
import { atLeast, atMost } from '../../../scripts/evaluate/score/poisson-binomial';
import { calibrationTable } from '../../../scripts/evaluate/score/score-table';
import { trueBook } from '../../../scripts/evaluate/score/true-book';
import type { WorldDecade } from '../../../scripts/evaluate/score/world-score';
import { anInferredCredit, aSmallWorld } from './a-small-world';

/** Worlds with ten explanations of 2 % each, of which the first ones have wrong ones. */
function worlds(count: number, withWrong: number, wrongOfEach = 1): WorldDecade[] {
  return Array.from({ length: count }, (_, index) => ({
    world: `s:${index}`,
    decade: -2,
    explanations: 10,
    claimedSum: 0.2,
    claimedMax: 0.02,
    wrong: Array.from({ length: index < withWrong ? wrongOfEach : 0 }, (__, line) => ({
      ...{ scenario: 's', seed: index, lineId: `line-${line}`, maxError: 0.3, why: '' },
    })),
  }));
}

describe('the number of independent events', () => {
  test('has the binomial tails for equal probabilities', () => {
    expect(atLeast(2, [0.5, 0.5])).toBeCloseTo(0.25);
    expect(atMost(1, [0.5, 0.5, 0.5])).toBeCloseTo(0.5);
  });

  test('has exact tails for other probabilities', () => {
    expect(atLeast(1, [0.1, 0.2])).toBeCloseTo(1 - 0.9 * 0.8);
    expect(atMost(0, [0.1, 0.2])).toBeCloseTo(0.9 * 0.8);
    expect(atLeast(0, [])).toBe(1);
    expect(atLeast(1, [])).toBe(0);
  });
});

describe('the explanations of a world', () => {
  const world = aSmallWorld(
    [
      { id: 'a', amount: 5_000, when: '2026-03-02 09:00' },
      { id: 'b', amount: 7_000, when: '2026-03-03 09:00' },
    ],
    [
      { id: 'first', day: '2026-03-03', cut: '2026-03-02 17:00', paid: ['a'] },
      { id: 'second', day: '2026-03-04', cut: '2026-03-03 17:00', paid: ['b'] },
    ],
  );

  test('are counted by decade of their claimed error, and judged', () => {
    const credits = [
      anInferredCredit('first', { itemIds: ['a'], claimedError: 1e-3 }),
      anInferredCredit('second', { itemIds: ['a', 'b'], claimedError: 0.25 }),
    ];
    const run = { scenario: 's', seed: 7, maxError: 0.3, book: trueBook(world), resolvable: new Set<string>() };
    expect(decadesOfWorld(credits, run)).toMatchObject([
      { world: 's:7', decade: -3, explanations: 1, claimedSum: 1e-3, wrong: [] },
      { decade: -1, explanations: 1, claimedMax: 0.25, wrong: [{ lineId: 'second' }] },
    ]);
  });
});

describe('claims', () => {
  const verdictOf = (decades: readonly WorldDecade[]): unknown => calibrationRows(decades)[0]?.verdict;

  test('agree when worlds are wrong as often as the sum of their claims says', () => {
    expect(verdictOf(worlds(100, 20))).toBe('agrees');
  });

  test('agree when the wrong ones of a world come together, as often as one claim says', () => {
    expect(verdictOf(worlds(100, 2, 10))).toBe('agrees');
  });

  test('are too sure when many more worlds are wrong, which is a missed goal', () => {
    const decades = worlds(100, 40);
    expect(verdictOf(decades)).toBe('too sure');
    expect(missedGoals({ ...addCounts([]), calibration: decades })).toContainEqual(
      expect.stringMatching(/^worlds with a wrong explanation claimed from 1e-2: 40, /),
    );
  });

  test('are too careful when far fewer are wrong, which only the table shows', () => {
    const decades = worlds(500, 0);
    expect(verdictOf(decades)).toBe('too careful');
    expect(missedGoals({ ...addCounts([]), calibration: decades })).toEqual([]);
    expect(calibrationTable({ ...addCounts([]), calibration: decades })).toMatch(
      /1e-2 +5000 +0 +100\.000 +500 +0 +10\.00 to 100\.00 +too careful/,
    );
  });
});
