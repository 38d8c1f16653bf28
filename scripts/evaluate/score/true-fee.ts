import type { BusinessDate } from '../../../src/kernel';
import type { Channel, FeeRounding, FeeRule } from '../../../src/payout-inference';

const PPM = 1_000_000;

/** Returns fee and TVA together on a positive amount: both rounded to the millime, TVA on the rounded fee. */
export function feeWithTvaMillimes(amountMillimes: number, rule: FeeRule): number {
  const fee = roundedPpm(amountMillimes * rule.ratePpm + rule.fixedMillimes * PPM, rule.rounding);
  return fee + roundedPpm(fee * rule.tvaPpm, rule.rounding);
}

/** Returns the rule of a channel on a day: the latest one that has begun. */
export function feeRuleOf(rules: readonly FeeRule[], channel: Channel, day: BusinessDate): FeeRule | undefined {
  return rules
    .filter((rule) => rule.channel === channel && (rule.from ?? '') <= day)
    .sort((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
    .at(-1);
}

function roundedPpm(millionths: number, rounding: FeeRounding): number {
  const rest = millionths % PPM;
  const whole = (millionths - rest) / PPM;
  if (rest * 2 !== PPM) return rest * 2 > PPM ? whole + 1 : whole;
  if (rounding === 'half_up') return whole + 1;
  return rounding === 'half_down' ? whole : whole + (whole % 2);
}
