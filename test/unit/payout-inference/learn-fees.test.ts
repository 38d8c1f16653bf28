// Goal: the gateway's fees are learned exactly from items and credits, and no fees are learned where none are kept.
// Method: payouts under known terms; a candidate is correct if it computes the same amount for every credit.
import { describe, expect, test } from '@jest/globals';
import { DAY_MS, millimes } from '../../../src/kernel';
import { feeOn, type FeeRule, type Item } from '../../../src/payout-inference';
import type { LearnBudget } from '../../../src/payout-inference/fee-runs';
import { type LearnedTerms, learnFees } from '../../../src/payout-inference/learn-fees';
import { runSum } from '../../../src/payout-inference/run-sum';
import { type Credit, priceStream } from '../../../src/payout-inference/testing';
import { randomFrom } from '../../support/random';
import { aCredit, aGrid, anItem, aRule, aStream } from './a-stream';

const GRID = aGrid({ days: 30 });
const DAYS = 9;
const ITEMS_PER_DAY = 12;

const TERMS: readonly [string, Partial<FeeRule>][] = [
  ['a rate', { ratePpm: 20_000, fixedMillimes: millimes(0) }],
  ['a rate and a fixed part', { ratePpm: 12_500, fixedMillimes: millimes(150) }],
  ['a rate with no TVA', { ratePpm: 17_500, fixedMillimes: millimes(0), tvaPpm: 0 }],
  ['a rate with TVA of 7 %', { ratePpm: 30_000, fixedMillimes: millimes(0), tvaPpm: 70_000 }],
  ['a rate that is rounded down', { ratePpm: 9_500, fixedMillimes: millimes(0), rounding: 'down' }],
  ['a fee on the payout', { ratePpm: 8_500, fixedMillimes: millimes(300), basis: 'payout' }],
];

describe.each(TERMS)('payouts under %s', (_name, different) => {
  test.each([1, 2])('learns terms that give the same fee for each payout (seed %i)', (seed) => {
    const rule = aRule(different);
    const { sequence, credits } = payoutsUnder(rule, seed);
    const [best] = learn(sequence, credits);
    expect(best?.basis).toBe(rule.basis);
    expect(best?.chain).toBeGreaterThanOrEqual(4);
    credits.forEach(({ amount }, day) => expect(netUnder(sequence, best, day)).toBe(amount));
  });
});

test('learns no terms from payouts without a fee', () => {
  const { sequence, credits } = payoutsUnder(aRule({ ratePpm: 0, fixedMillimes: millimes(0) }), 1);
  expect(learn(sequence, credits)).toEqual([]);
});

test('learns no terms from credits that pay something else', () => {
  const { sequence, credits } = payoutsUnder(aRule(), 1);
  const random = randomFrom(3);
  expect(
    learn(
      sequence,
      credits.map((credit) => ({ ...credit, amount: credit.amount - 500 - random.below(9_000) })),
    ),
  ).toEqual([]);
});

test('learns no terms from too few payouts to prove them', () => {
  const { sequence, credits } = payoutsUnder(aRule(), 1);
  expect(learn(sequence, credits.slice(0, 3))).toEqual([]);
});

test('stops the search when its budget is used up', () => {
  const { sequence, credits } = payoutsUnder(aRule(), 1);
  const budget = { left: 1_000_000 };
  expect(learn(sequence, credits, budget)).not.toEqual([]);
  expect(budget.left).toBeLessThan(1_000_000);
  expect(learn(sequence, credits, { left: -1 })).toEqual([]);
});

test.each(TERMS)('rules out the terms of a shifted file after few steps (%s)', (_name, different) => {
  const { sequence, credits } = payoutsUnder(aRule(different), 2);
  const budget = { left: 1_000_000 };
  expect(learn(sequence, credits, budget, [1, 2, 3, 4, 5])).toEqual([]);
  expect(1_000_000 - budget.left).toBeLessThan(100_000);
});

test('charges the fee that the simulated gateway keeps of each item alone', () => {
  const rule = aRule();
  const { sequence, credits } = payoutsUnder(rule, 1);
  const ofFirstDay = Array.from({ length: ITEMS_PER_DAY }, (_, position) => sequence.amount[position] ?? 0);
  const kept = ofFirstDay.map((amount) => feeOn(amount, rule)).reduce((sum, { fee, tva }) => sum + fee + tva, 0);
  expect(ofFirstDay.reduce((sum, amount) => sum + amount, -kept)).toBe(credits[0]?.amount);
});

interface Payouts {
  readonly sequence: ReturnType<typeof aStream>;
  readonly credits: readonly Credit[];
}

/** One payout of each day, booked on the next. */
function payoutsUnder(rule: FeeRule, seed: number): Payouts {
  const random = randomFrom(seed);
  const items: Item[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    for (let place = 0; place < ITEMS_PER_DAY; place += 1) {
      items.push(anItem(`${day}-${place}`, day * 24 + 8 + place * 0.7, 3_000 + random.below(900) * 100));
    }
  }
  const sequence = aStream(items);
  const credits = Array.from({ length: DAYS }, (_, day) =>
    aCredit(GRID, day, sumUnder(sequence, [rule], day), day + 1),
  );
  return { sequence, credits };
}

function sumUnder(sequence: Payouts['sequence'], rules: readonly FeeRule[], day: number): number {
  const [priced] = priceStream(sequence, { rules, clawback: 'kept' }, GRID);
  if (priced === undefined) throw new Error('there are prices');
  return runSum(sequence, priced, day * ITEMS_PER_DAY, (day + 1) * ITEMS_PER_DAY);
}

function netUnder(sequence: Payouts['sequence'], learned: LearnedTerms | undefined, day: number): number {
  if (learned === undefined) return NaN;
  const { terms, basis } = learned;
  return sumUnder(sequence, [aRule({ ...terms, fixedMillimes: millimes(terms.fixedMillimes), basis })], day);
}

function learn(
  sequence: Payouts['sequence'],
  credits: readonly Credit[],
  budget: LearnBudget = { left: Infinity },
  starts: readonly number[] = [0],
): readonly LearnedTerms[] {
  const search = learnFees({
    budget,
    sequence,
    credits,
    windowMs: 16 * DAY_MS,
    starts,
    channelSets: [[['wallet']]],
    clawbacks: ['kept'],
  });
  for (const candidates of search) if (candidates.length > 0) return candidates;
  return [];
}
