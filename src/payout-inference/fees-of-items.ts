import type { BusinessDate } from '../kernel';
import { elementAt } from './at';
import { type Fee, feeOn, feeRuleOn, type FeeTerms, termsKey } from './fee-terms';
import type { FeeRule, Item } from './match-request';
import type { Explanation, ModelAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';
import type { FeeHypothesis } from './price-stream';

const PPM = 1_000_000;

/** The items that a payout paid, and the bounds of its cut. */
type PaidRun = Pick<Explanation, 'items' | 'cutFrom' | 'cutTo'>;

export interface PayoutFees {
  readonly gross: number;
  readonly fee: number;
  readonly tva: number;
}

/**
 * Returns gross, fee and TVA of the items that a credit paid, under the rules of the day of its cut: gross less fee and
 * TVA is the amount. If the terms change at the cut, the day whose rules fit is used.
 */
export function feesOfItems(file: PreparedFile, answer: ModelAnswer, run: PaidRun, amount: number): PayoutFees {
  const { gross, known } = knownFees(file, answer, run);
  const kept = gross - amount;
  const fitting = known.find(({ fee, tva }) => fee + tva === kept);
  if (fitting !== undefined) return { gross, ...fitting };
  const { fee, tva } = elementAt(known, 0);
  const withRest = tva + tvaIn(kept - fee - tva, answer.hypothesis.fees.rules);
  return { gross, fee: kept - withRest, tva: withRest };
}

/** Returns gross, fee and TVA of items under the rules of the day of their cut, whatever the credit's amount is. */
export function feesByTerms(file: PreparedFile, answer: ModelAnswer, run: PaidRun): PayoutFees {
  const { gross, known } = knownFees(file, answer, run);
  return { gross, ...elementAt(known, 0) };
}

function knownFees(
  file: PreparedFile,
  answer: ModelAnswer,
  { items, cutFrom, cutTo }: PaidRun,
): { readonly gross: number; readonly known: readonly Fee[] } {
  const paid = items.map((index) => elementAt(file.request.items, index));
  const days = new Set([cutFrom, cutTo].map((cut) => file.grid.dayOf(cut)));
  return {
    gross: paid.reduce((sum, item) => sum + item.amount, 0),
    known: [...days].map((day) => feesOn(paid, answer.hypothesis.fees, file.grid.dateOf(day))),
  };
}

/** Returns the TVA within a sum of fee and TVA, as on a payment whose refund came in the same credit. */
function tvaIn(keptTogether: number, rules: readonly FeeRule[]): number {
  const [tvaPpm, ...others] = [...new Set(rules.map((rule) => rule.tvaPpm))];
  return tvaPpm === undefined || others.length > 0 ? 0 : Math.round((keptTogether * tvaPpm) / (PPM + tvaPpm));
}

function feesOn(items: readonly Item[], { rules, clawback }: FeeHypothesis, date: BusinessDate): Fee {
  const perPayout = new Map<string, { terms: FeeTerms; sum: number }>();
  let fee = 0;
  let tva = 0;
  for (const { channel, amount } of items) {
    const rule = feeRuleOn(rules, channel, date);
    if (rule === undefined) continue;
    if (rule.basis === 'item' && (amount > 0 || clawback === 'returned')) {
      const of = feeOn(Math.abs(amount), rule);
      fee += amount > 0 ? of.fee : -of.fee;
      tva += amount > 0 ? of.tva : -of.tva;
    } else if (rule.basis === 'payout' && amount > 0) {
      const group = perPayout.get(termsKey(rule)) ?? { terms: rule, sum: 0 };
      group.sum += amount;
      perPayout.set(termsKey(rule), group);
    }
  }
  for (const { terms, sum } of perPayout.values()) {
    const of = feeOn(sum, terms);
    fee += of.fee;
    tva += of.tva;
  }
  return { fee, tva };
}
