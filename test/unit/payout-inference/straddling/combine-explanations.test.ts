import { describe, expect, test } from '@jest/globals';
import type { Explanation } from '../../../../src/payout-inference/model-answer';
import { combineExplanations } from '../../../../src/payout-inference/straddling/combine-explanations';

describe('two answers to one file', () => {
  test('compete where they differ, so that neither is sure', () => {
    const combined = combineExplanations(new Map([[0, [run([1, 2], 0.9999)]]]), new Map([[0, [run([1, 3], 0.8)]]]));
    expect(combined.get(0)?.map(({ items, share }) => [items, share])).toEqual([
      [[1, 2], 0.9999],
      [[1, 3], 0.8],
    ]);
  });

  test('count once where they agree, with the greater error and the wider cut', () => {
    const wide = { ...run([1, 2], 0.7), nearError: 0.002, cutFrom: 5, cutTo: 30 };
    const combined = combineExplanations(new Map([[0, [run([1, 2], 0.9)]]]), new Map([[0, [wide]]]));
    expect(combined.get(0)).toEqual([{ ...run([1, 2], 0.9), nearError: 0.002, cutFrom: 5, cutTo: 30 }]);
  });

  test('do not let one item be paid twice', () => {
    const combined = combineExplanations(new Map([[0, [run([1, 2], 1)]]]), new Map([[1, [run([2, 3], 0.9999)]]]));
    expect(combined.get(1)?.[0]?.share).toBe(0);
  });
});

function run(items: readonly number[], share: number): Explanation {
  return { stream: 'all', items, share, nearError: 0, cutFrom: 10, cutTo: 20, kind: 'run' };
}
