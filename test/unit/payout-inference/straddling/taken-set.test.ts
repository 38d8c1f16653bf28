import { describe, expect, test } from '@jest/globals';
import { hasTaken, keyOf, takenSet } from '../../../../src/payout-inference/straddling/taken-set';

describe('the set of items paid up to a cut', () => {
  test('has one form wherever the cut lies', () => {
    expect(keyOf(takenSet(3, [5, 4, 3, 8]))).toBe(keyOf(takenSet(6, [8, 2])));
  });

  test('distinguishes sets that differ in one item', () => {
    expect(keyOf(takenSet(3, [5]))).not.toBe(keyOf(takenSet(3, [4])));
  });

  test('holds all before its place and the extras behind it', () => {
    const taken = takenSet(2, [4]);
    expect([0, 1, 2, 3, 4, 5].filter((position) => hasTaken(taken, position))).toEqual([0, 1, 4]);
  });
});
