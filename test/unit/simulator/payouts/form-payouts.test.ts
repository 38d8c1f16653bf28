// Goal: each payout model pays as defined, and a refund costs what the conventions of reconciliation state.
// Method: small sets of items with amounts and fees computed by hand.
import { describe, expect, test } from '@jest/globals';
import type { PayableItem } from '../../../../src/simulator';
import { itemIdsOf } from '../../../../src/simulator/payouts/payout';
import type { PayoutBook } from '../../../../src/simulator/testing';
import { anItem, at, bookAfter, CARD_FEE, planOf } from './pack';

const FIRST_CUT = '2026-03-02 16:00';
const SECOND_CUT = '2026-03-03 16:00';
const THIRD_CUT = '2026-03-04 16:00';

const paid = (book: PayoutBook): Record<string, string[]> =>
  Object.fromEntries(book.payouts.map((payout, index) => [`${index} ${payout.stream}`, itemIdsOf(payout)]));
const ids = (items: readonly PayableItem[]): string[] => items.map(({ itemId }) => itemId);

describe('A payout model', () => {
  const items = [
    anItem('c2', 2_000, { channel: 'card', available: '2026-03-02 11:00' }),
    anItem('a1', 1_000, { channel: 'agent', available: '2026-03-02 09:00' }),
    anItem('c1', 4_000, { channel: 'card', available: '2026-03-02 10:00' }),
    anItem('q1', 8_000, { channel: 'qr', available: FIRST_CUT }),
    anItem('late', 16_000, { channel: 'card', available: '2026-03-02 16:01' }),
  ];

  test.each([
    ['sweep-all', { '0 all': ['a1', 'c1', 'c2', 'q1'] }, ['late']],
    ['sweep-per-channel', { '0 agent': ['a1'], '1 card': ['c1', 'c2'], '2 qr': ['q1'] }, ['late']],
    ['sweep-card-only', { '0 card': ['c1', 'c2'] }, ['a1', 'q1', 'late']],
    ['per-item', { '0 item': ['a1'], '1 item': ['c1'], '2 item': ['c2'], '3 item': ['q1'] }, ['late']],
  ])('%s pays what is available at the cut, in the order of availability', (model, expected, left) => {
    const book = bookAfter(planOf({ model }), [[FIRST_CUT, items]]);
    expect(paid(book)).toEqual(expected);
    expect(ids(book.open)).toEqual(left);
    expect(book.payouts.every((payout) => payout.model === model && payout.cutAt === at(FIRST_CUT))).toBe(true);
  });

  test('leaves later items to the next cut', () => {
    const book = bookAfter(planOf(), [
      [FIRST_CUT, items],
      [SECOND_CUT, []],
    ]);
    expect(paid(book)).toEqual({ '0 all': ['a1', 'c1', 'c2', 'q1'], '1 all': ['late'] });
    expect(book.open).toEqual([]);
  });

  test('orders items of one instant by their ids', () => {
    const together = ['b', 'c', 'a'].map((itemId) => anItem(itemId, 1_000));
    expect(paid(bookAfter(planOf(), [[FIRST_CUT, together]]))).toEqual({ '0 all': ['a', 'b', 'c'] });
  });

  test('creates no payout without an amount to transfer', () => {
    const book = bookAfter(planOf(), [[FIRST_CUT, []]]);
    expect(book.payouts).toEqual([]);
    expect(book.lines).toEqual([]);
  });
});

