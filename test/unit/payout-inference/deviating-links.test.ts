// Goal: payouts with items that moved over their cuts are found, and no other amounts are taken for such.
// Method: streams with known payouts, some of which pass over an item or take one early; each link that is found must
// have its amount by plain addition, and every true payout must be among them.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HOUR_MS } from '../../../src/kernel';
import { unknownCutRates } from '../../../src/payout-inference/cut-rates';
import { chanceOfState, cleanCut, cutFinder } from '../../../src/payout-inference/cut-states';
import { type DeviatingLink, linksNear, linksSwapped, plainLink } from '../../../src/payout-inference/deviating-links';
import { linksAcross } from '../../../src/payout-inference/links-across';
import { refundsLeft } from '../../../src/payout-inference/refunds-left';
import { runSum } from '../../../src/payout-inference/run-sum';
import { type Credit, priceStream, type StreamItems } from '../../../src/payout-inference/testing';
import { twoMovedError } from '../../../src/payout-inference/two-moved-error';
import { type Random, randomFrom } from '../../support/random';
import { aCredit, aGrid, anItem, aRule, aStream } from './a-stream';

const GRID = aGrid();
const RATES = unknownCutRates(GRID, 1);
const NO_FEES = { rules: [], clawback: 'kept' } as const;
const ITEMS_PER_DAY = 8;
const SEEDS = fc.integer({ min: 0, max: 1_000_000 });

function manyItems(random: Random, days: number): StreamItems {
  return aStream(
    Array.from({ length: days * ITEMS_PER_DAY }, (_, index) =>
      anItem(`i${index}`, (index * 24) / ITEMS_PER_DAY + 0.5, 10_000 + random.below(90_000)),
    ),
  );
}

describe('the sums of runs', () => {
  test('equal those of plain addition, with refunds and fees', () => {
    fc.assert(
      fc.property(SEEDS, (seed) => {
        const random = randomFrom(seed);
        const items = Array.from({ length: 24 }, (_, index) => anItem(`p${index}`, index, 1_000 + random.below(9_000)));
        const refunds = items
          .filter(() => random.onceIn(3))
          .map((item, index) => ({
            ...anItem(`r${index}`, 0, -item.amount),
            succeededAt: item.succeededAt + (1 + random.below(12)) * HOUR_MS + 60_000,
            refundOf: item.itemId,
          }));
        const sequence = aStream([...items, ...refunds]);
        const clawback = random.oneOf(['kept', 'returned'] as const);
        const priced = priceStream(sequence, { rules: [aRule()], clawback }, GRID);
        const finder = cutFinder(sequence, priced, GRID);
        const from = random.below(sequence.size);
        const to = from + 1 + random.below(sequence.size - from);
        const [version] = priced;
        expect(version && runSum(sequence, version, from, to)).toBe(finder.sum(from, to));
      }),
    );
  });
});

describe('the state of a cut', () => {
  const items = [1_000, 2_000, 3_000, 4_000, 5_000, 2_000].map((amount, index) => anItem(`i${index}`, index, amount));
  const sequence = aStream(items);
  const finder = cutFinder(sequence, priceStream(sequence, NO_FEES, GRID), GRID);
  const positionsAt = (carried: number): unknown =>
    finder.stateAt(4, carried, { from: 0, to: 6 })?.items.map(({ position }) => position);

  test('names the items before it that were held back', () => expect(positionsAt(2_000)).toEqual([1]));
  test('names the items behind it that were taken early', () => expect(positionsAt(-2_000)).toEqual([5]));
  test('is clean if no amount moved', () => expect(finder.stateAt(4, 0, { from: 0, to: 6 })).toEqual(cleanCut(4)));
  test('has pairs of items that explain an amount together', () => {
    const rates = { heldBack: 0.3, takenEarly: 0.1 };
    const of = (carried: number): number => finder.chanceOfPairs(4, carried, { from: 0, to: 6 }, rates);
    const [held, early] = [0.3 / 4, 0.1 / 2];
    // Both held back: 1 and 4, 2 and 3. Held back and taken early: 3 and 5. Both taken early: 5 and 2.
    expect(of(5_000)).toBeCloseTo(2 * held * held, 12);
    expect(of(-2_000)).toBeCloseTo(held * early, 12);
    expect(of(-7_000)).toBeCloseTo(early * early, 12);
  });
  test('is likelier where items move in the direction that explains it', () => {
    const reach = { from: 0, to: 6 };
    const chance = (carried: number): number =>
      chanceOfState(finder.stateAt(4, carried, reach) ?? cleanCut(4), { heldBack: 0.3, takenEarly: 0.1 });
    expect(chance(2_000)).toBeCloseTo(0.3 / 4, 12);
    expect(chance(-2_000)).toBeCloseTo(0.1 / 2, 12);
  });
  test('does not exist if no item has the amount', () => expect(positionsAt(2_500)).toBeUndefined());
});

