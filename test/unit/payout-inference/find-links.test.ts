// Goal: every sequence of items with exactly the amount of a credit is found, and no other.
// Method: against the fees and refunds of every sequence computed item by item, on small random streams.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, DAY_MS } from '../../../src/kernel';
import { feeOn, type FeeRule, feeRuleOn, type Item } from '../../../src/payout-inference';
import { runSum } from '../../../src/payout-inference/run-sum';
import { searchLinks } from '../../../src/payout-inference/search-links';
import {
  type Credit,
  type FeeHypothesis,
  type Link,
  linkFinder,
  priceStream,
  type StreamItems,
} from '../../../src/payout-inference/testing';
import { aCredit, aGrid, anItem, aRule, aStream, FIRST_DATE } from './a-stream';

const GRID = aGrid({ days: 30 });
const WINDOW_MS = 6 * DAY_MS;
const CHANGE_DATE = addDays(FIRST_DATE, 3);

/** Few amounts, so that sums meet, and items of one instant now and then. */
const streams = fc
  .array(
    fc.record({
      hours: fc.nat(9),
      amount: fc.constantFrom(1_000, 1_000, 2_000, 3_000, 5_010),
      refunds: fc.option(fc.nat(12)),
    }),
    {
      minLength: 2,
      maxLength: 14,
    },
  )
  .map((steps): Item[] => {
    let hours = 9;
    const items: Item[] = [];
    const refunded = new Set<number>();
    steps.forEach((step, index) => {
      hours += step.hours;
      const payment = step.refunds === null ? undefined : items[step.refunds];
      if (payment !== undefined && payment.amount > 0 && !refunded.has(step.refunds ?? -1)) {
        refunded.add(step.refunds ?? -1);
        items.push(anItem(`refund-${index}`, hours, -payment.amount, { refundOf: payment.itemId }));
      } else items.push(anItem(`item-${index}`, hours, step.amount));
    });
    return items;
  });

const HYPOTHESES: readonly [string, FeeHypothesis][] = [
  ['no fee', { rules: [], clawback: 'kept' }],
  ['a fee on the item, kept', { rules: [aRule()], clawback: 'kept' }],
  ['a fee on the item, given back with a refund', { rules: [aRule()], clawback: 'returned' }],
  ['a fee on the payout', { rules: [aRule({ basis: 'payout' })], clawback: 'kept' }],
  [
    'a fee that changes on a day',
    { rules: [aRule(), aRule({ ratePpm: 30_000, from: CHANGE_DATE })], clawback: 'kept' },
  ],
];

