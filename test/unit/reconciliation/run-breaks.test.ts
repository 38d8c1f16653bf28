// Goal: each break of a run states which side has more, whatever the sign of the amount that the inference gives.
import { expect, test } from '@jest/globals';
import type { Direction } from '../../../src/breaks';
import { businessDate, millimes } from '../../../src/kernel';
import type { InferredCredit } from '../../../src/payout-inference';
import { CLASSES_OF_RUNS, toNewBreaks } from '../../../src/reconciliation/run-breaks';

const LINE = '0'.repeat(26);

const creditOf = (remainder: number): InferredCredit => ({
  ...{ lineId: LINE, outcome: 'ambiguous', cause: 'unknown_amount', itemIds: [], commonCore: [], stream: undefined },
  ...{ gross: millimes(0), fee: millimes(0), tva: millimes(0), remainder: millimes(remainder) },
  ...{ evidence: undefined, claimedError: 1, proposal: [], cut: undefined },
});

test.each<[string, string, number, number, number, Direction]>([
  ['missing_in_bank', 'all:2026-03-02', 5, 0, 0, 'books_have_more'],
  ['missing_in_bank', 'all:2026-03-02', -5, 0, 0, 'bank_has_more'],
  ['missing_in_bank', 'all:2026-03-02', 0, 0, 0, 'unknown'],
  ['clearing_unexplained', 'card:2026-03', 5, 0, 0, 'books_have_more'],
  ['clearing_unexplained', 'card:2026-03', -5, 0, 0, 'bank_has_more'],
  ['refund_not_reflected', 'refund:R1', -5, 0, 0, 'bank_has_more'],
  ['missing_in_book', LINE, 5, 1, 5, 'bank_has_more'],
  ['amount_differs', LINE, 5, 1, 5, 'bank_has_more'],
  ['fee_unexplained', LINE, 5, 1, -5, 'books_have_more'],
  ['fee_unexplained', LINE, 500, 1, 500, 'unknown'],
  ['ambiguous_payout', LINE, 500, 1, 500, 'unknown'],
  ['returned_payout', LINE, 500, 2, 0, 'books_have_more'],
  ['returned_payout', LINE, 500, 3, 0, 'unknown'],
])(
  'a break %s:%s of %i with %i lines, remainder %i, states %s',
  (breakClass, name, amount, lines, remainder, direction) => {
    const found = {
      ...{ fingerprint: `${breakClass}:${name}`, breakClass, amount: millimes(amount), itemIds: [] },
      ...{ lineIds: [LINE, 'B', 'C'].slice(0, lines), since: businessDate('2026-03-02') },
    };
    expect(toNewBreaks([found], [creditOf(remainder)])).toMatchObject([{ amount, direction }]);
  },
);

test('the classes above are those of runs', () => {
  expect([...CLASSES_OF_RUNS].sort()).toEqual([
    ...['ambiguous_payout', 'amount_differs', 'clearing_unexplained', 'fee_unexplained', 'missing_in_bank'],
    ...['missing_in_book', 'refund_not_reflected', 'returned_payout'],
  ]);
});
