import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { subsetSums } from '../../../../src/payout-inference/straddling/subset-sums';

// Goal: every choice that adds up to the target is found, and no other.
// Method: small lists of numbers, refunds among them, against every choice tried one by one.
describe('choices by what they add up to', () => {
  test('are all those that trying every choice finds', () => {
    const numbers = fc.array(fc.integer({ min: -4, max: 9 }), { maxLength: 9 });
    fc.assert(
      fc.property(numbers, fc.integer({ min: -6, max: 30 }), (list, target) => {
        const found = subsetSums(list).reaching(target, 2 ** 9);
        expect(found?.map(sorted).sort()).toEqual(everyChoice(list, target).map(sorted).sort());
      }),
    );
  });

  test('are none at all, rather than some, where there are more than asked for', () => {
    const twins = subsetSums([5, 5, 5, 5]);
    expect(twins.reaching(10, 6)).toHaveLength(6);
    expect(twins.reaching(10, 5)).toBeUndefined();
  });

  test('lie between the sum of all negative and the sum of all positive numbers', () => {
    const { least, most } = subsetSums([7, -2, 4, -3]);
    expect([least, most]).toEqual([-5, 11]);
  });
});

function everyChoice(list: readonly number[], target: number): number[][] {
  return Array.from({ length: 2 ** list.length }, (_, mask) =>
    [...list.keys()].filter((place) => ((mask >> place) & 1) === 1),
  ).filter((places) => places.reduce((sum, place) => sum + (list[place] ?? 0), 0) === target);
}

function sorted(places: readonly number[]): string {
  return [...places].sort((a, b) => a - b).join();
}
