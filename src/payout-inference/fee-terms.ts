import type { FeeRounding, FeeRule } from './match-request';

/** The terms of a fee, without its channel and its days. */
export interface FeeTerms {
  readonly ratePpm: number;
  readonly fixedMillimes: number;
  readonly tvaPpm: number;
  readonly rounding: FeeRounding;
}

export interface Fee {
  readonly fee: number;
  readonly tva: number;
}

const PPM = 1_000_000;
const SAFE = Number.MAX_SAFE_INTEGER;

/**
 * Returns the fee on a positive amount, rounded once to the millime, and the TVA on the rounded fee, rounded the same
 * way.
 */
export function feeOn(amount: number, terms: FeeTerms): Fee {
  const fee = partOf(amount, terms.ratePpm, terms.rounding, terms.fixedMillimes);
  return { fee, tva: partOf(fee, terms.tvaPpm, terms.rounding, 0) };
}

/** Returns fee and TVA of `feeOn` as one number. It creates no object, because it is called for millions of amounts. */
export function keptOf(amount: number, { ratePpm, fixedMillimes, tvaPpm, rounding }: FeeTerms): number {
  const fee = partOf(amount, ratePpm, rounding, fixedMillimes);
  return fee + partOf(fee, tvaPpm, rounding, 0);
}

/** Returns `amount * ppm / 1,000,000 + whole`, computed exactly and rounded to an integer. */
function partOf(amount: number, ppm: number, rounding: FeeRounding, whole: number): number {
  if (ppm === 0) return whole;
  const product = amount * ppm;
  if (product > SAFE) return bigPartOf(amount, ppm, rounding, whole);
  // The remainder of large numbers is slow. Below 2^53 the quotient is never rounded up to the next integer.
  const quotient = Math.floor(product / PPM);
  const below = quotient + whole;
  return below + roundUp((product - quotient * PPM) * 2, below, rounding);
}

function bigPartOf(amount: number, ppm: number, rounding: FeeRounding, whole: number): number {
  const product = BigInt(amount) * BigInt(ppm);
  const below = Number(product / BigInt(PPM)) + whole;
  return below + roundUp(Number(product % BigInt(PPM)) * 2, below, rounding);
}

function roundUp(twiceRest: number, below: number, rounding: FeeRounding): 0 | 1 {
  if (rounding === 'down') return 0;
  if (twiceRest !== PPM) return twiceRest > PPM ? 1 : 0;
  if (rounding === 'half_up') return 1;
  return rounding === 'half_even' && below % 2 !== 0 ? 1 : 0;
}

/** Returns the rule of a channel on a day: the latest one that has begun. Without a rule the channel has no fee. */
export function feeRuleOn(rules: readonly FeeRule[], channel: string, date: string): FeeRule | undefined {
  let found: FeeRule | undefined;
  for (const rule of rules) {
    if (rule.channel !== channel || (rule.from ?? '') > date) continue;
    if (found === undefined || (found.from ?? '') <= (rule.from ?? '')) found = rule;
  }
  return found;
}

/** Returns a key of terms. Channels with the same terms share one fee on a payout. */
export function termsKey({ ratePpm, fixedMillimes, tvaPpm, rounding }: FeeTerms): string {
  return [ratePpm, fixedMillimes, tvaPpm, rounding].join();
}
