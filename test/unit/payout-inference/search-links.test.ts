// Goal: the chain of true payouts is found even in a file too large to try every start.
// Method: streams whose payouts are known; the longest time between two cuts makes the search of all starts too
// expensive.
import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../src/kernel';
import type { Item } from '../../../src/payout-inference';
import { searchLinks } from '../../../src/payout-inference/search-links';
import { type Credit, type LinkSearch, priceStream } from '../../../src/payout-inference/testing';
import { randomFrom } from '../../support/random';
import { aCredit, aGrid, anItem, aStream } from './a-stream';

const ITEMS_PER_DAY = 700;
const DAYS = 24;
const GRID = aGrid({ days: DAYS + 10 });
/** The work that a search does before it turns to chains alone, as in the code under test. */
const STEPS_FOR_ALL_STARTS = 120_000_000;

describe('the links of a large stream', () => {
  const search = largeSearch(() => true);
  const found = searchLinks(search);

  test('hold every true payout, found with a part of the work', () => {
    expect(namesOf(found.links)).toEqual(expect.arrayContaining(truePayouts(() => true)));
    expect(found.cutShortFrom).toBeUndefined();
    expect(found.steps).toBeLessThan(STEPS_FOR_ALL_STARTS);
  });

  test('are found where they begin late', () => {
    const isThere = (day: number): boolean => day >= 13;
    expect(namesOf(searchLinks(largeSearch(isThere)).links)).toEqual(expect.arrayContaining(truePayouts(isThere)));
  });

  test('each weigh what their credit says', () => {
    for (const { from, to, credit } of found.links) {
      expect(search.sequence.amount.slice(from, to).reduce((sum, amount) => sum + amount, 0)).toBe(credit.amount);
    }
  });

  test('begin again behind a payout that is not on the statement', () => {
    const isThere = (day: number): boolean => day !== 9;
    expect(namesOf(searchLinks(largeSearch(isThere)).links)).toEqual(expect.arrayContaining(truePayouts(isThere)));
  });
});

test('tries every place of a small stream', () => {
  const items = [anItem('a', 9, 1_000), anItem('b', 10, 2_000), anItem('c', 11, 2_000)];
  const sequence = aStream(items);
  const priced = priceStream(sequence, { rules: [], clawback: 'kept' }, GRID);
  const credits = [aCredit(GRID, 0, 2_000, 1)];
  const { links } = searchLinks({ sequence, priced, credits, grid: GRID, windowMs: DAY_MS });
  expect(namesOf(links)).toEqual(['1-2 0', '2-3 0']);
});

test('finds no links in a stream without items', () => {
  const sequence = aStream([]);
  const priced = priceStream(sequence, { rules: [], clawback: 'kept' }, GRID);
  expect(searchLinks({ sequence, priced, credits: [], grid: GRID, windowMs: DAY_MS }).links).toEqual([]);
});

/** Payouts of a day each; the window of the search covers the file, so each start is as dear as it can be. */
function largeSearch(isThere: (day: number) => boolean): LinkSearch {
  const random = randomFrom(7);
  const items: Item[] = [];
  const credits: Credit[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    let sum = 0;
    for (let place = 0; place < ITEMS_PER_DAY; place += 1) {
      const amount = 1_001 + random.below(90_000);
      sum += amount;
      items.push(anItem(`${day}-${place}`, day * 24 + 8 + place / 100, amount));
    }
    if (isThere(day)) credits.push(aCredit(GRID, day, sum, day + 1));
  }
  // Nobody is paid so much: it keeps every walk going to the end of the window.
  credits.push(aCredit(GRID, DAYS, 10 ** 12, DAYS));
  const sequence = aStream(items);
  return {
    sequence,
    priced: priceStream(sequence, { rules: [], clawback: 'kept' }, GRID),
    credits,
    grid: GRID,
    windowMs: DAYS * DAY_MS,
  };
}

function truePayouts(isThere: (day: number) => boolean): string[] {
  return Array.from({ length: DAYS }, (_, day) => day)
    .filter(isThere)
    .map((day) => `${day * ITEMS_PER_DAY}-${(day + 1) * ITEMS_PER_DAY} ${day}`);
}

function namesOf(links: readonly { readonly from: number; readonly to: number; readonly credit: Credit }[]): string[] {
  return links.map(({ from, to, credit }) => `${from}-${to} ${credit.index}`);
}

test('counts runs that are shifted by equal items as one hit', () => {
  // Three equal payments before the run and after it: each of four runs has the sum.
  const amounts = [1_000, 1_000, 1_000, 2_300, 4_700, 3_100, 1_000, 1_000, 1_000];
  const sequence = aStream(amounts.map((amount, index) => anItem(`i${index}`, 9 + index, amount)));
  const priced = priceStream(sequence, { rules: [], clawback: 'kept' }, GRID);
  const credits = [aCredit(GRID, 0, 13_100, 1)];
  const { links, chances } = searchLinks({ sequence, priced, credits, grid: GRID, windowMs: DAY_MS });
  expect(namesOf(links)).toHaveLength(4);
  expect(chances.met[0]).toBe(1);
});
