import { at, elementAt } from './at';
import type { DayGrid } from './day-grid';
import { feeOn, feeRuleOn, type FeeTerms, termsKey } from './fee-terms';
import { CHANNELS, type FeeRule } from './match-request';
import type { StreamItems } from './order-stream';

/** Whether the gateway returns the fee of an item that is refunded after its payout. */
export type ClawbackFee = 'kept' | 'returned';

/** A hypothesis about fees. */
export interface FeeHypothesis {
  readonly rules: readonly FeeRule[];
  readonly clawback: ClawbackFee;
}

/** The amounts of a stream's items in a payout while one set of rules applies. */
export interface Priced {
  /** The rules apply to cuts on days `[fromDay, toDay)`. */
  readonly fromDay: number;
  readonly toDay: number;
  /** The amount less the fee on the item; for a refund, the amount of the clawback. */
  readonly net: Float64Array;
  /**
   * Fees on the payout as a whole: the terms, and the group of each position (-1: none). Undefined without such rules.
   */
  readonly perPayout: { readonly terms: readonly FeeTerms[]; readonly group: Int8Array } | undefined;
}

/** Returns one entry for each stretch of days with the same rules, in order. */
export function priceStream(sequence: StreamItems, hypothesis: FeeHypothesis, grid: DayGrid): Priced[] {
  const changes = [...new Set(hypothesis.rules.flatMap(({ from }) => (from === undefined ? [] : [from])))].sort();
  const first = grid.dateOf(0);
  const last = grid.dateOf(grid.days - 1);
  const starts = [0, ...changes.filter((date) => date > first && date <= last).map((date) => grid.dayOfDate(date))];
  return starts.map((fromDay, index) => priceOn(sequence, hypothesis, grid, fromDay, starts[index + 1] ?? grid.days));
}

function priceOn(
  sequence: StreamItems,
  { rules, clawback }: FeeHypothesis,
  grid: DayGrid,
  fromDay: number,
  toDay: number,
): Priced {
  const date = grid.dateOf(fromDay);
  const ofChannel = CHANNELS.map((channel) => feeRuleOn(rules, channel, date));
  const net = sequence.amount.slice();
  if (ofChannel.some((rule) => rule?.basis === 'item')) {
    for (let position = 0; position < sequence.size; position += 1) {
      const rule = ofChannel[at(sequence.channel, position)];
      if (rule?.basis !== 'item') continue;
      const amount = at(sequence.amount, position);
      if (amount > 0) {
        const { fee, tva } = feeOn(amount, rule);
        net[position] = amount - fee - tva;
      } else if (clawback === 'returned') {
        const { fee, tva } = feeOn(-amount, rule);
        net[position] = amount + fee + tva;
      }
    }
  }
  return { fromDay, toDay, net, perPayout: perPayout(sequence, ofChannel) };
}

function perPayout(sequence: StreamItems, ofChannel: readonly (FeeRule | undefined)[]): Priced['perPayout'] {
  const terms = new Map<string, FeeRule>();
  for (const rule of ofChannel) if (rule?.basis === 'payout') terms.set(termsKey(rule), rule);
  if (terms.size === 0) return undefined;
  const keys = [...terms.keys()];
  const groupOf = ofChannel.map((rule) => (rule?.basis === 'payout' ? keys.indexOf(termsKey(rule)) : -1));
  const group = Int8Array.from(sequence.channel, (channel) => elementAt(groupOf, channel));
  return { terms: [...terms.values()], group };
}

/** Returns the fee of a payout as a whole, from the sums of its positive items. */
export function payoutFees(sums: Float64Array, terms: readonly FeeTerms[]): number {
  let total = 0;
  for (let group = 0; group < terms.length; group += 1) {
    const of = terms[group];
    const sum = at(sums, group);
    if (of === undefined || sum <= 0) continue;
    const { fee, tva } = feeOn(sum, of);
    total += fee + tva;
  }
  return total;
}