interface Moving {
  readonly sequence: StreamItems;
  readonly credits: readonly Credit[];
}

/** Payouts of each day, with an item on the other side of each cut but the first and the last. */
function movingPayouts(seed: number, days: number): Moving {
  const random = randomFrom(seed);
  const sequence = manyItems(random, days);
  const paidAt = Array.from({ length: sequence.size }, (_, position) => Math.floor(position / ITEMS_PER_DAY));
  for (let day = 0; day + 1 < days; day += 1) {
    const cut = (day + 1) * ITEMS_PER_DAY;
    const isEarly = random.onceIn(2);
    // Not the item beside the cut.
    const position = isEarly ? cut + 1 + random.below(3) : cut - 5 + random.below(3);
    paidAt[position] = isEarly ? day : day + 1;
  }
  const amounts = Array.from({ length: days }, (_, day) =>
    paidAt.reduce((sum, of, position) => sum + (of === day ? (sequence.amount[position] ?? 0) : 0), 0),
  );
  return {
    sequence,
    credits: amounts.map((amount, day) => aCredit(GRID, day, amount, day + 2)),
  };
}

describe.each([2, 3, 6])('%d payouts in a row with an item on the other side of each cut', (days) => {
  test('are all found, and only links with the amounts of their credits', () => {
    fc.assert(
      fc.property(SEEDS, (seed) => {
        const { sequence, credits } = movingPayouts(seed, days);
        const priced = priceStream(sequence, NO_FEES, GRID);
        const finder = cutFinder(sequence, priced, GRID);
        const request = { sequence, finder, cutRates: RATES, grid: GRID, hasFeePerPayout: false };
        const found = linksAcross(request, { from: 0, to: sequence.size, credits });
        for (const link of found) expect(paidBy(sequence, link)).toBe(link.credit.amount);
        const cutsOfDays = found.map(({ from, to, credit }) => `${credit.index}: ${from}-${to}`);
        credits.forEach((_, day) => {
          expect(cutsOfDays).toContain(`${day}: ${day * ITEMS_PER_DAY}-${(day + 1) * ITEMS_PER_DAY}`);
        });
      }),
      { numRuns: 40 },
    );
  });
});

test('the links near a clean one pay its amount with other cuts', () => {
  fc.assert(
    fc.property(SEEDS, (seed) => {
      const random = randomFrom(seed);
      const sequence = aStream(
        Array.from({ length: 60 }, (_, index) => anItem(`i${index}`, index * 2, 5_000 * (1 + random.below(4)))),
      );
      const priced = priceStream(sequence, NO_FEES, GRID);
      const finder = cutFinder(sequence, priced, GRID);
      const links = [0, 1, 2].map((day) => {
        const [from, to] = [day * 20, day * 20 + 20];
        return { ...plainLink({ from, to, credit: aCredit(GRID, day, finder.sum(from, to), day + 3) }), share: 0.99 };
      });
      const near = linksNear({ sequence, finder, cutRates: RATES }, links);
      expect(near.length).toBeGreaterThan(0);
      for (const link of near) expect(paidBy(sequence, link)).toBe(link.credit.amount);
    }),
    // The last one has links whose both cuts only one item could explain.
    { numRuns: 40, examples: [[44683]] },
  );
});

test('two credits may be paid the other way round if an item between them is as large as their difference', () => {
  const amounts = [4_000, 6_000, 5_210, 3_700, 6_300];
  const sequence = aStream(amounts.map((amount, index) => anItem(`i${index}`, index * 6, amount)));
  const finder = cutFinder(sequence, priceStream(sequence, NO_FEES, GRID), GRID);
  // The third item is paid with those before it, or with those behind it.
  const first = { from: 0, to: 3, credit: aCredit(GRID, 0, 15_210, 3) };
  const next = { from: 3, to: 5, credit: aCredit(GRID, 1, 10_000, 3) };
  const found = linksSwapped({ sequence, finder, cutRates: RATES }, [first, next]);
  for (const link of found) expect(paidBy(sequence, link)).toBe(link.credit.amount);
  const seen = found.map(({ credit, from, to, start, end }) => [credit.index, from, to, start.carried, end.carried]);
  expect(seen).toContainEqual([1, 0, 3, 0, 5_210]);
  expect(seen).toContainEqual([0, 3, 5, 5_210, 0]);
});

