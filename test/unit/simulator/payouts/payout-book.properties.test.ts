// Goal: no item is ever paid twice, no millime appears or is lost, and a seed repeats the whole sequence.
// Method: random items and refunds over three weeks of cuts, under every model, with fees and all deviations.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { businessDate, millimes, ZERO_MILLIMES } from '../../../../src/kernel';
import { createSeededRandom, type PayoutPlan } from '../../../../src/simulator';
import { type PayableItem, PAYOUT_CHANNELS, sumMillimes } from '../../../../src/simulator/payouts/payable-item';
import { PAYOUT_MODELS } from '../../../../src/simulator/payouts/payout-model';
import {
  bankStatement,
  EMPTY_PAYOUT_BOOK,
  nextCutAfter,
  type PayoutBook,
  payoutTruth,
  takeCut,
  truthJson,
} from '../../../../src/simulator/testing';
import { sized } from '../../../support/faults';
import { at, BANK_DAYS, planOf } from './pack';

fc.configureGlobal({ numRuns: sized({ short: 25, full: 100 }) });

const FIRST = at('2026-03-02 08:00');
const MS_PER_MINUTE = 60_000;
const CUTS = 15;
const LAST_ITEM_MINUTE = 18 * 24 * 60;
const AMOUNT_MAX = 10_000_000_000;
const OPENING = millimes(-5_000);

interface Story {
  readonly plan: PayoutPlan;
  readonly items: readonly PayableItem[];
  readonly seed: number;
}

const aRate = fc.constantFrom(0, 100_000, 500_000, 1_000_000);

const aPlan = fc
  .record({
    model: fc.constantFrom(...PAYOUT_MODELS),
    clawbackFee: fc.constantFrom('kept', 'returned'),
    minimumMillimes: fc.constantFrom(0, 5_000_000_000),
    transferLagWorkingDays: fc.integer({ min: 0, max: 2 }),
    fees: fc.subarray([...PAYOUT_CHANNELS]).chain((channels) =>
      fc.tuple(
        ...channels.map((channel) =>
          fc.record({
            channel: fc.constant(channel),
            rate_ppm: fc.integer({ min: 0, max: 60_000 }),
            fixed_millimes: fc.constantFrom(0, 10, 500),
            tva_ppm: fc.constantFrom(0, 70_000, 190_000),
            rounding: fc.constantFrom('half_up', 'half_down', 'half_even'),
            basis: fc.constantFrom('item', 'payout'),
          }),
        ),
      ),
    ),
    deviations: fc.record({
      heldBackPpm: aRate,
      splitPpm: aRate,
      joinedPpm: aRate,
      returnedPpm: aRate,
      unrelatedCreditPpm: aRate,
      unrelatedDebitPpm: aRate,
    }),
  })
  .map(planOf);

const someItems = fc
  .array(
    fc.record({
      channel: fc.constantFrom(...PAYOUT_CHANNELS),
      amount: fc.noBias(fc.integer({ min: 1, max: AMOUNT_MAX })),
      minute: fc.integer({ min: 0, max: LAST_ITEM_MINUTE }),
      refundAfterMinutes: fc.option(fc.integer({ min: 0, max: 3 * 24 * 60 }), { nil: undefined, freq: 2 }),
    }),
    { maxLength: 25 },
  )
  .map((payments) =>
    payments.flatMap(({ channel, amount, minute, refundAfterMinutes }, index): PayableItem[] => {
      const succeededAt = FIRST + minute * MS_PER_MINUTE;
      const availableAt = channel === 'card' ? succeededAt + 24 * 60 * MS_PER_MINUTE : succeededAt;
      const payment = {
        itemId: `payment:${index}`,
        channel,
        amountMillimes: millimes(amount),
        succeededAt,
        availableAt,
      };
      if (refundAfterMinutes === undefined) return [payment];
      const refundedAt = succeededAt + refundAfterMinutes * MS_PER_MINUTE;
      const refund = {
        itemId: `refund:${index}`,
        channel,
        amountMillimes: millimes(-amount),
        succeededAt: refundedAt,
        availableAt: refundedAt,
        refundOf: payment.itemId,
      };
      return [payment, refund];
    }),
  );

const aStory: fc.Arbitrary<Story> = fc.record({ plan: aPlan, items: someItems, seed: fc.nat() });

/** The book after three weeks of cuts. All items are known from the start; most are not available yet. */
function played({ plan, items, seed }: Story): PayoutBook {
  const random = createSeededRandom(seed);
  let book: PayoutBook = { ...EMPTY_PAYOUT_BOOK, open: items };
  let cutAt = FIRST;
  for (let cut = 0; cut < CUTS; cut += 1) {
    cutAt = nextCutAfter(cutAt, plan, BANK_DAYS);
    book = takeCut(book, { plan, cutAt, bankDays: BANK_DAYS, random });
  }
  return book;
}

