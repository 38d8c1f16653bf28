import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../src/kernel';
import type { ParsedLine, ParsedStatement, Statement } from '../../../src/statements';
import { newStatement, requireAccount } from '../../../src/statements/importing/new-statement';
import { sharedFields } from '../../../src/statements/importing/to-stored-line';
import { joinPages, type WholeStatement } from '../../../src/statements/testing';
import { ACCOUNT, aParsedLine, april, aScanned, balance } from './a-statement';

const GOOD: Partial<ParsedStatement> = { opening: balance('1000.000'), closing: balance('998.5') };
const LINES = [aParsedLine('1.250'), aParsedLine('-2.75', { bookingDate: april(6) })];

function whole(given: Partial<ParsedStatement> = {}, lines: readonly ParsedLine[] = LINES): WholeStatement {
  const [found] = joinPages([aScanned({ ...GOOD, ...given }, lines)]);
  if (found === undefined) throw new Error('a page is a statement');
  return found;
}

function made(given: Partial<ParsedStatement> = {}, lines: readonly ParsedLine[] = LINES): Statement {
  const read = whole(given, lines);
  return newStatement(read, { fileId: 'F', position: 1, account: requireAccount(read) });
}

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isAppError(error, 'bad_input')) return [error.message, ...error.details].join('\n');
    throw error;
  }
  return 'nothing was refused';
}

describe('newStatement', () => {
  test('returns amounts in the smallest unit of the currency, and the position in the file', () => {
    expect(made()).toMatchObject({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      fileId: 'F',
      position: 1,
      account: ACCOUNT,
      currency: 'TND',
      verdict: 'ok',
      hold: undefined,
      openingMinor: 1_000_000,
      closingMinor: 998_500,
      creditsMinor: 1_250,
      debitsMinor: 2_750,
      entries: 2,
      firstDate: april(2),
      lastDate: april(6),
    });
    const euros = { currency: 'EUR', currencies: ['EUR'], opening: balance('1.00'), closing: balance('1') };
    expect(made(euros, [])).toMatchObject({ openingMinor: 100, closingMinor: 100 });
  });

  test('returns no balance if the bank states none', () => {
    expect(made({ opening: undefined })).toMatchObject({ verdict: 'no-proof', openingMinor: undefined });
  });

  test('returns the account without spaces, and a RIB in any form as its digits', () => {
    expect(made({ account: ' 11 222\u00a03333 \t44 ' }).account).toBe('11222333344');
    expect(made({ account: 'TN59 0800 6012 3456 7890 1231' }).account).toBe('08006012345678901231');
  });

  test.each<[string, Partial<ParsedStatement>, string]>([
    [
      'without an account',
      { account: undefined },
      'account: expected the account, because the statement on line 12 names none',
    ],
    [
      'with an account of spaces',
      { account: ' ' },
      'account: expected the account, because the statement on line 12 names none',
    ],
    [
      'with an account that is none',
      { account: 'a\u0000b' },
      'nothing was stored\nline 12: expected an account, got "a\\u0000b"',
    ],
    [
      'with an account that a spreadsheet changed',
      { account: '="8,00601E+18"' },
      'account: expected all its digits, because a spreadsheet changed the number, got "8,00601E+18"; ' +
        'format the column as text and export again, or give the account with --account',
    ],
    [
      'without a currency',
      { currency: undefined, currencies: [] },
      'currency: expected the currency, because the statement on line 12 names none; give it with --currency, ' +
        'such as --currency TND',
    ],
    [
      'of two currencies',
      { currency: undefined, currencies: ['TND', 'EUR'] },
      'line 12: expected one currency in a statement, got TND, EUR',
    ],
    [
      'with a line of another currency',
      { currencies: ['TND', 'EUR'] },
      'line 12: expected one currency in a statement, got TND, EUR',
    ],
    [
      'with a balance that is too large',
      { opening: balance('9007199254740.992') },
      'line 12: expected a smaller amount, got 9 007 199 254 740,992 DT',
    ],
  ])('refuses a statement %s, with its line in the file', (_what, given, reason) => {
    const text = refusalOf(() => made({ fileLine: 12, ...given }));
    expect(text).toContain(reason);
  });

  test('refuses lines whose sum is too large', () => {
    const lines = Array.from({ length: 3 }, () => aParsedLine('4503599627370.497'));
    expect(refusalOf(() => made({}, lines))).toContain('expected a smaller amount');
  });
});

describe('a long text of a line', () => {
  const kept = (remittance: string): string => sharedFields(aParsedLine('1', { remittance }), made()).remittance;

  test.each([
    ['x'.repeat(1_000), 'x'.repeat(1_000)],
    ['x'.repeat(1_001), `${'x'.repeat(999)}…`],
    [`${'x'.repeat(998)}😀😀`, `${'x'.repeat(998)}…`],
    [`${'x'.repeat(997)}😀😀`, `${'x'.repeat(997)}😀…`],
  ])('is shortened to 1,000 characters without half of a pair', (text, shortened) => {
    expect(kept(text)).toBe(shortened);
    expect(kept(kept(text))).toBe(shortened);
  });
});

describe('the fingerprint of a statement', () => {
  const print = (given: Partial<ParsedStatement> = {}, lines?: readonly ParsedLine[]): string =>
    made(given, lines).fingerprint;

  test('is equal in another file, whatever the texts of its lines', () => {
    const others = LINES.map((line, index) => ({ ...line, remittance: `other words ${index}` }));
    expect(print({ number: '8', bankId: 'other' }, others)).toBe(print());
    expect(print({ opening: balance('1000') })).toBe(print());
  });

  test.each<[string, Partial<ParsedStatement>, readonly ParsedLine[]]>([
    ['account', { account: '2' }, LINES],
    ['currency', { currency: 'KWD', currencies: ['KWD'] }, LINES],
    ['opening balance', { opening: balance('1000.001') }, LINES],
    ['closing balance', { closing: balance('998.501') }, LINES],
    ['sum', {}, [aParsedLine('1.251'), aParsedLine('-2.75', { bookingDate: april(6) })]],
    ['number of lines', {}, [...LINES, aParsedLine('0')]],
    ['day', {}, [aParsedLine('1.250'), aParsedLine('-2.75', { bookingDate: april(7) })]],
  ])('differs with another %s', (_what, given, lines) => {
    expect(print(given, lines)).not.toBe(print());
  });

  test('depends on the lines if a balance is missing or an entry is only announced', () => {
    const others = LINES.map((line) => ({ ...line, remittance: 'other words' }));
    expect(print({ opening: undefined }, others)).not.toBe(print({ opening: undefined }));
    const pending = aParsedLine('1', { status: 'pending' });
    expect(print({}, [...others, pending])).not.toBe(print({}, [...LINES, pending]));
  });

  test("depends on the bank's number and days if there are no lines", () => {
    const nothing = { opening: balance('5'), closing: balance('5') };
    expect(print({ ...nothing, number: '1' }, [])).not.toBe(print({ ...nothing, number: '2' }, []));
    expect(print({ ...nothing, from: april(1) }, [])).not.toBe(print({ ...nothing, from: april(2) }, []));
    expect(print({ ...nothing, number: '1' }, [])).toBe(print({ ...nothing, number: '1' }, []));
  });
});
