import { describe, expect, test } from '@jest/globals';
import { millimes } from '../../../../src/kernel';
import { credit, fingerprints, firstDayOf, judge, type KnownCredit, line, payout, unpaid } from './judged-file';

describe('a credit that is not resolved', () => {
  test.each([
    ['ambiguous', { outcome: 'ambiguous', cause: 'competing' }, 'ambiguous_payout', 500],
    ['ambiguous for two payouts in one', { outcome: 'ambiguous', cause: 'merged' }, 'ambiguous_payout', 500],
    ['a part of a payout', { outcome: 'unexplained', cause: 'split' }, 'ambiguous_payout', 500],
    ['not searched to the end', { outcome: 'search_cut_short', cause: 'none' }, 'ambiguous_payout', 500],
    [
      'larger than its run',
      { outcome: 'ambiguous', cause: 'unknown_amount', remainder: millimes(40) },
      'ambiguous_payout',
      500,
    ],
    [
      'smaller than its run',
      { outcome: 'ambiguous', cause: 'unknown_amount', remainder: millimes(-40) },
      'fee_unexplained',
      40,
    ],
    ['under a fee that few confirm', { outcome: 'ambiguous', cause: 'fee_unknown' }, 'fee_unexplained', 500],
    [
      'unexplained but for its difference',
      { outcome: 'unexplained', cause: 'unknown_amount', remainder: millimes(40) },
      'amount_differs',
      40,
    ],
  ] as const)('because it is %s is at once one break', (_what, said, breakClass, amount) => {
    const credits = [credit('line', '2026-03-02', 500, { ...said, commonCore: ['a'] })];
    expect(judge({ credits }).breaks).toEqual([
      {
        fingerprint: `${breakClass}:line`,
        breakClass,
        amount,
        itemIds: ['a'],
        lineIds: ['line'],
        since: '2026-03-02',
      },
    ]);
  });

  test.each([
    ['Monday', '2026-03-02', '2026-03-05'],
    ['Thursday, over a week-end', '2026-03-05', '2026-03-10'],
    ['Wednesday, over a holiday and a week-end', '2026-03-18', '2026-03-24'],
  ])('is missing in the book when it was booked on a %s, %s, from %s on', (_day, date, expected) => {
    const file = { credits: [credit('line', date, 500)] };
    expect(firstDayOf('missing_in_book', file)).toBe(expected);
  });

  test('is inside its grace up to the last line of a late bank file', () => {
    const credits = [credit('line', '2026-03-02', 500), payout('p', '2026-03-03 17:00', '2026-03-04')];
    expect(judge({ credits }).breaks).toEqual([]);
    expect(fingerprints(judge({ credits }, '2026-03-05'))).toEqual(['missing_in_book:line']);
  });

  test('names no items, because a look-alike is another payer’s money', () => {
    const credits = [payout('p', '2026-03-02 17:00', '2026-03-03'), credit('look-alike', '2026-03-05', 500)];
    const items = [unpaid('a', '2026-03-04 10:00', 500)];
    expect(fingerprints(judge({ credits, items }, '2026-03-10'))).toEqual(['missing_in_book:look-alike']);
  });
});

describe('a returned payout', () => {
  const first = payout('first', '2026-03-02 17:00', '2026-03-03', { itemIds: ['a'] });
  const debits = [line('debit', '2026-03-05', -1000)];
  const ITEM = unpaid('a', '2026-03-02 10:00', 1000, { lineId: 'first', evidence: 'inferred_by_cut' });
  const returned = (credits: readonly KnownCredit[], paidAgainLineId?: string) => ({
    credits,
    debits,
    items: [ITEM],
    returned: [{ lineId: 'first', debitLineId: 'debit', paidAgainLineId, orElse: [] }],
  });

  test('is a break from the day of the return on, and its items are open again', () => {
    const result = judge(returned([first]));
    expect(result.breaks).toEqual([
      {
        fingerprint: 'returned_payout:first',
        breakClass: 'returned_payout',
        amount: 1000,
        itemIds: ['a'],
        lineIds: ['first', 'debit'],
        since: '2026-03-05',
      },
    ]);
    expect(result.items).toEqual([expect.objectContaining({ state: 'open', lineId: undefined, evidence: undefined })]);
  });

  test('is not reported again as missing in the bank, however long it lasts', () => {
    expect(fingerprints(judge(returned([first]), '2026-05-29'))).toEqual(['returned_payout:first']);
  });

  test('keeps its break with the second credit and settles its items when it is paid again', () => {
    const again = credit('again', '2026-03-06', 1000);
    const result = judge(returned([first, again], 'again'), '2026-05-29');
    expect(result.breaks.map(({ lineIds }) => lineIds)).toEqual([['first', 'debit', 'again']]);
    expect(result.items).toEqual([expect.objectContaining({ state: 'settled', lineId: 'first' })]);
  });

  test('opens one break when its credit is not resolved and reports no items of its days as missing', () => {
    const file = returned([
      payout('before', '2026-02-27 17:00', '2026-03-02'),
      credit('first', '2026-03-03', 1000, { outcome: 'unexplained' }),
    ]);
    const items = [unpaid('a', '2026-03-02 10:00', 1000)];
    expect(fingerprints(judge({ ...file, items }, '2026-05-29'))).toEqual(['returned_payout:first']);
  });
});
