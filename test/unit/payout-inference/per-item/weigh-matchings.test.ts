// Goal: shares are the exact sums over all ways to match, and refuse where those are too many.
// Method: small sets of choices whose matchings can be counted by hand.
import { describe, expect, test } from '@jest/globals';
import { weighMatchings, type Choice } from '../../../../src/payout-inference/per-item/weigh-matchings';

const choice = (credit: number, items: readonly number[], weight: number): Choice => ({ credit, items, weight });

describe('matching credits with items', () => {
  test('weighs a pair against no match at all', () => {
    const { shares, logTotal } = weighMatchings([choice(0, [0], 999)]);
    expect(shares[0]).toBeCloseTo(0.999, 12);
    expect(logTotal).toBeCloseTo(Math.log(1_000), 12);
  });

  test('gives two credits and two items that nothing tells apart one half each', () => {
    const twins = [choice(0, [0], 1e6), choice(0, [1], 1e6), choice(1, [0], 1e6), choice(1, [1], 1e6)];
    for (const share of weighMatchings(twins).shares) expect(share).toBeCloseTo(0.5, 5);
  });

  test('lets a sure pair decide what its neighbours can be', () => {
    const { shares } = weighMatchings([
      choice(0, [0], 1e9),
      choice(0, [1], 1),
      choice(1, [0], 1e4),
      choice(1, [1], 1e4),
    ]);
    expect(shares[0]).toBeGreaterThan(0.999);
    expect(shares[3]).toBeGreaterThan(0.999);
  });

  test('pays no item twice, also where one credit pays several', () => {
    const { shares } = weighMatchings([choice(0, [0, 1], 10), choice(1, [1], 10)]);
    // None, the first, the second: 1 + 10 + 10.
    expect(shares[0]).toBeCloseTo(10 / 21, 12);
    expect(shares[1]).toBeCloseTo(10 / 21, 12);
  });

  test('refuses a group with more items in doubt at once than it can count', () => {
    const choices = Array.from({ length: 20 }, (_, credit) =>
      Array.from({ length: 20 }, (_unused, item) => choice(credit, [item], 5)),
    ).flat();
    const { isRefused, logTotal, logRefused } = weighMatchings(choices);
    expect(isRefused.every((refused) => refused === 1)).toBe(true);
    expect(logTotal).toBe(0);
    expect(logRefused).toBeCloseTo(20 * Math.log(5), 9);
  });
});
