import { describe, expect, test } from '@jest/globals';
import { exponentOf, minorUnitsText, toMinorUnits } from '../../../src/statements/reading/currencies';
import { parseDecimal } from '../../../src/statements/testing';

function minorOf(text: string, currency: string): number | string {
  const amount = parseDecimal(text);
  if (amount === undefined) throw new Error(`${text} is a decimal`);
  const reading = toMinorUnits(amount, currency);
  return reading.ok ? reading.minor : reading.expected;
}

describe('a currency', () => {
  test.each([
    ['TND', 3],
    ['KWD', 3],
    ['EUR', 2],
    ['USD', 2],
    ['JPY', 0],
    ['CLF', 4],
    ['LTL', 2],
    ['ITL', 0],
  ])('%s has %i decimals', (currency, exponent) => {
    expect(exponentOf(currency)).toBe(exponent);
  });

  test.each(['', 'XXX', 'DT', 'tnd', 'EURO', 'constructor', '__proto__', 'toString'])(
    'is not what is written as "%s"',
    (currency) => {
      expect(exponentOf(currency)).toBeUndefined();
      expect(minorOf('1', currency)).toContain('a currency of ISO 4217');
    },
  );

  test.each([
    ['1234.567', 'TND', 1_234_567],
    ['1.5', 'TND', 1_500],
    ['12.5000', 'TND', 12_500],
    ['-0.001', 'TND', -1],
    ['12.34', 'EUR', 1_234],
    ['500', 'JPY', 500],
    ['500.00', 'JPY', 500],
    ['9007199254740.991', 'TND', Number.MAX_SAFE_INTEGER],
  ])('%s %s are %i of its smallest units', (text, currency, minor) => {
    expect(minorOf(text, currency)).toBe(minor);
  });

  test.each([
    ['0.0005', 'TND', 'at most 3 decimals, as TND has'],
    ['1.005', 'EUR', 'at most 2 decimals, as EUR has'],
    ['0.5', 'JPY', 'at most 0 decimals, as JPY has'],
    ['9007199254740.992', 'TND', 'a smaller amount'],
    ['-9007199254740.992', 'TND', 'a smaller amount'],
  ])('does not take %s %s for an amount, and is never rounded', (text, currency, reason) => {
    expect(minorOf(text, currency)).toBe(reason);
  });

  test.each([
    [1_234_567, 'TND', '1234.567'],
    [-1, 'TND', '-0.001'],
    [0, 'TND', '0.000'],
    [-1_234, 'EUR', '-12.34'],
    [500, 'JPY', '500'],
    [9_007_199_254_740_993n, 'TND', '9007199254740.993'],
  ])('writes %s of %s with its decimals: %s', (minor, currency, text) => {
    expect(minorUnitsText(minor, currency)).toBe(text);
  });
});
