import { describe, expect, test } from '@jest/globals';
import { decimalText } from '../../../src/statements';
import { type AmountFormat, parseAmountText } from '../../../src/statements/reading/amount-text';

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
  ])('reads the sign of %j and says that there was one', (text, amount) => {
    expect(read(text, FRENCH)).toEqual({ text: amount, signed: true });
  });

  test('reads a point as the decimal sign where the profile says so', () => {
    expect(read('1,234,567.891', ENGLISH)).toMatchObject({ text: '1234567.891' });
  });

  test.each([
    ['', 'an amount'],
    [' ', 'an amount'],
    ['-', 'an amount'],
    ['--1', 'an amount'],
    ['- 1', 'an amount'],
    ['1-', 'an amount'],
    ['(1,000)', 'an amount'],
    [',500', 'an amount'],
    ['1,', 'an amount'],
    ['1,5 ,', 'an amount with one decimal sign'],
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
    ['\u0661\u0662,500', 'an amount'],
    ['12,500 TND', 'an amount'],
    ['1,123456789012345678901', 'an amount with fewer digits'],
    ['9999999999999999999999999999999', 'an amount with fewer digits'],
  ])('refuses %j, because it expects %s', (text, expected) => {
    expect(parseAmountText(text, FRENCH)).toEqual({ ok: false, expected });
  });

  test('refuses a decimal comma where commas group: the grouping is not of three digits', () => {
    expect(parseAmountText('12,50', ENGLISH)).toEqual({ ok: false, expected: 'an amount' });
  });

  test('refuses a group that starts with a zero: the separator is a decimal sign', () => {
    expect(parseAmountText('0,500', ENGLISH)).toEqual({ ok: false, expected: 'an amount' });
  });
});
