// Goal: the enumeration finds a subset if one exists, and only correct ones.
// Method: compare with all subsets of a few amounts.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { subsetsWithSum } from '../../../scripts/evaluate/score/subset-search';

const amounts = fc.array(fc.integer({ min: -5, max: 20 }), { maxLength: 9 });

test('finds every subset with a sum, and nothing else', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: -20, max: 60 }), (values, sum) => {
      const sumOf = (mask: number): number =>
        values.reduce((total, value, index) => total + ((mask >> index) % 2 === 1 ? value : 0), 0);
      const all = Array.from({ length: 2 ** values.length }, (_, mask) => mask).filter((mask) => sumOf(mask) === sum);
      expect(subsetsWithSum(values, sum, Infinity).sort((a, b) => a - b)).toEqual(all);
    }),
  );
});

test('stops at the wanted number', () => {
  expect(subsetsWithSum([1, 1, 1, 1, 1, 1], 3, 2)).toHaveLength(2);
});
