import { assert, type Millimes, toMillimes, unreachable, ZERO_MILLIMES } from '../../kernel';
import type { FeeRounding, FeeRule } from './fee-schedule';

/** The gateway's fee, and the tax on it. Negative when it is refunded. */
export interface Fee {
  readonly feeMillimes: Millimes;
  readonly tvaMillimes: Millimes;
}

export const NO_FEE: Fee = { feeMillimes: ZERO_MILLIMES, tvaMillimes: ZERO_MILLIMES };

/** The terms of a fee rule, without its channel and first day. */
export type FeeTerms = Pick<FeeRule, 'ratePpm' | 'fixedMillimes' | 'tvaPpm' | 'rounding'>;

const PPM = 1_000_000n;

/**
 * Returns the fee on a positive amount: rate and fixed part together, rounded once to the millime. TVA applies to the
 * rounded fee and is rounded the same way.
 */
export function feeOf(amount: Millimes, terms: FeeTerms): Fee {
  assert(amount > 0, 'a fee is on what is paid, not on what is taken back');
  const exact = BigInt(amount) * BigInt(terms.ratePpm) + BigInt(terms.fixedMillimes) * PPM;
  const fee = roundedPpm(exact, terms.rounding);
  const tva = roundedPpm(fee * BigInt(terms.tvaPpm), terms.rounding);
  return { feeMillimes: toMillimes(fee), tvaMillimes: toMillimes(tva) };
}

/** Rounds a non-negative number of millionths to whole millimes. */
function roundedPpm(millionths: bigint, rounding: FeeRounding): bigint {
  const whole = millionths / PPM;
  const twice = (millionths % PPM) * 2n;
  if (twice !== PPM) return twice > PPM ? whole + 1n : whole;
  switch (rounding) {
    case 'half_up':
      return whole + 1n;
    case 'half_down':
      return whole;
    case 'half_even':
      return whole + (whole % 2n);
    default:
      return unreachable(rounding);
  }
}
