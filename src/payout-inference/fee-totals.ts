import { elementAt } from './at';
import { type FeeTerms, keptOf } from './fee-terms';
import { FEE_ROUNDINGS, type FeeRounding } from './match-request';

const PPM = 1_000_000;
/** Sums of fractions of a millime are floats. A smaller difference counts as equal. */
const ALMOST = 1e-3;
/** Up to this amount, its product with the rate is an exact integer. */
const EXACT_MAX = Number.MAX_SAFE_INTEGER / PPM;

/** The amounts of a run with a fee, and those whose fee is given back. */
export interface Charged {
  readonly paid: readonly number[];
  readonly back: readonly number[];
}

/**
 * Finds the terms that keep exactly a given amount of a run. Thousands of terms are tried on one run. The fees before
 * TVA are added up once for each rate; the exact TVA of each fee is computed only if the TVA on their sum is near.
 */
export class FeeTotals {
  readonly #charged: Charged;
  readonly #isExact: boolean;
  readonly #feesOf = new Map<number, readonly number[]>();
  #steps = 0;

  constructor(charged: Charged) {
    this.#charged = charged;
    this.#isExact = [...charged.paid, ...charged.back].every((amount) => amount <= EXACT_MAX);
  }

  /** The work so far: the number of computed amounts and answered questions. */
  get steps(): number {
    return this.#steps;
  }

  isKept(terms: FeeTerms, kept: number): boolean {
    const { paid, back } = this.#charged;
    this.#steps += 1;
    if (this.#isExact && !this.#isNear(terms, kept)) return false;
    this.#steps += paid.length + back.length;
    return total(paid, terms) - total(back, terms) === kept;
  }

  /** Returns false only if no rounding of the TVA can give the kept amount. */
  #isNear(terms: FeeTerms, kept: number): boolean {
    const { paid, back } = this.#charged;
    // A fixed part is even, so rounding to even gives the same result without it.
    const ofRate = elementAt(this.#feesAt(terms.ratePpm), FEE_ROUNDINGS.indexOf(terms.rounding));
    const fees = ofRate + terms.fixedMillimes * (paid.length - back.length);
    const tva = kept - fees;
    if (terms.tvaPpm === 0) return tva === 0;
    const { low, high } = this.#roundedBy(terms.rounding);
    const exact = (fees * terms.tvaPpm) / PPM;
    return tva >= exact + low - ALMOST && tva <= exact + high + ALMOST;
  }

  /** Returns, by rounding, the fees on all amounts at a rate, without fixed part and TVA. */
  #feesAt(ratePpm: number): readonly number[] {
    const known = this.#feesOf.get(ratePpm);
    if (known !== undefined) return known;
    const { paid, back } = this.#charged;
    this.#steps += paid.length + back.length;
    const ofPaid = partsOf(paid, ratePpm);
    const ofBack = partsOf(back, ratePpm);
    const fees = ofPaid.map((sum, place) => sum - elementAt(ofBack, place));
    this.#feesOf.set(ratePpm, fees);
    return fees;
  }

  /** Returns the most by which all roundings of TVA together can change its sum. */
  #roundedBy(rounding: FeeRounding): { readonly low: number; readonly high: number } {
    const { paid, back } = this.#charged;
    if (rounding === 'down') return { low: -paid.length, high: back.length };
    const halves = (paid.length + back.length) / 2;
    return { low: -halves, high: halves };
  }
}

/** Returns, by rounding, the sum of a share of each amount. */
function partsOf(amounts: readonly number[], ratePpm: number): number[] {
  const parts = { half_up: 0, half_down: 0, half_even: 0, down: 0 };
  for (const amount of amounts) {
    const product = amount * ratePpm;
    const below = Math.floor(product / PPM);
    const rest = product - below * PPM;
    parts.down += below;
    parts.half_down += rest * 2 > PPM ? below + 1 : below;
    parts.half_up += rest * 2 >= PPM ? below + 1 : below;
    parts.half_even += rest * 2 > PPM || (rest * 2 === PPM && below % 2 !== 0) ? below + 1 : below;
  }
  return FEE_ROUNDINGS.map((rounding) => parts[rounding]);
}

function total(amounts: readonly number[], terms: FeeTerms): number {
  let sum = 0;
  for (const amount of amounts) sum += keptOf(amount, terms);
  return sum;
}
