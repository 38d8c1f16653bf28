import { describe, expect, test } from '@jest/globals';
import { payoutKeys, scoreCredits } from '../../../scripts/evaluate/score/score-credits';
import { trueBook } from '../../../scripts/evaluate/score/true-book';
import type { CreditScore } from '../../../scripts/evaluate/score/world-score';
import type { InferredCredit } from '../../../src/payout-inference';
import { anInferredCredit, aSmallWorld, at, type SmallLine } from './a-small-world';

const ITEMS = [
  { id: 'a', amount: 5_000, when: '2026-03-02 09:00' },
  { id: 'b', amount: 7_000, when: '2026-03-02 10:00' },
  { id: 'pair', amount: 9_000, when: '2026-03-02 11:00', cancelled: true },
  { id: 'pair-back', amount: -9_000, when: '2026-03-02 12:00', refundOf: 'pair', cancelled: true },
];
const PAYOUT: SmallLine = { id: 'line', day: '2026-03-03', cut: '2026-03-02 17:00', paid: ['a', 'b'] };

const score = (lines: readonly SmallLine[], ...credits: readonly InferredCredit[]): CreditScore => {
  const book = trueBook(aSmallWorld(ITEMS, lines));
  const resolvable = payoutKeys(new Set(lines.map(({ id }) => id)), book);
  return scoreCredits(credits, { scenario: 'by-hand', seed: 1, maxError: 0.001, book, resolvable });
};

const resolved = (lineId: string, ...itemIds: readonly string[]): InferredCredit =>
  anInferredCredit(lineId, { itemIds, claimedError: 0.0005 });

describe('a resolved credit', () => {
  test('is exact when its items are those that it paid, in any order', () => {
    expect(score([PAYOUT], resolved('line', 'b', 'a'))).toMatchObject({ exact: 1, exactResolvable: 1, wrong: [] });
  });

  test('is exact when it also names a payment with its own refund', () => {
    expect(score([PAYOUT], resolved('line', 'a', 'b', 'pair', 'pair-back'))).toMatchObject({ exact: 1, wrong: [] });
  });

  test.each([
    ['names an item too few', PAYOUT, ['a']],
    ['names an item too many', { ...PAYOUT, paid: ['a'] }, ['a', 'b']],
    ['names a payment whose refund it does not name', PAYOUT, ['a', 'b', 'pair']],
    ['is of somebody else', { ...PAYOUT, kind: 'unrelated' as const, paid: [] }, ['a', 'b']],
    ['holds an amount that no item explains', { ...PAYOUT, unknown: 100 }, ['a', 'b']],
    ['is a part of a payout', { ...PAYOUT, kind: 'split' as const }, ['a', 'b']],
  ])('is wrong when it %s', (_, line, itemIds) => {
    const { exact, wrong } = score([line], resolved('line', ...itemIds));
    expect({ exact, wrong }).toMatchObject({
      exact: 0,
      wrong: [{ scenario: 'by-hand', seed: 1, lineId: 'line', maxError: 0.001 }],
    });
  });

  test('adds its claimed error even if it is wrong', () => {
    expect(score([PAYOUT], resolved('line', 'a')).claimedErrorSum).toBeCloseTo(0.0005);
  });

  test('states a right cut only if the true one is in its interval', () => {
    const cut = (after: string, until: string): Partial<InferredCredit> => ({
      cut: { after: at(after), until: at(until) },
    });
    const stated = (after: string, until: string): CreditScore =>
      score([PAYOUT], { ...resolved('line', 'a', 'b'), ...cut(after, until) });
    expect(stated('2026-03-02 16:59', '2026-03-02 17:00')).toMatchObject({ cutsStated: 1, cutsRight: 1 });
    expect(stated('2026-03-02 17:00', '2026-03-02 17:01')).toMatchObject({ cutsStated: 1, cutsRight: 0 });
  });
});

describe('a payout that was returned and paid again', () => {
  const lines: readonly SmallLine[] = [
    { ...PAYOUT, kind: 'returned_credit' },
    { ...PAYOUT, id: 'again', day: '2026-03-06', kind: 'paid_again' },
  ];

  test('is exact once, by either credit', () => {
    expect(score(lines, resolved('line', 'a', 'b'), anInferredCredit('again'))).toMatchObject({ exact: 1, wrong: [] });
    expect(score(lines, anInferredCredit('line'), resolved('again', 'a', 'b'))).toMatchObject({ exact: 1, wrong: [] });
  });

  test('is wrong when both credits pay its items', () => {
    expect(score(lines, resolved('line', 'a', 'b'), resolved('again', 'a', 'b')).wrong).toHaveLength(1);
  });
});

describe('a credit that is not resolved', () => {
  test('counts the items of a common core that it did not pay', () => {
    const credit = anInferredCredit('line', { outcome: 'ambiguous', commonCore: ['a', 'b'] });
    expect(score([PAYOUT], credit).commonCoreFalse).toBe(0);
    expect(score([{ ...PAYOUT, paid: ['a'] }], credit).commonCoreFalse).toBe(1);
  });

  test('has a proposal that is right or wrong', () => {
    const propose = (...proposal: readonly string[]): CreditScore =>
      score([PAYOUT], anInferredCredit('line', { outcome: 'ambiguous', proposal }));
    expect(propose('a', 'b')).toMatchObject({ proposalsRight: 1, proposalsWrong: 0, resolved: 0 });
    expect(propose('b')).toMatchObject({ proposalsRight: 0, proposalsWrong: 1 });
  });

  test('is counted by its outcome', () => {
    const credits = (['ambiguous', 'unexplained', 'search_cut_short'] as const).map((outcome) =>
      anInferredCredit('line', { outcome }),
    );
    expect(score([PAYOUT], ...credits)).toMatchObject({ ambiguous: 1, unexplained: 1, cutShort: 1, exact: 0 });
  });
});