describe.each(HYPOTHESES)('the links of a stream with %s', (_name, hypothesis) => {
  test('are all runs that weigh what a credit says, for a cut that it can have paid', () => {
    fc.assert(
      fc.property(streams, fc.array(fc.nat(60), { minLength: 1, maxLength: 6 }), (items, picks) => {
        const sequence = aStream(items);
        const credits = creditsOf(sequence, hypothesis, picks);
        const priced = priceStream(sequence, hypothesis, GRID);
        const { links } = searchLinks({ sequence, priced, credits, grid: GRID, windowMs: WINDOW_MS });
        expect(namesOf(links)).toEqual(namesOf(allLinks(sequence, hypothesis, credits)));
      }),
      { numRuns: 150 },
    );
  });

  test('weigh what the sum of a run says', () => {
    fc.assert(
      fc.property(streams, (items) => {
        const sequence = aStream(items);
        const [first] = priceStream(sequence, hypothesis, GRID);
        if (first === undefined) throw new Error('there are prices');
        for (let from = 0; from < sequence.size; from += 1) {
          for (let to = from + 1; to <= sequence.size; to += 1) {
            expect(runSum(sequence, first, from, to)).toBe(weightOf(sequence, hypothesis, FIRST_DATE, from, to));
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('the likelihood ratio of a hit', () => {
  test('is measured by how many runs passed the amount and how many met it', () => {
    const sequence = aStream([anItem('a', 9, 1_000), anItem('b', 10, 2_000), anItem('c', 11, 3_000)]);
    const credits = [aCredit(GRID, 0, 3_000, 1), aCredit(GRID, 1, 9_000, 1)];
    const priced = priceStream(sequence, { rules: [], clawback: 'kept' }, GRID);
    const finder = linkFinder({ sequence, priced, credits, grid: GRID, windowMs: WINDOW_MS });
    for (const start of [0, 1, 2]) finder.from(start);
    expect([...finder.chances.passed]).toEqual([3, 0]);
    expect([...finder.chances.met]).toEqual([2, 0]);
  });
});

test('cancels a payment with a refund of the same instant, fee included, in any order of the input', () => {
  const items = [anItem('a', 9, 1_000), anItem('b', 10, 2_000), anItem('rb', 10, -2_000, { refundOf: 'b' })];
  for (const ordered of [items, [...items].reverse()]) {
    const sequence = aStream(ordered);
    const [priced] = priceStream(sequence, { rules: [aRule()], clawback: 'kept' }, GRID);
    if (priced === undefined) throw new Error('there are prices');
    const { fee, tva } = feeOn(1_000, aRule());
    expect(runSum(sequence, priced, 0, 3)).toBe(1_000 - fee - tva);
  }
});

test('charges a fee per payout on the payments of a run that it does not refund', () => {
  const rule = aRule({ basis: 'payout' });
  const items = [
    anItem('a', 9, 1_000),
    anItem('b', 10, 2_000),
    anItem('rb', 11, -2_000, { refundOf: 'b' }),
    anItem('c', 12, 4_000),
  ];
  const line = aStream(items);
  const [priced] = priceStream(line, { rules: [rule], clawback: 'kept' }, GRID);
  if (priced === undefined) throw new Error('there are prices');
  const net = (charged: number, sum: number): number => {
    const { fee, tva } = feeOn(charged, rule);
    return sum - fee - tva;
  };
  expect(runSum(line, priced, 0, 3)).toBe(net(1_000, 1_000));
  expect(runSum(line, priced, 0, 4)).toBe(net(5_000, 5_000));
  expect(runSum(line, priced, 2, 4)).toBe(net(4_000, 2_000));
});

test('limits a run to the longest time between two cuts', () => {
  const sequence = aStream([
    anItem('a', 9, 1_000),
    anItem('b', 9 + 24 * 3, 2_000),
    anItem('c', 9 + 24 * 6.5, 4_000),
    anItem('d', 9 + 24 * 6.6, 1),
  ]);
  const credits = [aCredit(GRID, 0, 3_000, 7), aCredit(GRID, 1, 7_001, 7)];
  const priced = priceStream(sequence, { rules: [], clawback: 'kept' }, GRID);
  const { links } = searchLinks({ sequence, priced, credits, grid: GRID, windowMs: WINDOW_MS });
  expect(namesOf(links)).toEqual(['0-2 0']);
});

/** Amounts of runs of the stream, booked soon behind them or too early. */
function creditsOf(sequence: StreamItems, hypothesis: FeeHypothesis, picks: readonly number[]): Credit[] {
  return picks.map((pick, index) => {
    const from = pick % sequence.size;
    const to = Math.min(sequence.size, from + 1 + (pick % 5));
    const day = GRID.dayOf(sequence.key[to - 1] ?? 0);
    const amount = weightOf(sequence, hypothesis, GRID.dateOf(day), from, to);
    return aCredit(GRID, index, amount > 0 ? amount : 1_000, day - GRID.dayOfDate(FIRST_DATE) + (pick % 4) - 1);
  });
}

/** Every run and every credit, one by one. */
function allLinks(sequence: StreamItems, hypothesis: FeeHypothesis, credits: readonly Credit[]): Link[] {
  const links: Link[] = [];
  const changes = [...new Set(hypothesis.rules.flatMap(({ from }) => (from === undefined ? [] : [from])))];
  const dates = [FIRST_DATE, ...changes];
  for (const credit of credits) {
    for (let from = 0; from < sequence.size; from += 1) {
      if (sequence.isBoundary[from] !== 1) continue;
      for (let to = from + 1; to <= sequence.size; to += 1) {
        if (sequence.isBoundary[to] !== 1 || (sequence.key[to - 2] ?? 0) > (sequence.key[from] ?? 0) + WINDOW_MS) {
          continue;
        }
        const cutFrom = sequence.key[to - 1] ?? 0;
        const cutTo = sequence.key[to] ?? Infinity;
        if (credit.latest <= cutFrom || credit.earliest >= cutTo) continue;
        dates.forEach((date, version) => {
          const next = dates[version + 1];
          const startsAt = version === 0 ? -Infinity : (GRID.startAt[GRID.dayOfDate(date)] ?? 0);
          const endsAt = next === undefined ? Infinity : (GRID.startAt[GRID.dayOfDate(next)] ?? 0);
          if (cutTo <= startsAt || cutFrom >= endsAt) return;
          if (weightOf(sequence, hypothesis, date, from, to) === credit.amount) links.push({ from, to, credit });
        });
      }
    }
  }
  return links;
}

/** What a payout of a run comes to, item by item, under the rules of a day. */
function weightOf(
  sequence: StreamItems,
  { rules, clawback }: FeeHypothesis,
  date: string,
  from: number,
  to: number,
): number {
  const rule = feeRuleOn(rules, 'wallet', date);
  const charge = (amount: number, of: FeeRule): number => feeOn(amount, of).fee + feeOn(amount, of).tva;
  const pairs = new Set<number>();
  for (let position = from; position < to; position += 1) {
    const payment = sequence.payment[position] ?? -1;
    if (payment >= from) pairs.add(payment).add(position);
  }
  let net = 0;
  let positive = 0;
  for (let position = from; position < to; position += 1) {
    const amount = sequence.amount[position] ?? 0;
    if (pairs.has(position)) continue;
    net += amount;
    positive += Math.max(0, amount);
    if (rule?.basis !== 'item') continue;
    if (amount > 0) net -= charge(amount, rule);
    else if (clawback === 'returned') net += charge(-amount, rule);
  }
  return rule?.basis === 'payout' && positive > 0 ? net - charge(positive, rule) : net;
}

function namesOf(links: readonly Link[]): string[] {
  return links.map(({ from, to, credit }) => `${from}-${to} ${credit.index}`).sort();
}
