import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimalText } from '../../../src/statements';
import { type AmountFormat, hasValue, parseAmountText } from '../../../src/statements/reading/amount-text';
import {
  currencyOf,
  exponentOf,
  formatDecimal,
  formatMinorUnits,
  minorUnitsText,
  toMinorUnits,
} from '../../../src/statements/reading/currencies';
import {
  addDecimals,
  equalDecimals,
  neededScale,
  negateDecimal,
  parseDecimal,
  subtractDecimals,
  unitsWithScale,
  ZERO_DECIMAL,
} from '../../../src/statements/testing';

const FRENCH = { decimalSign: ',', thousandsSeparators: [' ', '\u00a0', '\u202f'] };
const ENGLISH = { decimalSign: '.', thousandsSeparators: [','] };

/** The amount as decimal text with the decimals that were written. */
function read(text: string, format: AmountFormat): unknown {
  const reading = parseAmountText(text, format);
  return reading.ok ? { text: decimalText(reading.amount), signed: reading.signed } : reading;
}

describe('an amount as text', () => {
  test.each([
    ['1,190', '1.190'],
    ['0,000', '0.000'],
    ['1', '1'],
    ['1,5', '1.5'],
    ['1,05', '1.05'],
    ['007,500', '7.500'],
    ['24\u00a0013,334', '24013.334'],
    ['24\u202f013,334', '24013.334'],
    ['1 234 567,890', '1234567.890'],
    ['1234567,890', '1234567.890'],
    [' 12,000\u00a0', '12.000'],
    ['9 007 199 254 740,9910', '9007199254740.9910'],
  ])('reads %j', (text, amount) => {
    expect(read(text, FRENCH)).toEqual({ text: amount, signed: false });
  });

  test.each([
    ['-1,190', '-1.190'],
    ['\u22121,190', '-1.190'],
    ['+1,190', '1.190'],
    ['-0,000', '0.000'],
  ])('reads the sign of %j and reports that it was written', (text, amount) => {
    expect(read(text, FRENCH)).toEqual({ text: amount, signed: true });
  });

  test.each([
    ['(5,950)', '-5.950'],
    ['5,950-', '-5.950'],
    ['1 234,567 -', '-1234.567'],
    ['5,950\u2212', '-5.950'],
    ['5,950+', '5.950'],
    ['1 000,000 D', '-1000.000'],
    ['1 000,000DB', '-1000.000'],
    ['1 000,000 Dr', '-1000.000'],
    ['1 000,000 débiteur', '-1000.000'],
    ['1 000,000 C', '1000.000'],
    ['1 000,000 CR', '1000.000'],
    ['1 000,000 Cr.', '1000.000'],
    ['D 1 000,000', '-1000.000'],
  ])('reads the sign around %j', (text, amount) => {
    expect(read(text, FRENCH)).toEqual({ text: amount, signed: true });
  });

  test.each([
    ['1 234,567 TND', 'TND', '1234.567'],
    ['TND 1 234,567', 'TND', '1234.567'],
    ['1 234,567 DT', 'TND', '1234.567'],
    ['-12,500 D.T.', 'TND', '-12.500'],
    ['12,500 dinars tunisiens', 'TND', '12.500'],
    ['12,500 د.ت', 'TND', '12.500'],
    ['12,50 €', 'EUR', '12.50'],
    ['\u200f12,500\u202b TND\u202c', 'TND', '12.500'],
    ['1 000,000 TND D', 'TND', '-1000.000'],
    ['1 000,000 C TND', 'TND', '1000.000'],
  ])('reads the currency beside %j: %s', (text, currency, amount) => {
    const reading = parseAmountText(text, FRENCH);
    expect(reading).toMatchObject({ ok: true, currency });
    expect(read(text, FRENCH)).toMatchObject({ text: amount });
  });

  test.each([
    ['\u0661\u066c\u0662\u0660\u0660\u066b\u0665\u0660\u0660', '1200.500', false],
    ['\u06f1\u06f2\u06f0\u06f0\u066b\u06f5', '1200.5', false],
    ['\u0661\u066c\u0662\u0660\u0660', '1200', false],
    ['\u0660\u066b\u0665\u0660\u0660', '0.500', false],
    ['\u061c-\u0663\u0660\u0660\u066b\u0662\u0665\u0660', '-300.250', true],
    ['\u200f300\u066b250\u200f-', '-300.250', true],
    ['\u2067(300\u066b250)\u2069', '-300.250', true],
    ['\u202b\u0665\u066b\u0669\u0665\u0660 مدين\u202c', '-5.950', true],
    ['\u0665\u066b\u0669\u0665\u0660 د.ت.\u200f', '5.950', false],
  ])('reads the Arabic amount %j as people see it, in files of either decimal sign', (text, amount, signed) => {
    expect(read(text, FRENCH)).toEqual({ text: amount, signed });
    expect(read(text, ENGLISH)).toEqual({ text: amount, signed });
  });

  test.each([
    ['\u200f1\u00a0200,500', '1200.500'],
    ['\u202d-300,250\u202c', '-300.250'],
    ['\u0661\u0662,500', '12.500'],
    ['300,250\u200f-', '-300.250'],
  ])('reads %j without its direction marks', (text, amount) => {
    expect(read(text, FRENCH)).toMatchObject({ text: amount });
  });

  test('reads a point as the decimal sign if the profile names it', () => {
    expect(read('1,234,567.891', ENGLISH)).toMatchObject({ text: '1234567.891' });
  });

  test.each([
    ['', 'an amount'],
    [' ', 'an amount'],
    ['-', 'an amount'],
    ['--1', 'an amount'],
    ['- 1', 'an amount'],
    [',500', 'an amount'],
    ['1,', 'an amount'],
    ['1,5 ,', 'an amount'],
    ['1,234,567', 'an amount with one decimal sign'],
    ['12..34', 'an amount'],
    ['1.234', 'an amount'],
    ['12 34,000', 'an amount'],
    ['1234 567,000', 'an amount'],
    ['1 23 456,000', 'an amount'],
    ['1  234,000', 'an amount'],
    ['1 234\u00a0567,000', 'an amount'],
    ['0 500,000', 'an amount'],
    ['1,0 0', 'an amount'],
    ['1e3', 'an amount'],
    ['0x10', 'an amount'],
    ['NaN', 'an amount'],
    ['Infinity', 'an amount'],
    ['\u0661\u066c\u0662\u0660\u0660\u066b', 'an amount'],
    ['\u0661\u066b\u0665\u066b\u0660', 'an amount with one decimal sign'],
    ['1\u066c20\u066b500', 'an amount'],
    ['1 200\u066c500', 'an amount'],
    ['\u202e005,0021', 'an amount'],
    ['\u200f-1,000-', 'an amount'],
    ['-\u200f 1,000', 'an amount'],
    ['(1,000', 'an amount'],
    ['(-1,000)', 'an amount'],
    ['-1,000-', 'an amount'],
    ['(1,000)-', 'an amount'],
    ['-1,000 D', 'an amount'],
    ['(1,000) C', 'an amount'],
    ['D 1,000 C', 'an amount'],
    ['1,000 X', 'an amount'],
    ['1,000 TND EUR', 'an amount'],
    ['1,000 dinars algériens', 'an amount'],
    [`${' 1'.repeat(30)},500`, 'an amount'],
    ['1,123456789012345678901', 'an amount with fewer digits'],
    ['9999999999999999999999999999999', 'an amount with fewer digits'],
  ])('refuses %j, because it expects %s', (text, expected) => {
    expect(parseAmountText(text, FRENCH)).toEqual({ ok: false, expected });
  });

  test('refuses a comma that does not group three digits if commas group', () => {
    expect(parseAmountText('12,50', ENGLISH)).toEqual({ ok: false, expected: 'an amount' });
  });

  test('refuses a group that starts with a zero, because its separator is a decimal sign', () => {
    expect(parseAmountText('0,500', ENGLISH)).toEqual({ ok: false, expected: 'an amount' });
  });
});

