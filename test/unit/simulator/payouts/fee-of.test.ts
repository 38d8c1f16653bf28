// Goal: fees and TVA are exact to the millime for any amount.
// Method: a table computed by hand, with each half-way case in all three roundings.
import { describe, expect, test } from '@jest/globals';
import { AssertionError, businessDate, millimes } from '../../../../src/kernel';
import { feeOf } from '../../../../src/simulator/payouts/fee-of';
import { feeRuleOn } from '../../../../src/simulator/payouts/fee-schedule';
import { CARD_FEE, planOf } from './pack';

const terms = (rate: number, fixed: number, tva: number, rounding: 'half_up' | 'half_down' | 'half_even') => ({
  ratePpm: rate,
  fixedMillimes: millimes(fixed),
  tvaPpm: tva,
  rounding,
});

describe('A fee and its TVA', () => {
  test.each([
    { amount: 100_000, rate: 15_000, fixed: 0, tva: 190_000, rounding: 'half_up', fee: 1_500, tax: 285 },
    { amount: 33_333, rate: 15_000, fixed: 0, tva: 190_000, rounding: 'half_up', fee: 500, tax: 95 },
    { amount: 10_000, rate: 10_000, fixed: 500, tva: 190_000, rounding: 'half_up', fee: 600, tax: 114 },
    { amount: 10_000, rate: 0, fixed: 0, tva: 190_000, rounding: 'half_up', fee: 0, tax: 0 },
    // 1.5 millimes of fee.
    { amount: 100, rate: 15_000, fixed: 0, tva: 0, rounding: 'half_up', fee: 2, tax: 0 },
    { amount: 100, rate: 15_000, fixed: 0, tva: 0, rounding: 'half_down', fee: 1, tax: 0 },
    { amount: 100, rate: 15_000, fixed: 0, tva: 0, rounding: 'half_even', fee: 2, tax: 0 },
    // 4.5 millimes of fee.
    { amount: 300, rate: 15_000, fixed: 0, tva: 0, rounding: 'half_up', fee: 5, tax: 0 },
    { amount: 300, rate: 15_000, fixed: 0, tva: 0, rounding: 'half_down', fee: 4, tax: 0 },
    { amount: 300, rate: 15_000, fixed: 0, tva: 0, rounding: 'half_even', fee: 4, tax: 0 },
    // A fixed fee of 150: 28.5 millimes of TVA.
    { amount: 5_000, rate: 0, fixed: 150, tva: 190_000, rounding: 'half_up', fee: 150, tax: 29 },
    { amount: 5_000, rate: 0, fixed: 150, tva: 190_000, rounding: 'half_down', fee: 150, tax: 28 },
    { amount: 5_000, rate: 0, fixed: 150, tva: 190_000, rounding: 'half_even', fee: 150, tax: 28 },
    // A hair beside the half: 0.499999 and 0.500001 millimes.
    { amount: 499_999, rate: 1, fixed: 0, tva: 0, rounding: 'half_up', fee: 0, tax: 0 },
    { amount: 500_001, rate: 1, fixed: 0, tva: 0, rounding: 'half_down', fee: 1, tax: 0 },
    // The largest amount that there is: 135 107 988 821 114.865 millimes of fee, 25 670 517 876 011.85 of TVA.
    {
      amount: 9_007_199_254_740_991,
      rate: 15_000,
      fixed: 0,
      tva: 190_000,
      rounding: 'half_up',
      fee: 135_107_988_821_115,
      tax: 25_670_517_876_012,
    },
  ] as const)('of $amount at $rate ppm + $fixed, $rounding, is $fee and $tax', (row) => {
    expect(feeOf(millimes(row.amount), terms(row.rate, row.fixed, row.tva, row.rounding))).toEqual({
      feeMillimes: row.fee,
      tvaMillimes: row.tax,
    });
  });

  test.each([0, -1])('is refused for an amount of %d, which nobody pays', (amount) => {
    expect(() => feeOf(millimes(amount), terms(15_000, 0, 0, 'half_up'))).toThrow(AssertionError);
  });
});

describe('The fee rule in force', () => {
  const { fees } = planOf({
    fees: [
      { ...CARD_FEE, rate_ppm: 30_000, from: '2026-03-10' },
      { ...CARD_FEE, rate_ppm: 10_000 },
      { ...CARD_FEE, rate_ppm: 20_000, from: '2026-03-05' },
    ],
  });

  test.each([
    ['2026-03-04', 10_000],
    ['2026-03-05', 20_000],
    ['2026-03-09', 20_000],
    ['2026-03-10', 30_000],
    ['2026-12-31', 30_000],
  ])('is on %s the latest one that began, %d ppm, in any order of the file', (day, rate) => {
    expect(feeRuleOn(fees, { channel: 'card', day: businessDate(day) })?.ratePpm).toBe(rate);
  });

  test('does not exist for a channel without a rule', () => {
    expect(feeRuleOn(fees, { channel: 'wallet', day: businessDate('2026-03-10') })).toBeUndefined();
  });

  test("does not exist before the first day of a channel's rules", () => {
    const later = planOf({ fees: [{ ...CARD_FEE, from: '2026-03-05' }] }).fees;
    expect(feeRuleOn(later, { channel: 'card', day: businessDate('2026-03-04') })).toBeUndefined();
  });
});
