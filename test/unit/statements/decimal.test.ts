import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimalText } from '../../../src/statements';
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

function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new Error(`${text} is a decimal`);
  return parsed;
}

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
  ])('keeps of %s every digit and how many decimals were written', (text, units, scale) => {
    expect(parseDecimal(text)).toEqual({ units, scale });
  });

  test.each([
    ...['', '-', '.', '-.', '+1', '1,5', '1.2.3', '1e3', ' 1', '1 ', '0x10', '--1', '1-', 'NaN', '١'],
    ...['9'.repeat(31), `0.${'0'.repeat(21)}`],
  ])('is not read from "%s"', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  test.each(['0', '0.000', '12.50', '-0.05', '-1234.567', '9007199254740993.001', `-${'9'.repeat(30)}`])(
    'is written as it was: %s',
    (text) => {
      expect(decimalText(decimal(text))).toBe(text);
    },
  );

  test('adds up without losing a digit, with the longer of the two scales', () => {
    const sum = (a: string, b: string): string => decimalText(addDecimals(decimal(a), decimal(b)));
    expect(sum('0.1', '0.2')).toBe('0.3');
    expect(sum('9007199254740993', '0.001')).toBe('9007199254740993.001');
    expect(sum('1.50', '-1.5')).toBe('0.00');
    expect(decimalText(addDecimals(ZERO_DECIMAL, ZERO_DECIMAL))).toBe('0');
    expect(decimalText(subtractDecimals(decimal('1'), decimal('1.001')))).toBe('-0.001');
    expect(decimalText(negateDecimal(decimal('-4.20')))).toBe('4.20');
  });

  test('is equal by value, however many zeros were written', () => {
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
  ])('says how many decimals the value of %s needs: %i', (text, scale) => {
    expect(neededScale(decimal(text))).toBe(scale);
  });

  test('drops zeros to fit a scale, and no other digit', () => {
    expect(unitsWithScale(decimal('1.2500'), 3)).toBe(1_250n);
    expect(unitsWithScale(decimal('-1.5'), 3)).toBe(-1_500n);
    expect(unitsWithScale(decimal('1.2501'), 3)).toBeUndefined();
    expect(unitsWithScale(decimal('-0.5'), 0)).toBeUndefined();
  });
});
