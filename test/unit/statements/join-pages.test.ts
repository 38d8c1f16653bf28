import { describe, expect, test } from '@jest/globals';
import type { ParsedLine, ParsedStatement, ScannedStatement } from '../../../src/statements';
import { joinPages } from '../../../src/statements/testing';
import { aParsedLine, april, aScanned, balance, decimal } from './a-statement';

const INTERMEDIATE = true;

/** A page from one balance to another; `true` where it goes on on another page. */
function page(
  [opening, openingIsPage = false]: readonly [string, boolean?],
  [closing, closingIsPage = false]: readonly [string, boolean?],
  lines: readonly ParsedLine[],
  given: Partial<ParsedStatement> = {},
): ScannedStatement {
  return aScanned(
    { opening: balance(opening, openingIsPage), closing: balance(closing, closingIsPage), ...given },
    lines,
  );
}

const FIRST = page(['100'], ['110', INTERMEDIATE], [aParsedLine('10')], { number: '7/1', fileLine: 3 });
const LAST = page(['110', INTERMEDIATE], ['105'], [aParsedLine('-5', { bookingDate: april(3) })], { number: '7/2' });

describe('joinPages', () => {
  test('keeps whole statements unchanged', () => {
    const pages = [page(['0'], ['1'], [aParsedLine('1')]), page(['1'], ['3'], [aParsedLine('2')])];
    expect(joinPages(pages)).toMatchObject([
      { opening: decimal('0'), closing: decimal('1'), pages: 1 },
      { opening: decimal('1'), closing: decimal('3'), pages: 1 },
    ]);
  });

  test('joins the pages of one statement, with its outer balances and the sums of all pages', () => {
    const middle = page(
      ['110', INTERMEDIATE],
      ['110.5', INTERMEDIATE],
      [aParsedLine('0.5', { bookingDate: april(1) }), aParsedLine('9', { status: 'pending' })],
      { currencies: ['TND', 'EUR'], notes: ['a note'] },
    );
    const last = page(['110.50', INTERMEDIATE], ['105.5'], [aParsedLine('-5', { bookingDate: april(3) })]);
    expect(joinPages([FIRST, middle, last])).toEqual([
      expect.objectContaining({
        verdict: 'ok',
        number: '7/1',
        fileLine: 3,
        pages: 3,
        opening: decimal('100'),
        closing: decimal('105.5'),
        booked: {
          entries: 3,
          credits: decimal('10.5'),
          debits: decimal('5'),
          firstDate: april(1),
          lastDate: april(3),
        },
        pendingEntries: 1,
        currencies: ['TND', 'EUR'],
        notes: ['a note'],
      }),
    ]);
  });

  test.each<[string, ScannedStatement, ScannedStatement]>([
    ['a balance between them that is not the same', FIRST, page(['111', INTERMEDIATE], ['112'], [aParsedLine('1')])],
    ['a final balance at the end of the first', page(['100'], ['110'], [aParsedLine('10')]), LAST],
    ['a first balance at the start of the next', FIRST, page(['110'], ['105'], [aParsedLine('-5')])],
    ['another account', FIRST, { ...LAST, parsed: { ...LAST.parsed, account: '2' } }],
    ['another currency', FIRST, { ...LAST, parsed: { ...LAST.parsed, currency: 'EUR' } }],
    ['another kind', FIRST, { ...LAST, parsed: { ...LAST.parsed, kind: 'interim' } }],
  ])('does not join pages with %s', (_what, before, next) => {
    expect(joinPages([before, next]).map(({ pages }) => pages)).toEqual([1, 1]);
  });

  test("joins pages without a balance between them only by the bank's numbers", () => {
    const first = aScanned({ opening: balance('100'), closing: undefined, number: '7/1' }, [aParsedLine('10')]);
    const next = (number: string): ScannedStatement =>
      aScanned({ opening: undefined, closing: balance('110'), number }, []);
    expect(joinPages([first, next('7/2')])).toMatchObject([{ pages: 2, verdict: 'ok' }]);
    expect(joinPages([first, next('7/002')])).toMatchObject([{ pages: 2 }]);
    for (const number of ['7/3', '8/2', '7', '']) expect(joinPages([first, next(number)])).toHaveLength(2);
    const unnumbered = aScanned({ ...first.parsed, number: '' });
    expect(joinPages([unnumbered, next('')])).toHaveLength(2);
  });

  test('proves nothing if one page does not add up or an outer balance is missing', () => {
    const wrong = page(['100'], ['110', INTERMEDIATE], [aParsedLine('9')]);
    expect(joinPages([wrong, LAST])).toMatchObject([{ pages: 2, verdict: 'unbalanced' }]);
    const open = page(['110', INTERMEDIATE], ['105', INTERMEDIATE], [aParsedLine('-5')]);
    expect(joinPages([FIRST, open])).toMatchObject([{ pages: 2, closing: decimal('105') }]);
    const endless = aScanned({ opening: undefined, closing: undefined, number: '7/2' }, [aParsedLine('1')]);
    expect(joinPages([FIRST, endless])).toMatchObject([{ pages: 2, verdict: 'no-proof', closing: undefined }]);
  });

  test('computes the digest of a joined statement from each page', () => {
    const other = page(['110', INTERMEDIATE], ['105'], [aParsedLine('-5', { remittance: 'Y' })]);
    const [one, two] = [joinPages([FIRST, LAST]), joinPages([FIRST, other])];
    expect(one[0]?.linesDigest).not.toBe(two[0]?.linesDigest);
  });
});
