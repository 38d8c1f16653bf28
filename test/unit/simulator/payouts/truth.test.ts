// Goal: the truth file states the payments of each line, and the position of each item on a given day.
// Method: one payout at a time, checked day by day.
import { describe, expect, test } from '@jest/globals';
import { businessDate } from '../../../../src/kernel';
import { type PayoutBook, type PayoutTruth, payoutTruth, truthJson } from '../../../../src/simulator/testing';
import { anItem, at, bookAfter, CARD_FEE, planOf } from './pack';

const CUT = '2026-03-02 16:00';

const truthOf = (book: PayoutBook, through: string, asOf = `${through} 23:00`): PayoutTruth =>
  payoutTruth(book, { through: businessDate(through), asOf: at(asOf) });

const stateOf = (truth: PayoutTruth, itemId: string): string | undefined =>
  truth.items.find((item) => item.item_id === itemId)?.state;

describe('The truth about payouts', () => {
  test('names the payout, the items and the fee behind a line', () => {
    const items = [anItem('c', 100_000, { channel: 'card' }), anItem('a', 5_000, { available: '2026-03-02 09:00' })];
    const book = bookAfter(planOf({ fees: [CARD_FEE] }), [[CUT, items]]);
    const payoutId = book.payouts[0]?.payoutId;
    const lineId = book.lines[0]?.lineId;
    expect(truthOf(book, '2026-03-03')).toEqual({
      through: '2026-03-03',
      as_of: '2026-03-03T22:00:00.000Z',
      lines: [
        {
          line_id: lineId,
          booking_date: '2026-03-03',
          amount_millimes: 103_215,
          cause: 'payout',
          part: 1,
          parts: 1,
          payout_ids: [payoutId],
          item_ids: ['a', 'c'],
          gross_millimes: 105_000,
          fee_millimes: 1_500,
          tva_millimes: 285,
        },
      ],
      payouts: [
        {
          payout_id: payoutId,
          model: 'sweep-all',
          stream: 'all',
          cut_at: '2026-03-02T15:00:00.000Z',
          transfer_at: '2026-03-02T15:00:00.000Z',
          gross_millimes: 105_000,
          fee_millimes: 1_500,
          tva_millimes: 285,
          net_millimes: 103_215,
          item_ids: ['a', 'c'],
        },
      ],
      items: [
        { item_id: 'a', state: 'paid', payout_id: payoutId, line_ids: [lineId] },
        { item_id: 'c', state: 'paid', payout_id: payoutId, line_ids: [lineId] },
      ],
    });
  });

  test('omits lines of later days; until then their items are in payout', () => {
    const book = bookAfter(planOf(), [[CUT, [anItem('a', 1_000)]]]);
    const truth = truthOf(book, '2026-03-02');
    expect(truth.lines).toEqual([]);
    expect(truth.items).toMatchObject([{ item_id: 'a', state: 'in_payout', line_ids: [] }]);
  });

  test('distinguishes available items from pending and cancelled ones', () => {
    const book = bookAfter(planOf(), [
      [
        CUT,
        [
          anItem('after', 1_000, { available: '2026-03-02 18:00' }),
          anItem('later', 1_000, { available: '2026-03-03 09:00' }),
          anItem('gone', 2_000),
          anItem('refund', -2_000, { refundOf: 'gone' }),
        ],
      ],
    ]);
    const truth = truthOf(book, '2026-03-02', '2026-03-02 18:00');
    expect(Object.fromEntries(truth.items.map(({ item_id: id, state }) => [id, state]))).toEqual({
      after: 'available',
      later: 'not_yet',
      gone: 'cancelled',
      refund: 'cancelled',
    });
  });

  test('reports a returned payout as paid, then in payout, then paid by the second credit', () => {
    const book = bookAfter(planOf({ deviations: { returnedPpm: 1_000_000 } }), [[CUT, [anItem('a', 1_000)]]]);
    const days = book.lines.map(({ bookingDate }) => bookingDate);
    expect(days.map((day) => stateOf(truthOf(book, day), 'a'))).toEqual(['paid', 'in_payout', 'paid']);
    const last = truthOf(book, days[2] ?? '');
    expect(last.lines.map(({ cause }) => cause)).toEqual(['payout', 'payout_returned', 'payout_paid_again']);
    expect(last.lines.map((line) => line.returns_line_id)).toEqual([
      undefined,
      book.lines[0]?.lineId,
      book.lines[0]?.lineId,
    ]);
    expect(last.items[0]?.line_ids).toEqual(book.lines.map(({ lineId }) => lineId));
  });

  test.each([
    ['returned', { returnedPpm: 1_000_000 }],
    ['split', { splitPpm: 1_000_000 }],
    ['joined', { joinedPpm: 1_000_000 }],
    ['as usual', {}],
  ])(
    'names an item at a line exactly if it names the line at the item, for payouts that are %s',
    (_how, deviations) => {
      const book = bookAfter(planOf({ deviations }), [
        [CUT, [anItem('a', 1_000), anItem('b', 2_000)]],
        ['2026-03-03 16:00', [anItem('c', 4_000, { available: '2026-03-03 10:00' })]],
      ]);
      const truth = truthOf(book, '2026-03-31');
      const byLine = truth.lines.flatMap((line) => line.item_ids.map((item) => `${line.line_id} ${item}`));
      const byItem = truth.items.flatMap((item) => item.line_ids.map((line) => `${line} ${item.item_id}`));
      expect(byItem.length).toBeGreaterThan(0);
      expect(byItem.toSorted()).toEqual(byLine.toSorted());
    },
  );

  test('reports a split payout as paid once both credits are on the statement', () => {
    const plan = planOf({ deviations: { splitPpm: 1_000_000 } });
    const split = [1, 2, 3, 4, 5, 6, 7, 8]
      .map((seed) => bookAfter(plan, [[CUT, [anItem('a', 1_000)]]], seed))
      .find(({ lines }) => new Set(lines.map(({ bookingDate }) => bookingDate)).size === 2);
    if (split === undefined) throw new Error('one of these seeds books the halves on two days');
    expect(stateOf(truthOf(split, '2026-03-03'), 'a')).toBe('in_payout');
    expect(stateOf(truthOf(split, '2026-03-04'), 'a')).toBe('paid');
  });

  test('names both payouts of a joined credit', () => {
    const book = bookAfter(planOf({ deviations: { joinedPpm: 1_000_000 } }), [
      [CUT, [anItem('a', 1_000)]],
      ['2026-03-03 16:00', [anItem('b', 2_000)]],
    ]);
    const truth = truthOf(book, '2026-03-04');
    expect(truth.lines).toMatchObject([{ amount_millimes: 3_000, gross_millimes: 3_000, item_ids: ['a', 'b'] }]);
    expect(truth.items).toMatchObject([{ state: 'paid' }, { state: 'paid' }]);
  });

  test('names no payout for an unrelated line', () => {
    const book = bookAfter(planOf({ deviations: { unrelatedCreditPpm: 1_000_000 } }), [[CUT, []]]);
    expect(truthOf(book, '2026-03-03').lines).toMatchObject([
      { cause: 'unrelated', payout_ids: [], item_ids: [], gross_millimes: 0 },
    ]);
  });

  test('is JSON that ends with a line end and decodes to itself', () => {
    const truth = truthOf(bookAfter(planOf(), [[CUT, [anItem('a', 1_000)]]]), '2026-03-03');
    const text = truthJson(truth);
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual(truth);
  });
});
