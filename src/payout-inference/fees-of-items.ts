import { feeOn, feeRuleOn, termsKey, type FeeTerms } from './fee-terms';
import type { Explanation, ModelAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';

export interface PayoutFees {
  readonly gross: number;
  readonly fee: number;
  readonly tva: number;
}

/** Gross, fee and TVA of the items that a credit paid, under the rules of the day of its cut. */
export function feesOfItems(
  file: PreparedFile,
  answer: ModelAnswer | undefined,
  { items, cutFrom }: Explanation,
  amount: number,
): PayoutFees {
  const rules = answer?.supposition.fees.rules ?? [];
  const isReturned = answer?.supposition.fees.clawback === 'returned';
  const date = file.grid.dateOf(file.grid.dayOf(cutFrom));
  const perPayout = new Map<string, { terms: FeeTerms; sum: number }>();
  let gross = 0;
  let fee = 0;
  let tva = 0;
  for (const index of items) {
    const item = file.request.items[index];
    if (item === undefined) continue;
    gross += item.amount;
    const rule = feeRuleOn(rules, item.channel, date);
    if (rule === undefined) continue;
    if (rule.basis === 'item' && (item.amount > 0 || isReturned)) {
      const of = feeOn(Math.abs(item.amount), rule);
      fee += item.amount > 0 ? of.fee : -of.fee;
      tva += item.amount > 0 ? of.tva : -of.tva;
    } else if (rule.basis === 'payout' && item.amount > 0) {
      const group = perPayout.get(termsKey(rule)) ?? { terms: rule, sum: 0 };
      group.sum += item.amount;
      perPayout.set(termsKey(rule), group);
    }
  }
  for (const { terms, sum } of perPayout.values()) {
    const of = feeOn(sum, terms);
    fee += of.fee;
    tva += of.tva;
  }
  // A change of terms inside a stretch may put the cut on either day: what is left of the credit is fee then.
  return { gross, fee: gross - amount - tva, tva: fee + tva === gross - amount ? tva : 0 };
}
