// Goal: each deviation of a plan appears on the statement as it would at a bank, and moves no other money.
// Method: rates of one million ppm, so that each deviation happens each time.
import { describe, expect, test } from '@jest/globals';
import type { PayoutBook } from '../../../../src/simulator/testing';
import { anItem, bookAfter, planOf } from './pack';

const ALWAYS = 1_000_000;
const CUTS = ['2026-03-02 16:00', '2026-03-03 16:00', '2026-03-04 16:00'] as const;

/** Three cuts of one item each: 1 000, 2 000 and 4 000 millimes. */
function threeCuts(settings: unknown, seed?: number): PayoutBook {
  const items = [1_000, 2_000, 4_000].map((amount, index) => anItem(`a${index}`, amount));
  return bookAfter(
    planOf(settings),
    CUTS.map((cut, index) => [cut, items.slice(index, index + 1)]),
    seed,
  );
}

const amounts = ({ lines }: PayoutBook): number[] => lines.map(({ amountMillimes }) => amountMillimes);
const idOf = ({ payouts }: PayoutBook, index: number): string => payouts[index]?.payoutId ?? 'none';

describe("The bank's lines", () => {
  test('contain one credit for each payout, on its days', () => {
    const book = threeCuts({ bookingLagWorkingDays: 1, valueLagWorkingDays: 1 });
    expect(book.lines).toMatchObject([
      { bookingDate: '2026-03-03', valueDate: '2026-03-04', amountMillimes: 1_000 },
      { bookingDate: '2026-03-04', valueDate: '2026-03-05', amountMillimes: 2_000 },
      { bookingDate: '2026-03-05', valueDate: '2026-03-06', amountMillimes: 4_000 },
    ]);
    expect(book.lines[1]).toMatchObject({
      counterparty: 'SERVICE DE PAIEMENT SA',
      remittance: 'VIR RECU SERVICE DE PAIEMENT SA',
      cause: { kind: 'payout', payoutIds: [idOf(book, 1)], part: 1, parts: 1 },
    });
  });

  test('contain the remittance text of the plan', () => {
    const book = threeCuts({ remittance: 'VIR {payout} {stream} {cut}', model: 'sweep-per-channel' });
    expect(book.lines[0]?.remittance).toBe(`VIR ${idOf(book, 0)} agent 2026-03-02`);
  });

  test('contain two credits with the sum of a split payout', () => {
    const book = threeCuts({ deviations: { splitPpm: ALWAYS } });
    expect(book.lines).toHaveLength(6);
    for (const [index, total] of [1_000, 2_000, 4_000].entries()) {
      const [first, second] = book.lines.slice(index * 2, index * 2 + 2);
      expect((first?.amountMillimes ?? 0) + (second?.amountMillimes ?? 0)).toBe(total);
      expect(
        [first?.amountMillimes, second?.amountMillimes].every((amount) => amount !== undefined && amount > 0),
      ).toBe(true);
      expect(first?.cause).toEqual({ kind: 'payout', payoutIds: [idOf(book, index)], part: 1, parts: 2 });
      expect(second?.cause).toEqual({ kind: 'payout', payoutIds: [idOf(book, index)], part: 2, parts: 2 });
    }
  });

  test('contain one credit for a payout of one millime, which cannot be split', () => {
    const book = bookAfter(planOf({ deviations: { splitPpm: ALWAYS } }), [[CUTS[0], [anItem('a', 1)]]]);
    expect(amounts(book)).toEqual([1]);
  });

  test('contain one credit for two joined payouts, on the days of the second', () => {
    const book = threeCuts({ deviations: { joinedPpm: ALWAYS } });
    expect(book.lines).toMatchObject([
      {
        amountMillimes: 3_000,
        bookingDate: '2026-03-04',
        cause: { kind: 'payout', payoutIds: [idOf(book, 0), idOf(book, 1)], part: 1, parts: 1 },
      },
    ]);
    expect(book.waiting.map(({ payoutId }) => payoutId)).toEqual([idOf(book, 2)]);
  });

  test('contain separate credits for payouts of different streams', () => {
    const items = [anItem('a', 1_000), anItem('q', 2_000, { channel: 'qr' })];
    const plan = planOf({ model: 'sweep-per-channel', deviations: { joinedPpm: ALWAYS } });
    expect(bookAfter(plan, [[CUTS[0], items]]).lines).toEqual([]);
    const more = [anItem('a2', 4_000), anItem('q2', 8_000, { channel: 'qr' })];
    const later = bookAfter(plan, [
      [CUTS[0], items],
      [CUTS[1], more],
    ]);
    expect(amounts(later)).toEqual([5_000, 10_000]);
  });

  test('contain a credit, its return and a second credit of a returned payout, each on a later working day', () => {
    const book = bookAfter(planOf({ deviations: { returnedPpm: ALWAYS } }), [
      ['2026-03-18 16:00', [anItem('a', 1_000)]],
    ]);
    expect(amounts(book)).toEqual([1_000, -1_000, 1_000]);
    const [credit, returned, again] = book.lines;
    expect(returned?.cause).toEqual({
      kind: 'payout_returned',
      payoutIds: [idOf(book, 0)],
      returnsLineId: credit?.lineId,
    });
    expect(again?.cause).toMatchObject({ kind: 'payout_paid_again', returnsLineId: credit?.lineId });
    const days = book.lines.map(({ bookingDate }) => bookingDate);
    expect(new Set(days).size).toBe(3);
    expect(days).toEqual([...days].sort());
    expect(days).not.toContain('2026-03-20');
  });

  test('may contain unrelated credits that no pattern takes for a payout', () => {
    const deviations = { unrelatedCreditPpm: ALWAYS, unrelatedDebitPpm: ALWAYS };
    const { lines } = threeCuts({ deviations });
    const unrelated = lines.filter(({ cause }) => cause.kind === 'unrelated');
    expect(unrelated.map(({ amountMillimes }) => Math.sign(amountMillimes))).toEqual([1, -1, 1, -1, 1, -1]);
    expect(unrelated.some(({ remittance }) => remittance.includes('SERVICE DE PAIEMENT'))).toBe(false);
    expect(lines.length - unrelated.length).toBe(3);
  });

  test('stay the same for a payout when another deviation is enabled', () => {
    const plain = threeCuts({});
    const noisy = threeCuts({ deviations: { unrelatedCreditPpm: ALWAYS } });
    expect(noisy.lines.filter(({ cause }) => cause.kind === 'payout')).toEqual(plain.lines);
  });
});