const sumOf = (amounts: readonly number[]): number => sumMillimes(amounts.map(millimes));
const paidIds = ({ payouts }: PayoutBook): string[] =>
  payouts.flatMap(({ lines }) => lines.map(({ itemId }) => itemId));

describe('Three weeks of payouts', () => {
  test('have each item exactly once: in one payout, open, or cancelled with its refund', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        const book = played(story);
        const found = [...paidIds(book), ...[...book.open, ...book.cancelled].map(({ itemId }) => itemId)];
        expect(found.sort()).toEqual(story.items.map(({ itemId }) => itemId).sort());
        expect(sumOf(book.cancelled.map(({ amountMillimes }) => amountMillimes))).toBe(ZERO_MILLIMES);
      }),
    );
  });

  test('transfer gross less fees and TVA, always more than zero', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        const amountOf = new Map(story.items.map(({ itemId, amountMillimes }) => [itemId, amountMillimes]));
        for (const payout of played(story).payouts) {
          const gross = sumOf(payout.lines.map(({ itemId }) => amountOf.get(itemId) ?? Number.NaN));
          expect(payout.grossMillimes).toBe(gross);
          expect(payout.netMillimes).toBe(gross - payout.feeMillimes - payout.tvaMillimes);
          expect(payout.netMillimes).toBeGreaterThan(0);
          expect(payout.netMillimes).toBeGreaterThanOrEqual(story.plan.minimumMillimes);
        }
      }),
    );
  });

  test('contain no item before it is available', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        const availableAt = new Map(story.items.map((item) => [item.itemId, item.availableAt]));
        for (const { lines, cutAt, transferAt } of played(story).payouts) {
          expect(transferAt).toBeGreaterThanOrEqual(cutAt);
          for (const { itemId } of lines) expect(availableAt.get(itemId)).toBeLessThanOrEqual(cutAt);
        }
      }),
    );
  });

  test('put every transfer that is due on the statement, and the balances agree', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        const { payouts, waiting, lines } = played(story);
        const nets = sumOf(payouts.map(({ netMillimes }) => netMillimes));
        const waits = sumOf(waiting.map(({ netMillimes }) => netMillimes));
        const related = lines.filter(({ cause }) => cause.kind !== 'unrelated');
        expect(sumOf(related.map(({ amountMillimes }) => amountMillimes)) + waits).toBe(nets);
        expect(lines.every(({ amountMillimes }) => amountMillimes !== 0)).toBe(true);

        const [from, through] = [businessDate('2026-03-01'), businessDate('2026-06-30')];
        const whole = bankStatement({ account: 'x', accountOpeningMillimes: OPENING, lines, from, through });
        expect(whole.closingMillimes - whole.openingMillimes).toBe(
          sumOf(lines.map(({ amountMillimes }) => amountMillimes)),
        );
        expect(whole.lines).toHaveLength(lines.length);
      }),
    );
  });

  test('end with every due payout reported as paid', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        const book = played(story);
        const truth = payoutTruth(book, { through: businessDate('2026-06-30'), asOf: at('2026-06-30 12:00') });
        const waits = new Set(book.waiting.map(({ payoutId }) => payoutId));
        for (const { state, payout_id: payoutId } of truth.items) {
          if (payoutId !== undefined) expect(state).toBe(waits.has(payoutId) ? 'in_payout' : 'paid');
        }
        expect(truth.items).toHaveLength(story.items.length);
      }),
    );
  });

  test('are equal for the same seed, in any order of the items', () => {
    fc.assert(
      fc.property(
        aStory.chain((story) =>
          fc.record({
            story: fc.constant(story),
            shuffled: fc.shuffledSubarray([...story.items], { minLength: story.items.length }),
          }),
        ),
        ({ story, shuffled }) => {
          const truth = (items: readonly PayableItem[]): string =>
            truthJson(
              payoutTruth(played({ ...story, items }), {
                through: businessDate('2026-06-30'),
                asOf: at('2026-03-20 12:00'),
              }),
            );
          expect(truth(shuffled)).toBe(truth(story.items));
        },
      ),
    );
  });

  test('are equal if the book is saved as JSON and loaded between two cuts', () => {
    fc.assert(
      fc.property(aStory, ({ plan, items, seed }) => {
        const request = { plan, bankDays: BANK_DAYS, random: createSeededRandom(seed) };
        const [first, second] = [at('2026-03-10 16:00'), at('2026-03-16 16:00')];
        const book = takeCut({ ...EMPTY_PAYOUT_BOOK, open: items }, { ...request, cutAt: first });
        const loaded: PayoutBook = JSON.parse(JSON.stringify(book));
        expect(takeCut(loaded, { ...request, cutAt: second })).toEqual(takeCut(book, { ...request, cutAt: second }));
      }),
    );
  });
});