/** Adds the items that a link pays, with the first of those that can have moved. */
function paidBy({ amount }: StreamItems, { from, to, start, end }: DeviatingLink): number {
  const paid = new Set(Array.from({ length: to - from }, (_, index) => from + index));
  const starts = start.items.filter(({ position }) => position < to);
  const ends = end.items.filter(({ position }) => position >= from);
  const first = starts.find((one) => ends.length === 0 || ends.some((other) => other.position !== one.position));
  const last = ends.find(({ position }) => position !== first?.position);
  const change = (item: { readonly position: number } | undefined, isAdded: (position: number) => boolean): void => {
    if (item === undefined) return;
    if (isAdded(item.position)) paid.add(item.position);
    else paid.delete(item.position);
  };
  change(first, (position) => position < from);
  change(last, (position) => position >= to);
  return [...paid].reduce((sum, position) => sum + (amount[position] ?? 0), 0);
}

describe('the doubt that two items moved instead of one', () => {
  // Behind the cut at noon of the second day, the third item of 9 is held back; 4 and 5 before it amount to the same.
  const amounts = [4_000, 5_000, 9_000, 7_100, 2_300, 6_600, 8_200, 3_700];
  const sequence = aStream(amounts.map((amount, index) => anItem(`i${index}`, 20 + 2 * index, amount)));
  const finder = cutFinder(sequence, priceStream(sequence, NO_FEES, GRID), GRID);
  const doubtAt = (carried: number, moved: number): number => {
    const state = finder.stateAt(4, carried, { from: 0, to: 8 }) ?? cleanCut(4);
    const rates = { heldBack: moved / 2, takenEarly: moved / 2, refundLeft: 0.01, merged: 0.1, split: 0.01 };
    const paths = { links: 30, deviations: 1 };
    const deviating = [
      { from: 0, to: 4 },
      { from: 4, to: 8 },
    ];
    return twoMovedError({ sequence, finder, weighed: { cutRates: RATES, rates, paths, deviating } }, state);
  };

  test('is there where two items have the amount together', () => expect(doubtAt(9_000, 0.2)).toBeGreaterThan(1e-3));
  test('grows with the number of items that move', () =>
    expect(doubtAt(9_000, 0.2)).toBeGreaterThan(2 * doubtAt(9_000, 0.05)));
  test('is none for a clean cut', () => expect(doubtAt(0, 0.2)).toBe(0));
  test('is none if nothing moves', () => expect(doubtAt(9_000, 0)).toBe(0));
});

describe('refunds that were not taken back', () => {
  const items = [20_000, 8_700, -5_100, 13_300, -6_700, -13_300, 31_700, -20_000];
  const sequence = aStream(items.map((amount, index) => anItem(`i${index}`, index * 2, amount)));
  const priced = priceStream(sequence, NO_FEES, GRID);
  const finder = cutFinder(sequence, priced, GRID);
  const total = finder.sum(0, items.length);
  const leftOutOf = (more: number): string[] => {
    const free = [aCredit(GRID, 0, total + more, 2)];
    return refundsLeft({ sequence, priced, grid: GRID, finder, free }, { from: 0, to: items.length })
      .filter(({ from, to }) => from === 0 && to === items.length)
      .map(({ leftOut }) => leftOut.join(' '))
      .sort();
  };

  test('are found one or two at a time', () => {
    expect(leftOutOf(5_100)).toEqual(['2']);
    expect(leftOutOf(11_800)).toEqual(['2 4']);
  });
  test('may be one refund or two of the same amount together', () => expect(leftOutOf(20_000)).toEqual(['4 5', '7']));
  test('may be two refunds or three of the same amount together', () =>
    expect(leftOutOf(25_100)).toEqual(['2 4 5', '2 7']));
  test('may be all of the payout', () => expect(leftOutOf(45_100)).toEqual(['2 4 5 7']));
  test('are bounded where many of them have equal amounts', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      anItem(`r${index}`, index, index % 2 === 0 ? -10_000 : -20_000),
    );
    const equal = aStream([...many, anItem('big', 60, 5_000_000)]);
    const prices = priceStream(equal, NO_FEES, GRID);
    const sums = cutFinder(equal, prices, GRID);
    const free = [aCredit(GRID, 0, sums.sum(0, 61) + 30_000, 4)];
    const found = refundsLeft({ sequence: equal, priced: prices, grid: GRID, finder: sums, free }, { from: 0, to: 61 });
    expect(found.filter(({ from, to }) => from === 0 && to === 61)).toHaveLength(30 * 30);
  });
});
