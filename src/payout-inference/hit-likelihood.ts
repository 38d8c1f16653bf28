import { at, elementAt } from './at';
import type { Chances, Credit } from './find-links';
import type { StreamItems } from './order-stream';
import type { Priced } from './price-stream';

const CHANCE_MIN = 1e-6;
const CLASSES = 4;
/** The weight of the last digits in hits: far less than one, so that the hits of the file outvote them. */
const DIGITS_WEIGHT = 0.25;

/** Sums are classified by their last four digits: most amounts are round, and so are their sums. */
const RESIDUES = 10_000;
const STARTS_SAMPLED = 200;
const SUMS_PER_START = 50;

/**
 * The probability that a run that passes an amount meets it, from the sizes of the items and the last digits of their
 * sums.
 */
export type ChanceOfAmount = (amount: number) => number;

export function chanceByDigits(sequence: StreamItems, priced: readonly Priced[]): ChanceOfAmount {
  const { net } = elementAt(priced, 0);
  const counts = new Map<number, number>();
  const stride = Math.max(1, Math.floor(sequence.size / STARTS_SAMPLED));
  let sums = 0;
  let stepped = 0;
  let steps = 0;
  for (let start = 0; start < sequence.size; start += stride) {
    let sum = 0;
    let before = 0;
    let taken = 0;
    for (let position = start; position < sequence.size && taken < SUMS_PER_START; position += 1) {
      sum += at(net, position);
      if (sequence.isBoundary[position + 1] === 0) continue;
      const residue = ((sum % RESIDUES) + RESIDUES) % RESIDUES;
      counts.set(residue, (counts.get(residue) ?? 0) + 1);
      stepped += Math.abs(sum - before);
      before = sum;
      steps += 1;
      taken += 1;
      sums += 1;
    }
  }
  const step = Math.max(1, stepped / Math.max(1, steps));
  const kinds = Math.max(1, counts.size);
  return (amount) => {
    const share = ((counts.get(amount % RESIDUES) ?? 0) + 1) / (sums + kinds);
    return Math.min(1, Math.max(CHANCE_MIN, (share * RESIDUES) / step));
  };
}

/**
 * Returns the likelihood ratio of a hit on a credit's amount: the number of runs that passed it for each one that met
 * it by chance. Explained hits are not chance. One credit alone is weak evidence, so credits of the same kind, and then
 * the last digits, serve as a prior.
 */
export function hitLikelihoodRatio(
  { passed, met }: Chances,
  credits: readonly Credit[],
  explained: Float64Array,
  chanceOfAmount: ChanceOfAmount,
): (credit: Credit) => number {
  const pooled = Array.from({ length: CLASSES }, () => ({ passed: 0, chance: 0 }));
  const chanceOf = (index: number): number => Math.max(0, at(met, index) - Math.min(1, at(explained, index)));
  for (const { index, amount } of credits) {
    const pool = pooled[classOf(amount)];
    if (pool === undefined) continue;
    pool.passed += at(passed, index);
    pool.chance += chanceOf(index);
  }
  return ({ index, amount }) => {
    const pool = elementAt(pooled, classOf(amount));
    const ofPool = (pool.passed + DIGITS_WEIGHT / chanceOfAmount(amount)) / (pool.chance + DIGITS_WEIGHT);
    const ratio = (at(passed, index) + ofPool) / (chanceOf(index) + 1);
    return Math.max(1, ratio);
  };
}

/** Returns the class of an amount. Amounts with equally many trailing zeros are met by chance about equally often. */
function classOf(amount: number): number {
  if (amount % 1_000 === 0) return 0;
  if (amount % 100 === 0) return 1;
  return amount % 10 === 0 ? 2 : 3;
}
