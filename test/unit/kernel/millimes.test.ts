import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addMillimes,
  AssertionError,
  formatDinars,
  formatMoney,
  millimes,
  negateMillimes,
  parseDinars,
  parseMillimes,
  toMillimes,
  totalToJson,
  toTotal,
} from '../../../src/kernel';

const anAmount = fc.maxSafeInteger().map(millimes);

describe('an amount in dinars', () => {
  test.each([
    ['0', 0],
    ['1', 1_000],
    ['12,5', 12_500],
    ['1 234,567', 1_234_567],
    ['1\u00a0234\u202f567', 1_234_567_000],
  ])('is read from %p', (text, expected) => {
    expect(parseDinars(text)).toBe(expected);
  });

  test.each(['', 'abc', '-1', '1.5', '1,2345', '12 34', ',5', '1 DT', '99999999999999'])(
    'is not read from %p',
    (text) => {
      expect(parseDinars(text)).toBeUndefined();
    },
  );
});

describe('an amount in millimes', () => {
  test.each([1.5, NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53)])('is never %p', (value) => {
    expect(() => millimes(value)).toThrow(AssertionError);
  });

  test('is never minus zero, which compares and prints differently', () => {
    expect(Object.is(millimes(-0), 0)).toBe(true);
    expect(Object.is(negateMillimes(millimes(0)), 0)).toBe(true);
  });

  test.each([
    ['0', 0],
    ['1', 1],
    ['-1', -1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
  ])('is read from %p', (text, expected) => {
    expect(parseMillimes(text)).toBe(expected);
  });

  test.each([
    '',
    ' ',
    '-',
    '+1',
    '01',
    '00',
    '1.0',
    '1,000',
    '1 000',
    ' 1',
    '1\n',
    '1e3',
    '0x10',
    '١٢٣',
    '１２',
    '1\u00a0000',
    '1\u202f000',
    '9007199254740992',
    '-9007199254740992',
    '99999999999999999999',
    'NaN',
    'Infinity',
    '1_000',
    '5 DT',
  ])('is not read from %p', (text) => {
    expect(parseMillimes(text)).toBeUndefined();
  });

  test('round-trips through its text', () => {
    fc.assert(fc.property(anAmount, (amount) => parseMillimes(String(amount)) === amount));
  });

  test('cannot exceed the safe range by addition', () => {
    expect(() => addMillimes(millimes(Number.MAX_SAFE_INTEGER), millimes(1))).toThrow(AssertionError);
    expect(addMillimes(millimes(2), millimes(-5))).toBe(-3);
  });
});

describe('a sum from a database', () => {
  test.each<[unknown, bigint]>([
    [null, 0n],
    [undefined, 0n],
    [7, 7n],
    [-7n, -7n],
    ['45035996273704955', 45_035_996_273_704_955n],
    ['-12', -12n],
  ])('%p is read as %p', (value, total) => {
    expect(toTotal(value)).toBe(total);
  });

  test.each<[unknown]>([[2 ** 53], [1.5], ['1.5'], ['1e3'], [''], ['abc'], [true], [{}], [NaN]])(
    '%p is refused as an internal error',
    (value) => {
      expect(() => toTotal(value)).toThrow(AssertionError);
    },
  );

  test('is refused as a single amount beyond the safe range', () => {
    expect(() => toMillimes('9007199254740992')).toThrow(AssertionError);
    expect(toMillimes('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('is shown in JSON as a number while that is exact, and as digits beyond', () => {
    expect(totalToJson(9_007_199_254_740_991n)).toBe(Number.MAX_SAFE_INTEGER);
    expect(totalToJson(9_007_199_254_740_992n)).toBe('9007199254740992');
    fc.assert(fc.property(fc.bigInt(), (total) => BigInt(totalToJson(total)) === total));
  });
});

describe('an amount in dinars', () => {
  test.each([
    ['12,5', 12_500],
    ['1 234,567', 1_234_567],
    ['1\u00a0234', 1_234_000],
    ['0', 0],
  ])('is read from %p', (text, expected) => {
    expect(parseDinars(text)).toBe(expected);
  });

  test.each(['', 'abc', '-1', '1.5', '12,', '1,2345', '12 34'])('is not read from %p', (text) => {
    expect(parseDinars(text)).toBeUndefined();
  });
});

describe('an amount for people', () => {
  test.each([
    [0, '0,000 DT'],
    [5, '0,005 DT'],
    [-5, '-0,005 DT'],
    [999, '0,999 DT'],
    [1_000, '1,000 DT'],
    [1_234_567, '1 234,567 DT'],
    [-1_234_567, '-1 234,567 DT'],
    [100_000_000, '100 000,000 DT'],
    [1_000_000_000, '1 000 000,000 DT'],
  ])('%p millimes is %p', (amount, text) => {
    expect(formatDinars(millimes(amount))).toBe(text);
  });

  test('holds every digit of a total beyond 2^53', () => {
    expect(formatDinars(45_035_996_273_704_955n)).toBe('45 035 996 273 704,955 DT');
  });

  test.each([
    [123_450n, 2, 'EUR', '1 234,50 EUR'],
    [-5n, 2, 'USD', '-0,05 USD'],
    [1_234_567n, 0, 'JPY', '1 234 567 JPY'],
    [0n, 0, 'JPY', '0 JPY'],
    [-1_850_000n, 3, 'TND', '-1 850,000 DT'],
    [25_300_500n, 3, undefined, '25 300,500'],
  ])('formats %p units with %p decimals of %p as %p', (units, decimals, currency, text) => {
    expect(formatMoney(units, { decimals, currency })).toBe(text);
  });

  test('contains exactly the digits of the amount', () => {
    fc.assert(fc.property(fc.bigInt(), (total) => BigInt(formatDinars(total).replace(/[ ,]|DT/g, '')) === total));
  });
});
