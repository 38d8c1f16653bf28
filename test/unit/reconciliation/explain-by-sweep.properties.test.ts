// Goal: no credit is ever matched to items that it did not pay.
// Method: weeks of sweeps whose truth is known, with and without credits that are missing, unrelated or look like others.
// Amounts come from a range so wide that two sums are equal only when the test made them so.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, businessDate, millimes, type BusinessDate } from '../../../src/kernel';
import {
  explainBySweep,
  type BankCredit,
  type OpenItem,
  type SweepResult,
} from '../../../src/reconciliation/sweep-all';
import { CONTEXT, itemIds, lineIds } from './sweep';

const FIRST_DAY = businessDate('2026-03-02');
const CUT_HOUR = 18;
const MS_PER_MINUTE = 60_000;
const AMOUNT_MAX = 10_000_000_000;

interface Payout {
  readonly credit: BankCredit;
  readonly items: readonly OpenItem[];
}

interface Month {
  readonly payouts: readonly Payout[];
}

// Without bias: fast-check likes small numbers, and of those two sums are often equal by chance, which is ambiguous.
const anAmount = fc.noBias(fc.integer({ min: 1, max: AMOUNT_MAX }));

/** For each day: items by the minute since the last cut, and how many working days the bank takes. */
const aMonth: fc.Arbitrary<Month> = fc
  .array(
    fc.record({
      items: fc.uniqueArray(fc.record({ minute: fc.integer({ min: 0, max: 1_439 }), amount: anAmount }), {
        selector: ({ minute }) => minute,
        maxLength: 6,
      }),
      lag: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((days) => ({
    payouts: days.flatMap(({ items, lag }, index) => {
      const day = addDays(FIRST_DAY, index);
      const opens = CONTEXT.calendar.startOf(addDays(day, -1)) + CUT_HOUR * 60 * MS_PER_MINUTE;
      const swept = items.map(({ minute, amount }): OpenItem => ({
        itemId: `${day}-${minute}`,
        amount: millimes(amount),
        availableAfter: undefined,
        availableUntil: opens + minute * MS_PER_MINUTE,
      }));
      if (swept.length === 0) return [];
      return [{ credit: creditOf(`payout-${day}`, bookedAfter(day, lag), sumOf(swept)), items: swept }];
    }),
  }));

const bookedAfter = (day: BusinessDate, lag: number): BusinessDate =>
  CONTEXT.workingDays.add(CONTEXT.workingDays.onOrAfter(day), lag);

const creditOf = (lineId: string, bookingDate: BusinessDate, amount: number): BankCredit => ({
  lineId,
  bookingDate,
  amount: millimes(amount),
});

const sumOf = (items: readonly OpenItem[]): number => items.reduce((sum, { amount }) => sum + amount, 0);
const itemsOf = ({ payouts }: Month): OpenItem[] => payouts.flatMap(({ items }) => items);

/** How many credits were resolved; fails on the first one that is not what truly happened. */
function rightMatches(month: Month, result: SweepResult): number {
  const truth = new Map(month.payouts.map(({ credit, items }) => [credit.lineId, itemIds(items).sort()]));
  for (const match of result.resolved) {
    expect([match.credit.lineId, itemIds(match.items).sort()]).toEqual([
      match.credit.lineId,
      truth.get(match.credit.lineId),
    ]);
  }
  return result.resolved.length;
}

/** Every credit has one outcome, and every item was paid once or is open. */
function expectComplete(result: SweepResult, items: readonly OpenItem[], credits: readonly BankCredit[]): void {
  const outcomes = [...result.resolved.map(({ credit }) => credit), ...result.ambiguous, ...result.unexplained];
  expect(lineIds(outcomes).sort()).toEqual(lineIds(credits).sort());
  const known = [...result.resolved.flatMap((match) => match.items), ...result.unpaid];
  expect(itemIds(known).sort()).toEqual(itemIds(items).sort());
}

type Disturbance =
  | { readonly kind: 'missing'; readonly at: number }
  | { readonly kind: 'unrelated'; readonly at: number; readonly amount: number }
  | { readonly kind: 'off_by_one'; readonly at: number }
  | { readonly kind: 'same_amount'; readonly at: number; readonly later: number }
  | { readonly kind: 'later_items'; readonly at: number };

const at = fc.nat({ max: 19 });
const aDisturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.record({ kind: fc.constant('missing' as const), at }),
  fc.record({ kind: fc.constant('unrelated' as const), at, amount: anAmount }),
  fc.record({ kind: fc.constant('off_by_one' as const), at }),
  fc.record({ kind: fc.constant('same_amount' as const), at, later: fc.integer({ min: -1, max: 3 }) }),
  fc.record({ kind: fc.constant('later_items' as const), at }),
);

/** The bank's credits after everything that can go wrong. A look-alike of a credit that is missing cannot be told from it. */
function disturbed({ payouts }: Month, disturbances: readonly Disturbance[]): BankCredit[] {
  const missing = new Set(disturbances.filter(({ kind }) => kind === 'missing').map((each) => each.at));
  const present = payouts.filter((_, index) => !missing.has(index));
  const more = disturbances.flatMap((disturbance, index): BankCredit[] => {
    const payout = payouts[disturbance.at];
    if (payout === undefined || missing.has(disturbance.at)) return [];
    const { bookingDate, amount } = payout.credit;
    const lineId = `${disturbance.kind}-${index}`;
    switch (disturbance.kind) {
      case 'missing':
        return [];
      case 'unrelated':
        return [creditOf(lineId, bookingDate, disturbance.amount)];
      case 'off_by_one':
        return [creditOf(lineId, bookingDate, amount + 1)];
      case 'same_amount':
        return [creditOf(lineId, addDays(bookingDate, disturbance.later), amount)];
      case 'later_items':
        return payout.items.length < 2 ? [] : [creditOf(lineId, bookingDate, sumOf(payout.items.slice(1)))];
    }
  });
  return [...present.map(({ credit }) => credit), ...more];
}

describe('sweeps of a month', () => {
  test('are all found when every credit is there', () => {
    fc.assert(
      fc.property(aMonth, (month) => {
        const credits = month.payouts.map(({ credit }) => credit);
        const result = explainBySweep(itemsOf(month), credits, CONTEXT);
        expect(rightMatches(month, result)).toBe(credits.length);
        expectComplete(result, itemsOf(month), credits);
      }),
      { numRuns: 300 },
    );
  });

  test('are never found wrongly, whatever is missing or looks alike', () => {
    let resolved = 0;
    let disturbedMonths = 0;
    fc.assert(
      fc.property(aMonth, fc.array(aDisturbance, { minLength: 1, maxLength: 6 }), (month, disturbances) => {
        const credits = disturbed(month, disturbances);
        const result = explainBySweep(itemsOf(month), credits, CONTEXT);
        resolved += rightMatches(month, result);
        if (result.resolved.length < month.payouts.length) disturbedMonths += 1;
        expectComplete(result, itemsOf(month), credits);
      }),
      { numRuns: 600 },
    );
    expect(resolved).toBeGreaterThan(300);
    expect(disturbedMonths).toBeGreaterThan(60);
  });

  test('are found alike in whatever order their items and credits are given', () => {
    const shuffled = aMonth.chain((month) => {
      const credits = month.payouts.map(({ credit }) => credit);
      return fc.record({
        month: fc.constant(month),
        disturbances: fc.array(aDisturbance, { maxLength: 4 }),
        order: fc.array(fc.nat(), { minLength: credits.length + 4, maxLength: credits.length + 4 }),
        items: fc.shuffledSubarray(itemsOf(month), { minLength: itemsOf(month).length }),
      });
    });
    fc.assert(
      fc.property(shuffled, ({ month, disturbances, order, items }) => {
        const credits = disturbed(month, disturbances);
        const reordered = credits
          .map((credit, index) => ({ credit, key: order[index] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ credit }) => credit);
        expect(explainBySweep(items, reordered, CONTEXT)).toEqual(explainBySweep(itemsOf(month), credits, CONTEXT));
      }),
      { numRuns: 300 },
    );
  });
});
