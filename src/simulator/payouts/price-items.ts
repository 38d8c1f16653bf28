import { type BusinessDate, millimes, negateMillimes } from '../../kernel';
import { type Fee, feeOf, NO_FEE } from './fee-of';
import { type FeeRule, feeRuleOn } from './fee-schedule';
import { type PayableItem, sumMillimes } from './payable-item';
import type { PayoutLine, PayoutSums } from './payout';
import type { PayoutPlan } from './payout-plan';

export interface PricingTerms {
  readonly plan: PayoutPlan;
  /** The business day of the cut, which selects the fee rule. */
  readonly day: BusinessDate;
  /** Returns the fee that an earlier payout deducted for an item; undefined if none paid it. */
  readonly feeCharged: (itemId: string) => Fee | undefined;
}

export interface PricedItems extends PayoutSums {
  readonly lines: readonly PayoutLine[];
}

/** Computes the transfer of these items, after fees and TVA. */
export function priceItems(items: readonly PayableItem[], terms: PricingTerms): PricedItems {
  const lines = items.map((item): PayoutLine => ({
    itemId: item.itemId,
    channel: item.channel,
    amountMillimes: item.amountMillimes,
    ...feeOnItem(item, terms),
  }));
  const fees = [...lines, ...feesOnPayout(items, terms)];
  const grossMillimes = sumMillimes(items.map(({ amountMillimes }) => amountMillimes));
  const feeMillimes = sumMillimes(fees.map((fee) => fee.feeMillimes));
  const tvaMillimes = sumMillimes(fees.map((fee) => fee.tvaMillimes));
  const netMillimes = millimes(grossMillimes - feeMillimes - tvaMillimes);
  return { lines, grossMillimes, feeMillimes, tvaMillimes, netMillimes };
}

function feeOnItem(item: PayableItem, terms: PricingTerms): Fee {
  if (item.amountMillimes <= 0) return feeOnClawback(item, terms);
  const rule = ruleFor(item, terms);
  return rule?.basis === 'item' ? feeOf(item.amountMillimes, rule) : NO_FEE;
}

/**
 * Returns the refunded fee: the amount that was charged, whatever the rule is now. A fee on a whole payout is never
 * refunded.
 */
function feeOnClawback({ refundOf }: PayableItem, { plan, feeCharged }: PricingTerms): Fee {
  const charged = plan.clawbackFee === 'returned' && refundOf !== undefined ? feeCharged(refundOf) : undefined;
  if (charged === undefined) return NO_FEE;
  return { feeMillimes: negateMillimes(charged.feeMillimes), tvaMillimes: negateMillimes(charged.tvaMillimes) };
}

/**
 * Computes fees on the whole payout. Channels with the same terms share one fee: its fixed part is charged once, and it
 * is rounded once.
 */
function feesOnPayout(items: readonly PayableItem[], terms: PricingTerms): Fee[] {
  const groups = new Map<string, { rule: FeeRule; items: PayableItem[] }>();
  for (const item of items) {
    const rule = item.amountMillimes > 0 ? ruleFor(item, terms) : undefined;
    if (rule?.basis !== 'payout') continue;
    const key = [rule.ratePpm, rule.fixedMillimes, rule.tvaPpm, rule.rounding].join();
    const group = groups.get(key) ?? { rule, items: [] };
    group.items.push(item);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) =>
    feeOf(sumMillimes(group.items.map(({ amountMillimes }) => amountMillimes)), group.rule),
  );
}

function ruleFor({ channel }: PayableItem, { plan, day }: PricingTerms): FeeRule | undefined {
  return feeRuleOn(plan.fees, { channel, day });
}
