import { type Millimes, millimes } from '../../../src/kernel';
import { type PayableItem, type PayoutPlan, priceItems } from '../../../src/simulator';
import type { TrueLine } from '../world';
import type { MadeLine } from './make-lines';
import type { Period } from './period';
import type { CutPayout } from './planned-cuts';

export interface TrueLinesRequest {
  readonly period: Period;
  readonly payoutPlan: PayoutPlan;
  readonly payouts: readonly CutPayout[];
  /** The items that the files list, by id. */
  readonly known: ReadonlyMap<string, PayableItem>;
}

/** Returns the truth of each line in terms of the listed items. Both parts of a split show the whole payout. */
export function trueLines(lines: readonly MadeLine[], request: TrueLinesRequest): TrueLine[] {
  const charged = new Map(request.payouts.flatMap((payout) => payout.lines.map((line) => [line.itemId, line])));
  return lines.map(({ line, kind, payouts }): TrueLine => {
    const parts = payouts.map((payout) => {
      const items = payout.lines.flatMap(({ itemId }) => request.known.get(itemId) ?? []);
      const terms = { plan: request.payoutPlan, day: request.period.dateOf(payout.cutAt) };
      return { items, priced: priceItems(items, { ...terms, feeCharged: (itemId) => charged.get(itemId) }) };
    });
    const net = sum(parts.map(({ priced }) => priced.netMillimes));
    const size = line.amount < 0 ? -line.amount : line.amount;
    return {
      lineId: line.lineId,
      kind,
      itemIds: withoutPairs(parts.flatMap(({ items }) => items)),
      unknownMillimes: kind === 'split' ? 0 : size - net,
      feeMillimes: sum(parts.map(({ priced }) => priced.feeMillimes)),
      tvaMillimes: sum(parts.map(({ priced }) => priced.tvaMillimes)),
      cuts: payouts.map(({ stream, cutAt }) => ({ stream, cutAt })),
    };
  });
}

/** Two payouts in one credit may contain a payment and its clawback. */
function withoutPairs(items: readonly PayableItem[]): string[] {
  const ids = new Set(items.map(({ itemId }) => itemId));
  for (const { itemId, refundOf } of items) {
    if (refundOf === undefined || !ids.has(refundOf)) continue;
    ids.delete(refundOf);
    ids.delete(itemId);
  }
  return [...ids].sort();
}

function sum(amounts: readonly Millimes[]): Millimes {
  return millimes(amounts.reduce<number>((total, amount) => total + amount, 0));
}
