const PPM_PER_PERCENT = 10_000;

/** Formats a rate for people, exactly: 15000 ppm is `1,5 %`. */
export function formatRate(ppm: number): string {
  const rest = String(ppm % PPM_PER_PERCENT)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(ppm / PPM_PER_PERCENT)}${rest === '' ? '' : `,${rest}`} %`;
}
