import { addToGroup } from '../../../src/kernel';
import type { World } from '../world';
import { hasOtherExplanation } from './other-explanation';
import type { PayoutCase } from './payout-case';
import { payoutCases } from './payout-cases';

/**
 * Returns the credits that an ideal reader of the files resolves; none in a guard. It knows the model, the fees, the calendar and the
 * cuts around the credit, and finds exactly one explanation. It shares no code with the engine; docs/EVALUATION.md has
 * the full definition.
 */
export function resolvableLines(world: World): ReadonlySet<string> {
  if (world.isGuard) return new Set();
  const cases = payoutCases(world);
  const open = new Set([
    ...(world.truth.model === 'per-item' ? twins(cases) : undecided(cases)),
    ...equalCredits(world, cases),
  ]);
  return new Set(cases.map(({ lineId }) => lineId).filter((lineId) => !open.has(lineId)));
}

/** An item that may also be in the next payout leaves the next payout undecided, too. */
function undecided(cases: readonly PayoutCase[]): string[] {
  return cases.filter(hasOtherExplanation).flatMap(({ lineId, nextLineIds }) => [lineId, ...nextLineIds]);
}

/** In the model of single items, two items of equal net amount in one cut make two indistinguishable credits. */
function twins(cases: readonly PayoutCase[]): string[] {
  // By id: a returned payout has two credits, but they are not twins of each other.
  const equals = new Map<string, Set<string>>();
  const paidBy = (of: PayoutCase): { readonly itemId: string; readonly key: string }[] =>
    of.candidates
      .filter(({ isPaid }) => isPaid)
      .map(({ itemId, netMillimes }) => ({ itemId, key: `${of.cutAt}:${netMillimes}` }));
  for (const { itemId, key } of cases.flatMap(paidBy)) equals.set(key, (equals.get(key) ?? new Set()).add(itemId));
  const hasTwin = (of: PayoutCase): boolean => paidBy(of).some(({ key }) => (equals.get(key)?.size ?? 0) > 1);
  return cases.filter(hasTwin).map(({ lineId }) => lineId);
}

/** Two payouts of one amount that the bank booked on one day may be either credit. */
function equalCredits({ files }: World, cases: readonly PayoutCase[]): string[] {
  const whole = new Set(cases.map(({ lineId }) => lineId));
  const equals = new Map<string, string[]>();
  for (const { lineId, bookingDate, amount } of files.lines) {
    if (whole.has(lineId)) addToGroup(equals, `${bookingDate}:${amount}`, lineId);
  }
  return [...equals.values()].filter((lineIds) => lineIds.length > 1).flat();
}
