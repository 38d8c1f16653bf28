import { describe, expect, test } from '@jest/globals';
import { breakShares } from '../../../scripts/evaluate/score/goals';
import { scoreBreaks } from '../../../scripts/evaluate/score/score-breaks';
import type { TrueBreak } from '../../../scripts/evaluate/world';
import { businessDate, millimes } from '../../../src/kernel';
import type { FoundBreak } from '../../../src/payout-inference';

type Rows = Pick<TrueBreak, 'breakClass' | 'itemIds' | 'lineIds'>;

const rows = (breakClass: string, itemIds: readonly string[], lineIds: readonly string[] = []): Rows => ({
  breakClass,
  itemIds,
  lineIds,
});
const found = (each: Rows): FoundBreak => ({ ...each, amount: millimes(1), since: businessDate('2026-03-02') });
const score = (reported: readonly Rows[], justified: readonly Rows[], openLines: readonly string[] = []) =>
  scoreBreaks(
    reported.map(found),
    justified.map((each) => ({ ...each, amountMillimes: 1 })),
    new Set(openLines),
  );

describe('the breaks that were reported', () => {
  test('are right when they stand on the rows of justified ones, however they are cut', () => {
    const reported = ['a', 'b', 'c'].map((item) => rows('missing_in_bank', [item]));
    expect(score(reported, [rows('missing_in_bank', ['a', 'b', 'c'])])).toEqual({
      missing_in_bank: { justified: 1, justifiedFound: 1, reported: 3, reportedRight: 3 },
    });
  });

  test('are compared by their lines where they have any', () => {
    const { missing_in_book: one } = score(
      [rows('missing_in_book', [], ['x'])],
      [rows('missing_in_book', [], ['x']), rows('missing_in_book', [], ['y'])],
    );
    expect(one).toEqual({ justified: 2, justifiedFound: 1, reported: 1, reportedRight: 1 });
  });

  test('are wrong in another class', () => {
    expect(score([rows('amount_differs', ['a'])], [rows('late_settlement', ['a'])])).toEqual({
      amount_differs: { justified: 0, justifiedFound: 0, reported: 1, reportedRight: 0 },
      late_settlement: { justified: 1, justifiedFound: 0, reported: 0, reportedRight: 0 },
    });
  });

  test('may call a credit ambiguous only if it cannot be resolved', () => {
    const reported = ['open', 'clear'].map((line) => rows('ambiguous_payout', [], [line]));
    expect(score(reported, [], ['open'])).toEqual({
      ambiguous_payout: { justified: 0, justifiedFound: 0, reported: 2, reportedRight: 1 },
    });
  });
});

test('averages the shares over the classes, so that a frequent class hides no rare one', () => {
  const many = { justified: 99, justifiedFound: 99, reported: 99, reportedRight: 99 };
  const rare = { justified: 1, justifiedFound: 0, reported: 0, reportedRight: 0 };
  expect(breakShares({ many, rare })).toEqual({ precision: 1, recall: 0.5 });
});
