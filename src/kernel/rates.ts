const PPM_PER_PERCENT = 10_000;
const PPM = 1_000_000;
/** Enough for parts per million, and fewer than the errors of a product. */
const DIGITS = 12;

/** Formats a rate for people, exactly: 15000 ppm is `1,5 %`. */
export function formatRate(ppm: number): string {
  const rest = String(ppm % PPM_PER_PERCENT)
    .padStart(4, '0')
    .replace(/(?<!0)0+$/, '');
  return `${Math.trunc(ppm / PPM_PER_PERCENT)}${rest === '' ? '' : `,${rest}`} %`;
}

/** Formats a probability for people, rounded up to a part per million: 0.000156 is `0,0156 %`. */
export function formatProbability(probability: number): string {
  // 0.00029 * 1e6 is a little more than 290.
  return formatRate(Math.ceil(Number((probability * PPM).toPrecision(DIGITS))));
}
