import type { FeeTerms } from './fee-terms';

// The grid of terms: values that contracts usually have. Other terms must be given.
export const RATE_STEP_PPM = 500;
export const RATE_STEPS = 101;
export const FIXED_STEP = 10;
export const FIXED_STEPS = 101;
/** The usual one first. */
export const TVA_PPMS = [190_000, 70_000, 130_000, 0] as const;
export const PPM = 1_000_000;

/** The number of terms, without roundings. */
export const GRID_SIZE = RATE_STEPS * FIXED_STEPS * TVA_PPMS.length;

const USUAL_FIXED_STEP = 50;

/** Terms without rate and rounding. */
export type Base = Pick<FeeTerms, 'tvaPpm' | 'fixedMillimes'>;

/** Terms without rounding. */
export type Unrounded = Omit<FeeTerms, 'rounding'>;

/** What the gateway kept of a run of items. */
export interface Kept {
  readonly kept: number;
  /** The sum of the amounts with a fee. */
  readonly positive: number;
  /** The number of these amounts, less the number of fees given back. */
  readonly count: number;
  /** The number of fees that were rounded. */
  readonly rounded: number;
}

/** The grid in parts: the usual TVA and a fixed part that is usual come first. */
export const GRID_PARTS: readonly (readonly Base[])[] = partsOfGrid();

function partsOfGrid(): Base[][] {
  const parts: [Base[], Base[], Base[], Base[]] = [[], [], [], []];
  for (const tvaPpm of TVA_PPMS) {
    for (let step = 0; step < FIXED_STEPS; step += 1) {
      const fixedMillimes = step * FIXED_STEP;
      const isUsual = fixedMillimes % USUAL_FIXED_STEP === 0;
      if (tvaPpm === TVA_PPMS[0]) parts[isUsual ? 0 : 1].push({ tvaPpm, fixedMillimes });
      else parts[isUsual ? 2 : 3].push({ tvaPpm, fixedMillimes });
    }
  }
  return parts;
}

/** Returns the highest fee of the grid on a sum of amounts, with TVA and a margin for rounding. */
export function feeMax(positive: number, count: number): number {
  const fee = (positive * RATE_STEP_PPM * (RATE_STEPS - 1)) / PPM + FIXED_STEP * (FIXED_STEPS - 1) * count;
  return Math.ceil((fee * (PPM + TVA_PPMS[0])) / PPM) + 2 * count;
}

/** Adds the terms of a part of the grid that may keep this amount of a run, whatever the rounding. */
export function termsNear(part: readonly Base[], { kept, positive, count, rounded }: Kept, found: Unrounded[]): void {
  for (const { tvaPpm, fixedMillimes } of part) {
    const withTva = 1 + tvaPpm / PPM;
    const fixed = fixedMillimes * count;
    const { below, above } = roundedBy(withTva, rounded);
    const low = ((kept - above) / withTva - fixed) / positive;
    const high = ((kept + below) / withTva - fixed) / positive;
    const first = Math.max(0, Math.ceil((low * PPM) / RATE_STEP_PPM));
    const last = Math.min(RATE_STEPS - 1, Math.floor((high * PPM) / RATE_STEP_PPM));
    for (let step = first; step <= last; step += 1) {
      if (step > 0 || fixedMillimes > 0) found.push({ ratePpm: step * RATE_STEP_PPM, fixedMillimes, tvaPpm });
    }
  }
}

/** Returns by how much all roundings of fees and TVA together may lower and raise what is kept. */
export function roundedBy(withTva: number, rounded: number): { readonly below: number; readonly above: number } {
  // A fee that is rounded down loses less than one millime, and so does its TVA; otherwise half a millime.
  const each = withTva + 1;
  return { below: each * rounded, above: (each / 2) * rounded };
}
