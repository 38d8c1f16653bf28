// Goal: shares are the exact sums over all matchings, and are refused if the matchings are too many.
// Method: small sets of choices whose matchings can be counted by hand.
import { describe, expect, test } from '@jest/globals';
import type { Choice } from '../../../../src/payout-inference/per-item/group-choices';
import { weighMatchings } from '../../../../src/payout-inference/per-item/weigh-matchings';
import { randomFrom } from '../../../support/random';

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

  test('lets a sure pair decide what its neighbors can be', () => {
    const { shares } = weighMatchings([
      choice(0, [0], 1e9),
      choice(0, [1], 1),
      choice(1, [0], 1e4),
      choice(1, [1], 1e4),
    ]);
    expect(shares[0]).toBeGreaterThan(0.999);
    expect(shares[3]).toBeGreaterThan(0.999);
  });

  test('pays no item twice, even where one credit pays several', () => {
    const { shares } = weighMatchings([choice(0, [0, 1], 10), choice(1, [1], 10)]);
    // None, the first, the second: 1 + 10 + 10.
    expect(shares[0]).toBeCloseTo(10 / 21, 12);
    expect(shares[1]).toBeCloseTo(10 / 21, 12);
  });

  test('refuses a group with more open items at a time than it can count', () => {
    const choices = Array.from({ length: 20 }, (_, credit) =>
      Array.from({ length: 20 }, (_unused, item) => choice(credit, [item], 5)),
    ).flat();
    const { isRefused, logTotal, logRefused } = weighMatchings(choices);
    expect(isRefused.every((refused) => refused === 1)).toBe(true);
    expect(logTotal).toBe(0);
    expect(logRefused).toBeCloseTo(20 * Math.log(5), 9);
  });

  test.each([1, 2, 3, 4])('gives each choice what counting every matching gives (seed %i)', (seed) => {
    const choices = someChoices(seed);
    const { shares, isRefused, logTotal } = weighMatchings(choices);
    const { total, ofChoice } = countedOneByOne(choices);
    expect([...isRefused]).toEqual(choices.map(() => 0));
    expect(logTotal).toBeCloseTo(Math.log(total), 9);
    choices.forEach((_, index) => expect(shares[index]).toBeCloseTo((ofChoice[index] ?? 0) / total, 9));
  });

  test('refuses only the choices that need more work than is left', () => {
    const pair = [choice(0, [0], 9)];
    const twins = [choice(1, [1], 5), choice(1, [2], 5), choice(2, [1], 5), choice(2, [2], 5)];
    const { isRefused, shares } = weighMatchings([...pair, ...twins], 4);
    expect([...isRefused]).toEqual([0, 1, 1, 1, 1]);
    expect(shares[0]).toBeCloseTo(0.9, 12);
    expect([...shares.slice(1)]).toEqual([0, 0, 0, 0]);
  });
});

/** Seven credits, each of which may pay one or two of nine items. */
function someChoices(seed: number): Choice[] {
  const random = randomFrom(seed);
  return Array.from({ length: 7 }, (_, credit) =>
    Array.from({ length: 1 + random.below(3) }, () => {
      const items = new Set([random.below(9), ...(random.onceIn(3) ? [random.below(9)] : [])]);
      return choice(credit, [...items], 1 + random.below(500) / 10);
    }),
  ).flat();
}

function countedOneByOne(choices: readonly Choice[]): { readonly total: number; readonly ofChoice: number[] } {
  const ofChoice = choices.map(() => 0);
  let total = 0;
  const credits = Math.max(...choices.map(({ credit }) => credit)) + 1;
  const go = (credit: number, used: readonly number[], chosen: readonly number[], weight: number): void => {
    if (credit === credits) {
      total += weight;
      for (const index of chosen) ofChoice[index] = (ofChoice[index] ?? 0) + weight;
      return;
    }
    go(credit + 1, used, chosen, weight);
    choices.forEach((one, index) => {
      if (one.credit !== credit || one.items.some((item) => used.includes(item))) return;
      go(credit + 1, [...used, ...one.items], [...chosen, index], weight * one.weight);
    });
  };
  go(0, [], [], 1);
  return { total, ofChoice };
}