describe('Fees', () => {
  const cards = [anItem('c1', 33_333, { channel: 'card' }), anItem('c2', 33_333, { channel: 'card' })];

  test('are rounded for each item when they are charged per item', () => {
    const book = bookAfter(planOf({ fees: [CARD_FEE] }), [[FIRST_CUT, cards]]);
    expect(book.payouts).toMatchObject([
      { grossMillimes: 66_666, feeMillimes: 1_000, tvaMillimes: 190, netMillimes: 65_476 },
    ]);
    expect(book.payouts[0]?.lines).toMatchObject([
      { itemId: 'c1', amountMillimes: 33_333, feeMillimes: 500, tvaMillimes: 95 },
      { itemId: 'c2', amountMillimes: 33_333, feeMillimes: 500, tvaMillimes: 95 },
    ]);
  });

  // 66 666 x 1.5 % = 999.99; a sum of 1000 would be rounded the same, so the fixed part and an odd item tell them apart.
  test('are computed on the sum, with one fixed part, when they are charged per payout', () => {
    const fee = { ...CARD_FEE, basis: 'payout', fixed_millimes: 300 };
    const items = [...cards, anItem('c3', 10_033, { channel: 'card' })];
    const book = bookAfter(planOf({ fees: [fee] }), [[FIRST_CUT, items]]);
    // 76 699 x 1.5 % = 1 150.485, + 300 = 1 450.485; TVA 275.5.
    expect(book.payouts).toMatchObject([
      { grossMillimes: 76_699, feeMillimes: 1_450, tvaMillimes: 276, netMillimes: 74_973 },
    ]);
    expect(book.payouts[0]?.lines).toMatchObject([{ feeMillimes: 0 }, { feeMillimes: 0 }, { feeMillimes: 0 }]);
  });

  test('are charged once for all channels with the same terms when they are charged per payout', () => {
    const terms = { ...CARD_FEE, basis: 'payout', rate_ppm: 0, fixed_millimes: 100, tva_ppm: 0 };
    const items = [anItem('c', 5_000, { channel: 'card' }), anItem('a', 5_000)];
    const same = bookAfter(planOf({ fees: [terms, { ...terms, channel: 'agent' }] }), [[FIRST_CUT, items]]);
    const other = { ...terms, channel: 'agent', fixed_millimes: 40 };
    const different = bookAfter(planOf({ fees: [terms, other] }), [[FIRST_CUT, items]]);
    expect(same.payouts).toMatchObject([{ feeMillimes: 100 }]);
    expect(different.payouts).toMatchObject([{ feeMillimes: 140 }]);
  });

  test('follow the schedule of the day of the cut, not of the payment', () => {
    const fees = [CARD_FEE, { ...CARD_FEE, rate_ppm: 30_000, from: '2026-03-03' }];
    const late = anItem('late', 10_000, { channel: 'card', available: '2026-03-02 17:00' });
    const book = bookAfter(planOf({ fees }), [
      [FIRST_CUT, [anItem('early', 10_000, { channel: 'card' }), late]],
      [SECOND_CUT, []],
    ]);
    expect(book.payouts.map(({ feeMillimes }) => feeMillimes)).toEqual([150, 300]);
  });
});

describe('A refund', () => {
  const payment = anItem('pay', 100_000, { channel: 'card' });
  const refund = anItem('refund', -100_000, { channel: 'card', available: '2026-03-02 12:00', refundOf: 'pay' });
  const lateRefund = { ...refund, availableAt: at('2026-03-03 09:00') };
  const other = anItem('other', 200_000, { channel: 'card', available: '2026-03-03 10:00' });

  test('cancels its unpaid payment without a fee', () => {
    const book = bookAfter(planOf({ fees: [CARD_FEE] }), [[FIRST_CUT, [refund, payment]]]);
    expect(book.payouts).toEqual([]);
    expect(book.open).toEqual([]);
    expect(ids(book.cancelled)).toEqual(['pay', 'refund']);
  });

  test('cancels a card payment that never became available', () => {
    const notYet = { ...payment, availableAt: at('2026-03-04 09:00') };
    const book = bookAfter(planOf(), [[FIRST_CUT, [notYet, refund]]]);
    expect(ids(book.cancelled)).toEqual(['refund', 'pay']);
  });

  test('leaves its payment in a payout of an earlier cut', () => {
    const book = bookAfter(planOf(), [[FIRST_CUT, [payment, { ...refund, availableAt: at('2026-03-02 16:01') }]]]);
    expect(paid(book)).toEqual({ '0 all': ['pay'] });
    expect(ids(book.open)).toEqual(['refund']);
  });

  test.each([
    // 200 000 - 100 000 - 3 000 - 570: the fee of the refunded payment is gone.
    ['kept', { grossMillimes: 100_000, feeMillimes: 3_000, tvaMillimes: 570, netMillimes: 96_430 }],
    // … and given back: 1 500 and 285.
    ['returned', { grossMillimes: 100_000, feeMillimes: 1_500, tvaMillimes: 285, netMillimes: 98_215 }],
  ])('is a negative item of the next sweep after the payout, its fee %s', (clawbackFee, expected) => {
    const book = bookAfter(planOf({ fees: [CARD_FEE], clawbackFee }), [
      [FIRST_CUT, [payment]],
      [SECOND_CUT, [lateRefund, other]],
    ]);
    expect(paid(book)).toEqual({ '0 all': ['pay'], '1 all': ['refund', 'other'] });
    expect(book.payouts[1]).toMatchObject(expected);
  });

  test('returns the fee that was charged, even if the rate changed since', () => {
    const fees = [CARD_FEE, { ...CARD_FEE, rate_ppm: 0, from: '2026-03-03' }];
    const book = bookAfter(planOf({ fees, clawbackFee: 'returned' }), [
      [FIRST_CUT, [payment]],
      [SECOND_CUT, [lateRefund, other]],
    ]);
    expect(book.payouts[1]).toMatchObject({ feeMillimes: -1_500, tvaMillimes: -285, netMillimes: 101_785 });
  });

  test.each(['sweep-all', 'sweep-per-channel', 'sweep-card-only', 'per-item'])(
    'waits in %s until the payments exceed the refunds',
    (model) => {
      const small = anItem('small', 100_000, { channel: 'card', available: '2026-03-03 10:00' });
      const enough = anItem('enough', 1_000, { channel: 'card', available: '2026-03-04 10:00' });
      const book = bookAfter(planOf({ model }), [
        [FIRST_CUT, [payment]],
        [SECOND_CUT, [lateRefund, small]],
        [THIRD_CUT, [enough]],
      ]);
      expect(book.payouts.map(itemIdsOf)).toEqual([['pay'], ['refund', 'small', 'enough']]);
      expect(book.payouts[1]?.netMillimes).toBe(1_000);
      expect(book.open).toEqual([]);
    },
  );

  test('is deducted from the first payment that covers it when each item is paid separately', () => {
    const after = anItem('after', 300_000, { channel: 'card', available: '2026-03-03 11:00' });
    const book = bookAfter(planOf({ model: 'per-item' }), [
      [FIRST_CUT, [payment]],
      [SECOND_CUT, [after, lateRefund, other]],
    ]);
    expect(book.payouts.map(itemIdsOf)).toEqual([['pay'], ['refund', 'other'], ['after']]);
  });

  test('cancels its payment once, even if it is repeated', () => {
    const again = { ...refund, itemId: 'refund again', availableAt: at('2026-03-02 13:00') };
    const book = bookAfter(planOf(), [[FIRST_CUT, [again, payment, refund]]]);
    expect(ids(book.cancelled)).toEqual(['pay', 'refund']);
    expect(ids(book.open)).toEqual(['refund again']);
  });

  test('does not cancel its payment when it is partial', () => {
    const part = { ...refund, amountMillimes: anItem('x', -40_000).amountMillimes };
    const book = bookAfter(planOf(), [[FIRST_CUT, [payment, part]]]);
    expect(book.payouts).toMatchObject([{ grossMillimes: 60_000, netMillimes: 60_000 }]);
    expect(book.cancelled).toEqual([]);
  });
});

