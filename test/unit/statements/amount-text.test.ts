import { describe, expect, test } from '@jest/globals';
import { parseAmountText } from '../../../src/statements/amount-text';

const FRENCH = { decimalSign: ',', thousandsSeparators: [' ', '\u00a0', '\u202f'] };
const ENGLISH = { decimalSign: '.', thousandsSeparators: [','] };

describe('an amount as text', () => {
  test.each([
    ['1,190', 1_190],
    ['0,000', 0],
    ['1', 1_000],
    ['1,5', 1_500],
    ['1,05', 1_050],
    ['007,500', 7_500],
    ['24\u00a0013,334', 24_013_334],
    ['24\u202f013,334', 24_013_334],
    ['1 234 567,890', 1_234_567_890],
    ['1234567,890', 1_234_567_890],
    [' 12,000\u00a0', 12_000],
    ['9 007 199 254 740,991', Number.MAX_SAFE_INTEGER],
  ])('reads %j', (text, amount) => {
    expect(parseAmountText(text, FRENCH)).toEqual({ ok: true, amount, signed: false });
  });

  test.each([
    ['-1,190', -1_190],
    ['\u22121,190', -1_190],
    ['+1,190', 1_190],
    ['-0,000', 0],
  ])('reads the sign of %j and says that there was one', (text, amount) => {
    expect(parseAmountText(text, FRENCH)).toEqual({ ok: true, amount, signed: true });
  });

  test('reads a point as the decimal sign where the profile says so', () => {
    expect(parseAmountText('1,234,567.891', ENGLISH)).toMatchObject({ amount: 1_234_567_891 });
  });

  test.each([
    ['', 'is not an amount'],
    [' ', 'is not an amount'],
    ['-', 'is not an amount'],
    ['--1', 'is not an amount'],
    ['- 1', 'is not an amount'],
    ['1-', 'is not an amount'],
    ['(1,000)', 'is not an amount'],
    [',500', 'is not an amount'],
    ['1,', 'is not an amount'],
    ['1,5 ,', 'has two decimal signs'],
    ['1,234,567', 'has two decimal signs'],
    ['12..34', 'is not an amount'],
    ['1.234', 'is not an amount'],
    ['12 34,000', 'is not an amount'],
    ['1234 567,000', 'is not an amount'],
    ['1 23 456,000', 'is not an amount'],
    ['1  234,000', 'is not an amount'],
    ['1 234\u00a0567,000', 'is not an amount'],
    ['1,2345', 'has more than 3 decimals'],
    ['1,0000', 'has more than 3 decimals'],
    ['1,0 0', 'is not an amount'],
    ['1e3', 'is not an amount'],
    ['0x10', 'is not an amount'],
    ['NaN', 'is not an amount'],
    ['Infinity', 'is not an amount'],
    ['\u0661\u0662,500', 'is not an amount'],
    ['12,500 TND', 'is not an amount'],
    ['9 007 199 254 740,992', 'is too large'],
    ['99999999999999999999', 'is too large'],
  ])('refuses %j: it %s', (text, reason) => {
    expect(parseAmountText(text, FRENCH)).toEqual({ ok: false, reason });
  });

  test('refuses a decimal comma where commas group: the grouping is not of three digits', () => {
    expect(parseAmountText('12,50', ENGLISH)).toEqual({ ok: false, reason: 'is not an amount' });
  });
});
