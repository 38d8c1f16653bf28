// Goal: terms that cannot yield a given total fee are excluded early, and terms that yield it never are.
// Method: random sequences and terms against the plain sum of the fees; the given total equals it or is adjacent to it.
import { expect, test } from '@jest/globals';
import { FEE_ROUNDINGS } from '../../../src/payout-inference';
import { feeOn, type FeeTerms, keptOf } from '../../../src/payout-inference/fee-terms';
import { FeeTotals } from '../../../src/payout-inference/fee-totals';
import { type Random, randomFrom } from '../../support/random';

const RUNS = 20;
const TERMS_OF_EACH = 20;
const TVA_PPMS = [0, 70_000, 130_000, 190_000] as const;
/** An amount whose product with a rate is no exact number any more. */
const VAST = 9_000_000_000_001;

test.each([1, 2, 3])('agrees with the plain sum for any terms (seed %i)', (seed) => {
  const random = randomFrom(seed);
  for (let run = 0; run < RUNS; run += 1) {
    const paid = amounts(random, 1 + random.below(30));
    const back = amounts(random, random.below(4));
    if (random.onceIn(10)) paid.push(VAST);
    const totals = new FeeTotals({ paid, back });
    for (let tried = 0; tried < TERMS_OF_EACH; tried += 1) {
      const terms = someTerms(random);
      const kept = plainSum(paid, terms) - plainSum(back, terms);
      expect(totals.isKept(terms, kept)).toBe(true);
      expect(totals.isKept(terms, kept + 1)).toBe(false);
      expect(totals.isKept(terms, kept - 1 - random.below(100))).toBe(false);
    }
  }
});

test.each([4, 5])('gives the same fee and TVA together as one by one (seed %i)', (seed) => {
  const random = randomFrom(seed);
  for (const amount of amounts(random, 500)) {
    const terms = someTerms(random);
    const { fee, tva } = feeOn(amount, terms);
    expect(keptOf(amount, terms)).toBe(fee + tva);
    expect(fee).toBe(exactPart(amount, terms));
  }
});

/** Tenths of a dinar, of which half a millime is kept often, and odd amounts. */
function amounts(random: Random, count: number): number[] {
  return Array.from({ length: count }, () =>
    random.onceIn(2) ? (1 + random.below(20_000)) * 100 : 1 + random.below(5_000_000),
  );
}

function someTerms(random: Random): FeeTerms {
  return {
    ratePpm: random.below(101) * 500,
    fixedMillimes: random.below(101) * 10,
    tvaPpm: random.oneOf(TVA_PPMS),
    rounding: random.oneOf(FEE_ROUNDINGS),
  };
}

function plainSum(of: readonly number[], terms: FeeTerms): number {
  return of.map((amount) => feeOn(amount, terms)).reduce((sum, { fee, tva }) => sum + fee + tva, 0);
}

/** The same in whole numbers of any size. */
function exactPart(amount: number, { ratePpm, rounding, fixedMillimes }: FeeTerms): number {
  const product = BigInt(amount) * BigInt(ratePpm);
  const below = Number(product / 1_000_000n) + fixedMillimes;
  const twiceRest = Number(product % 1_000_000n) * 2;
  if (rounding === 'down' || twiceRest < 1_000_000) return below;
  if (twiceRest > 1_000_000 || rounding === 'half_up') return below + 1;
  return rounding === 'half_even' && below % 2 !== 0 ? below + 1 : below;
}