describe('The minimum of a sweep', () => {
  test.each([
    [5_000, []],
    [4_999, ['small']],
  ])('pays or defers %d at a minimum of 5000', (amount, left) => {
    const book = bookAfter(planOf({ minimumMillimes: 5_000 }), [[FIRST_CUT, [anItem('small', amount)]]]);
    expect(ids(book.open)).toEqual(left);
  });

  test('defers a payment that does not exceed its fee, and pays the others', () => {
    const fees = [{ ...CARD_FEE, rate_ppm: 0, fixed_millimes: 1_000, tva_ppm: 0 }];
    const items = [
      anItem('tiny', 1_000, { channel: 'card', available: '2026-03-02 09:00' }),
      anItem('good', 1_001, { channel: 'card' }),
    ];
    const book = bookAfter(planOf({ model: 'per-item', fees }), [[FIRST_CUT, items]]);
    expect(paid(book)).toEqual({ '0 item': ['good'] });
    expect(ids(book.open)).toEqual(['tiny']);
  });
});

describe('An item that is held back', () => {
  test('is skipped once and paid by the next cut', () => {
    const plan = planOf({ deviations: { heldBackPpm: 1_000_000 } });
    const after = bookAfter(plan, [[FIRST_CUT, [anItem('a', 1_000)]]]);
    expect(after.payouts).toEqual([]);
    expect(after.open).toMatchObject([{ itemId: 'a', heldAt: at(FIRST_CUT) }]);
    const later = bookAfter(plan, [
      [FIRST_CUT, [anItem('a', 1_000)]],
      [SECOND_CUT, []],
    ]);
    expect(paid(later)).toEqual({ '0 all': ['a'] });
  });

  test('occurs for some items at a rate between 0 and 1', () => {
    const items = Array.from({ length: 400 }, (_, index) => anItem(`a${index}`, 1_000));
    const { open } = bookAfter(planOf({ deviations: { heldBackPpm: 250_000 } }), [[FIRST_CUT, items]]);
    expect(open.length).toBeGreaterThan(50);
    expect(open.length).toBeLessThan(200);
  });
});

test('two cuts at one instant create payouts and lines with different ids', () => {
  const plan = planOf({ deviations: { unrelatedCreditPpm: 1_000_000, unrelatedDebitPpm: 1_000_000 } });
  const { payouts, lines } = bookAfter(plan, [
    [FIRST_CUT, [anItem('a', 1_000)]],
    [FIRST_CUT, [anItem('b', 1_000)]],
  ]);
  expect(new Set(payouts.map(({ payoutId }) => payoutId)).size).toBe(2);
  expect(new Set(lines.map(({ lineId }) => lineId)).size).toBe(6);
});
