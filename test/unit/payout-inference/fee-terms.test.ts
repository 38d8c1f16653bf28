// Goal: a fee is exact to the millime, for every rounding and any amount.
// Method: against the same rule in unbounded integers, and by hand for the half-way cases.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { businessDate, millimes } from '../../../src/kernel';
import { FEE_ROUNDINGS, type FeeRounding, type FeeRule } from '../../../src/payout-inference';
import { feeOn, feeRuleOn, keptOf, termsKey } from '../../../src/payout-inference/fee-terms';

const PPM = 1_000_000n;

const terms = fc.record({
  ratePpm: fc.oneof(fc.nat(60_000), fc.constantFrom(0, 500, 5_000, 12_500, 500_000)),
  fixedMillimes: fc.oneof(fc.constant(0), fc.nat(2_000)),
  tvaPpm: fc.constantFrom(0, 70_000, 130_000, 190_000, 500_000),
  rounding: fc.constantFrom(...FEE_ROUNDINGS),
});

describe('the fee on an amount', () => {
  test('is exact, even where a product is larger than a safe integer', () => {
    const amounts = fc.oneof(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 2 ** 45 }));
    fc.assert(
      fc.property(amounts, terms, (amount, of) => {
        const fee = exactly(amount, of.ratePpm, of.fixedMillimes, of.rounding);
        const tva = exactly(fee, of.tvaPpm, 0, of.rounding);
        expect(feeOn(amount, of)).toEqual({ fee, tva });
        expect(keptOf(amount, of)).toBe(fee + tva);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each<[FeeRounding, number, number]>([
    ['half_up', 1, 2],
    ['half_down', 0, 1],
    ['half_even', 0, 2],
    ['down', 0, 1],
  ])('rounds a half and one and a half %s', (rounding, half, oneAndAHalf) => {
    const of = { ratePpm: 5_000, fixedMillimes: 0, tvaPpm: 0, rounding };
    expect(feeOn(100, of).fee).toBe(half);
    expect(feeOn(300, of).fee).toBe(oneAndAHalf);
  });

  test('rounds once, the fixed part with the rate: to the even fee, not to an even part of it', () => {
    const of = { ratePpm: 5_000, fixedMillimes: 1, tvaPpm: 0, rounding: 'half_even' } as const;
    expect(feeOn(100, of).fee).toBe(2);
  });

  test('takes TVA on the rounded fee', () => {
    // A quarter of 2 is a half and goes up; of the 1.515 that the rate gives it would be 0.379.
    expect(feeOn(101, { ratePpm: 15_000, fixedMillimes: 0, tvaPpm: 250_000, rounding: 'half_up' })).toEqual({
      fee: 2,
      tva: 1,
    });
    // Half of 1 is dropped; half of 1.386 would be 0.693.
    expect(feeOn(99, { ratePpm: 14_000, fixedMillimes: 0, tvaPpm: 500_000, rounding: 'half_down' })).toEqual({
      fee: 1,
      tva: 0,
    });
  });

  test.each(FEE_ROUNDINGS)('is the fixed part alone where there is no rate (%s)', (rounding) => {
    expect(feeOn(123_457, { ratePpm: 0, fixedMillimes: 500, tvaPpm: 190_000, rounding })).toEqual({
      fee: 500,
      tva: 95,
    });
  });
});

describe('the rule of a channel on a day', () => {
  const rules = [
    rule('card', 1_000, '2026-03-10'),
    rule('card', 2_000),
    rule('wallet', 3_000),
    rule('card', 4_000, '2026-03-05'),
  ];

  test.each([
    ['2026-03-04', 2_000],
    ['2026-03-05', 4_000],
    ['2026-03-09', 4_000],
    ['2026-03-10', 1_000],
  ])('is the one that began last on %s, in any order of the list', (date, ratePpm) => {
    expect(feeRuleOn(rules, 'card', date)?.ratePpm).toBe(ratePpm);
    expect(feeRuleOn([...rules].reverse(), 'card', date)?.ratePpm).toBe(ratePpm);
  });

  test('is none for a channel that no rule names', () => {
    expect(feeRuleOn(rules, 'agent', '2026-03-10')).toBeUndefined();
  });
});

test('share a fee on the payout only among channels whose terms are all the same', () => {
  const of = rule('card', 1_000);
  expect(termsKey(rule('wallet', 1_000))).toBe(termsKey(of));
  const others: FeeRule[] = [
    { ...of, ratePpm: 1_001 },
    { ...of, fixedMillimes: millimes(1) },
    { ...of, tvaPpm: 0 },
    { ...of, rounding: 'down' },
  ];
  for (const other of others) expect(termsKey(other)).not.toBe(termsKey(of));
});

function rule(channel: FeeRule['channel'], ratePpm: number, from?: string): FeeRule {
  return {
    channel,
    ratePpm,
    fixedMillimes: millimes(0),
    tvaPpm: 190_000,
    rounding: 'half_up',
    basis: 'item',
    ...(from === undefined ? {} : { from: businessDate(from) }),
  };
}

function exactly(amount: number, ppm: number, whole: number, rounding: FeeRounding): number {
  const product = BigInt(amount) * BigInt(ppm) + BigInt(whole) * PPM;
  const below = product / PPM;
  const twiceRest = (product % PPM) * 2n;
  const isUp = {
    half_up: twiceRest >= PPM,
    half_down: twiceRest > PPM,
    half_even: twiceRest > PPM || (twiceRest === PPM && below % 2n === 1n),
    down: false,
  }[rounding];
  return Number(below + (isUp ? 1n : 0n));
}
