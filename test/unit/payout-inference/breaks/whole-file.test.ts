// Goal: no inference makes the breaks report a difference twice, and the order of the input changes nothing.
// Method: random inferences over two months, in order and shuffled.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, businessDate } from '../../../../src/kernel';
import type { CreditCause, CreditOutcome, Stream } from '../../../../src/payout-inference';
import { credit, judge, type JudgedFile, type KnownCredit, payout, requestOf, unpaid } from './judged-file';

const OWED_CLASSES = new Set(['missing_in_bank', 'refund_not_reflected', 'clearing_unexplained']);
const OUTCOMES: readonly CreditOutcome[] = ['resolved', 'ambiguous', 'unexplained', 'search_cut_short'];
const CAUSES: readonly CreditCause[] = ['competing', 'unknown_amount', 'fee_unknown', 'merged', 'split', 'none'];
const STREAMS: readonly (Stream | undefined)[] = ['all', 'card', undefined];

const day = fc.integer({ min: 0, max: 59 }).map((count) => addDays(businessDate('2026-03-01'), count));

const credits = fc
  .array(fc.tuple(day, fc.constantFrom(...OUTCOMES), fc.constantFrom(...CAUSES), fc.constantFrom(...STREAMS)), {
    maxLength: 12,
  })
  .map((rows) =>
    rows.map(([date, outcome, cause, stream], index): KnownCredit => {
      const lineId = `line-${index}`;
      return outcome === 'resolved'
        ? payout(lineId, `${date} 17:00`, addDays(date, 1), { stream })
        : credit(lineId, date, 500, { outcome, cause, stream });
    }),
  );

const items = fc
  .array(
    fc.record({
      date: day,
      hour: fc.integer({ min: 10, max: 23 }),
      amount: fc.integer({ min: -900, max: 900 }).filter((amount) => amount !== 0),
      stream: fc.constantFrom(...STREAMS),
      paid: fc.boolean(),
      refundOf: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
    }),
    { maxLength: 20 },
  )
  .map((rows) =>
    rows.map(({ date, hour, amount, stream, paid, refundOf }, index) =>
      unpaid(`item-${index}`, `${date} ${hour}:00`, amount, {
        stream,
        lineId: paid ? 'line-0' : undefined,
        refundOf: amount < 0 && refundOf !== undefined ? `item-${refundOf}` : undefined,
      }),
    ),
  );

const file = fc.record({ items, credits });

function reversed({ items: ofFile = [], credits: ofBank = [] }: JudgedFile): JudgedFile {
  return { items: ofFile.toReversed(), credits: ofBank.toReversed() };
}

describe('judging an inference', () => {
  test('puts no item in two breaks of money that is owed, and no line in two breaks at all', () => {
    fc.assert(
      fc.property(file, (anyFile) => {
        const { breaks } = judge(anyFile, '2026-05-15');
        const owed = breaks.filter(({ breakClass }) => OWED_CLASSES.has(breakClass));
        const itemIds = owed.flatMap((found) => found.itemIds);
        const lineIds = breaks.flatMap((found) => found.lineIds);
        const names = breaks.map(({ fingerprint }) => fingerprint);
        for (const list of [itemIds, lineIds, names]) expect(new Set(list).size).toBe(list.length);
      }),
    );
  });

  test('adds up: each break of owed money is worth its items', () => {
    fc.assert(
      fc.property(file, (anyFile) => {
        const amounts = new Map(requestOf(anyFile).items.map(({ itemId, amount }) => [itemId, amount]));
        for (const { breakClass, amount, itemIds } of judge(anyFile, '2026-05-15').breaks) {
          if (!OWED_CLASSES.has(breakClass)) continue;
          expect(itemIds.reduce((sum, itemId) => sum + (amounts.get(itemId) ?? Number.NaN), 0)).toBe(amount);
        }
      }),
    );
  });

  test('reports an item in such a break as open, unless it is a refund that a payout went past', () => {
    fc.assert(
      fc.property(file, (anyFile) => {
        const result = judge(anyFile, '2026-04-20');
        const stateOf = new Map(result.items.map(({ itemId, state }) => [itemId, state]));
        for (const { breakClass, itemIds } of result.breaks) {
          if (!OWED_CLASSES.has(breakClass) || breakClass === 'refund_not_reflected') continue;
          expect(new Set(itemIds.map((itemId) => stateOf.get(itemId)))).toEqual(new Set(['open']));
        }
      }),
    );
  });

  test('answers the same for any order of its input', () => {
    fc.assert(
      fc.property(file, (anyFile) => {
        const straight = judge(anyFile);
        const other = judge(reversed(anyFile));
        expect(other.breaks).toEqual(straight.breaks);
        expect(other.items.toReversed()).toEqual(straight.items);
      }),
    );
  });

  test('finds no fewer open items on a later day', () => {
    fc.assert(
      fc.property(file, day, day, (anyFile, oneDay, otherDay) => {
        const [early, late] = [oneDay, otherDay].sort();
        const open = (horizon?: string) =>
          judge(anyFile, horizon).items.flatMap(({ itemId, state }) => (state === 'open' ? [itemId] : []));
        expect(open(late)).toEqual(expect.arrayContaining(open(early)));
      }),
    );
  });
});