function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new Error(`${text} is a decimal`);
  return parsed;
}

test('an amount states money in digits of any form', () => {
  expect(['\u0660\u066b\u0661', '\u06f5', '0,001'].map(hasValue)).toEqual([true, true, true]);
  expect(['\u0660\u066b\u0660', '0,000', ''].map(hasValue)).toEqual([false, false, false]);
});

describe('an exact decimal', () => {
  test.each([
    ['0', 0n, 0],
    ['12.50', 1_250n, 2],
    ['-1234.567', -1_234_567n, 3],
    ['.50', 50n, 2],
    ['1234.', 1_234n, 0],
    ['-0.00', 0n, 2],
    ['007', 7n, 0],
    [`${'9'.repeat(10)}.${'9'.repeat(20)}`, BigInt('9'.repeat(30)), 20],
  ])('keeps every digit of %s and its number of decimals', (text, units, scale) => {
    expect(parseDecimal(text)).toEqual({ units, scale });
  });

  test.each([
    ...['', '-', '.', '-.', '+1', '1,5', '1.2.3', '1e3', ' 1', '1 ', '0x10', '--1', '1-', 'NaN', '١'],
    ...['9'.repeat(31), `0.${'0'.repeat(21)}`],
  ])('refuses "%s"', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  test.each(['0', '0.000', '12.50', '-0.05', '-1234.567', '9007199254740993.001', `-${'9'.repeat(30)}`])(
    'is written as it was: %s',
    (text) => {
      expect(decimalText(decimal(text))).toBe(text);
    },
  );

  test('adds without losing a digit, with the longer of two scales', () => {
    const sum = (a: string, b: string): string => decimalText(addDecimals(decimal(a), decimal(b)));
    expect(sum('0.1', '0.2')).toBe('0.3');
    expect(sum('9007199254740993', '0.001')).toBe('9007199254740993.001');
    expect(sum('1.50', '-1.5')).toBe('0.00');
    expect(decimalText(addDecimals(ZERO_DECIMAL, ZERO_DECIMAL))).toBe('0');
    expect(decimalText(subtractDecimals(decimal('1'), decimal('1.001')))).toBe('-0.001');
    expect(decimalText(negateDecimal(decimal('-4.20')))).toBe('4.20');
  });

  test('equals another decimal of the same value, whatever its trailing zeros', () => {
    expect(equalDecimals(decimal('1.5'), decimal('1.500'))).toBe(true);
    expect(equalDecimals(decimal('-0.0'), ZERO_DECIMAL)).toBe(true);
    expect(equalDecimals(decimal('1.5'), decimal('1.501'))).toBe(false);
    expect(equalDecimals(decimal('1.5'), decimal('-1.5'))).toBe(false);
  });

  test.each([
    ['1.250', 2],
    ['3.00', 0],
    ['-0.100', 1],
    ['0.000', 0],
    ['1.001', 3],
    ['100', 0],
  ])('counts the decimals that the value of %s needs: %i', (text, scale) => {
    expect(neededScale(decimal(text))).toBe(scale);
  });

  test('drops zeros to fit a scale, but no other digit', () => {
    expect(unitsWithScale(decimal('1.2500'), 3)).toBe(1_250n);
    expect(unitsWithScale(decimal('-1.5'), 3)).toBe(-1_500n);
    expect(unitsWithScale(decimal('1.2501'), 3)).toBeUndefined();
    expect(unitsWithScale(decimal('-0.5'), 0)).toBeUndefined();
  });
});

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
  ])('converts %s %s to %i of its smallest units', (text, currency, minor) => {
    expect(minorOf(text, currency)).toBe(minor);
  });

  test.each([
    ['0.0005', 'TND', 'at most 3 decimals, as TND has'],
    ['1.005', 'EUR', 'at most 2 decimals, as EUR has'],
    ['0.5', 'JPY', 'at most 0 decimals, as JPY has'],
    ['9007199254740.992', 'TND', 'a smaller amount'],
    ['-9007199254740.992', 'TND', 'a smaller amount'],
  ])('refuses %s %s instead of rounding it', (text, currency, reason) => {
    expect(minorOf(text, currency)).toBe(reason);
  });

  test('is named beside direction marks', () => {
    expect(['\u200fTND', '\u2068EUR\u2069', '\u202bد.ت.\u200f\u202c'].map(currencyOf)).toEqual(['TND', 'EUR', 'TND']);
  });

  test.each([
    [1_234_567, 'TND', '1234.567'],
    [-1, 'TND', '-0.001'],
    [0, 'TND', '0.000'],
    [-1_234, 'EUR', '-12.34'],
    [500, 'JPY', '500'],
    [9_007_199_254_740_993n, 'TND', '9007199254740.993'],
  ])('prints %s of %s with its decimals: %s', (minor, currency, text) => {
    expect(minorUnitsText(minor, currency)).toBe(text);
  });

  test.each([
    [-1_850_000, 'TND', '-1 850,000 DT'],
    [123_450, 'EUR', '1 234,50 EUR'],
    [1_234_567, 'JPY', '1 234 567 JPY'],
  ])('prints %s of %s for people as %s', (minor, currency, text) => {
    expect(formatMinorUnits(minor, currency)).toBe(text);
  });

  test.each([
    ['25300.5', 'TND', '25 300,500 DT'],
    ['1234.5', 'EUR', '1 234,50 EUR'],
    ['-1.2345', 'TND', '-1,2345 DT'],
    ['1234.5', undefined, '1 234,5'],
    ['1234.5', 'XXX', '1 234,5 XXX'],
  ])('prints %s %s of a file for people as %s', (text, currency, shown) => {
    expect(formatDecimal(decimal(text), currency)).toBe(shown);
  });
});
